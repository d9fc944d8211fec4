"""The page as text; what it looks like is tested in a browser."""

from __future__ import annotations

import json
import re
import shlex

import pytest

pytest.importorskip("pyarrow", reason="the extra traffic is not installed")
pytest.importorskip("vl_convert", reason="the extra report is not installed")

from amqp_traffic.report.page import report_page, tshark_line
from amqp_traffic.report.page_data import embedded

from .made_contents import CAPTURE, FILE, NASTY, findings, made


def test_json_in_a_page_ends_no_element() -> None:
    text = str(embedded({"name": NASTY}))
    assert json.loads(text) == {"name": NASTY}
    assert not re.search(r"[<>&\u2028]", text)


def test_the_line_for_tshark_is_one_call_of_the_shell() -> None:
    finding = next(findings(1))
    line = tshark_line(finding, {(CAPTURE, 0): FILE})
    assert line is not None
    assert shlex.split(line) == ["tshark", "-r", FILE, "-Y", "frame.number==12", "-V"]
    assert tshark_line(finding, {}) is None


def test_nasty_texts_are_only_text() -> None:
    page = report_page(made(3), NASTY, "")
    assert "<b>" not in page
    assert page.count("</script>") == 5


def test_two_pages_of_the_same_are_the_same() -> None:
    assert report_page(made(5), "x", "") == report_page(made(5), "x", "")
