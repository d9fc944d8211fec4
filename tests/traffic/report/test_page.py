"""The page as text; what it looks like is tested in a browser."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")
pytest.importorskip("vl_convert", reason="needs vl-convert-python")

import vl_convert
from amqp_traffic.audit.catalogue import RULES
from amqp_traffic.audit.rule import AuditSeverity
from amqp_traffic.report.fixes import fix_of
from amqp_traffic.report.page import report_page, tshark_line
from amqp_traffic.report.page_data import embedded, page_data
from amqp_traffic.report.time_span import Pause
from amqp_traffic.report.vega import library_script
from markupsafe import escape

from .made_contents import CAPTURE, FILE, NASTY, SECOND, START, findings, made

SCRIPTS = Path(__file__).resolve().parents[3] / "templates/traffic_report"


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


def test_the_page_begins_with_what_is_wrong_and_its_fix() -> None:
    page = report_page(made(12), "x", "")
    titles = re.findall(r"<h2[^>]*>([^<]+)", page)
    assert titles[0] == "What is wrong" and titles[1] == "Clients"
    first = page[page.index('id="first"') : page.index('id="clients"')]
    assert first.count("<strong>Fix:</strong>") >= 8
    assert "transient-queue" in first and ">orders<" in first
    for rule_id in re.findall(r'href="#rule-([\w-]+)"', first):
        assert RULES[rule_id].severity is not AuditSeverity.INFO
        finding, *_ = (finding for finding in findings(12) if finding.rule_id == rule_id)
        assert str(escape(fix_of(finding))) in first


def test_nothing_is_coloured_where_there_is_nothing() -> None:
    page = report_page(made(3, with_findings=False), "x", "")
    assert "The audit found no errors and no warnings." in page
    tiles = page[page.index('<ul class="tiles">') : page.index("</header>")]
    assert "<strong>0</strong> errors" in tiles and "class=" not in tiles.removeprefix('<ul class="tiles">')
    assert 'class="error"' not in page and 'class="warning"' not in page
    with_errors = report_page(made(3), "x", "")
    assert '<li class="error">' in with_errors


def test_without_an_audit_the_page_says_so() -> None:
    assert "This traffic was not audited, so the report does not say what is wrong." in report_page(
        made(3, audited=False), "x", ""
    )


def test_clients_open_with_the_most_severe_findings() -> None:
    rows = page_data(made(30))["clients"]
    severe = [(row[12], row[13], row[8]) for row in rows]
    assert severe == sorted(severe, reverse=True) and severe[0] > (0, 0, 0) and severe[-1][:2] == (0, 0)


def test_names_of_rows_are_told_once_and_fit_all_of_them() -> None:
    data = page_data(made(30, pauses=(Pause(START, START + SECOND),)))
    rows = {kind: data[kind] for kind in ("clients", "links", "files", "pauses", "activity")}
    for kind in ("connections", "findings"):
        rows[kind] = [row for of_client in data[kind] for row in of_client]
    named = [dict(zip(data["names"]["clients"], row, strict=True)) for row in data["clients"]]
    rows["client_rules"] = [row for client in named for row in client["rules"]]
    rows["waits"] = [row for client in named for row in client["waits"] if row]
    assert rows.keys() == data["names"].keys()
    for kind, of_kind in rows.items():
        names = data["names"][kind]
        assert of_kind and {len(row) for row in of_kind} == {len(names)} and len({*names}) == len(names)


def test_the_script_reads_rows_by_name() -> None:
    scripts = "".join(script.read_text(encoding="utf-8") for script in SCRIPTS.glob("*.js"))
    assert "record(" in scripts and not re.search(r"\w\[\d+\]", scripts)


def test_pauses_are_told_and_marked() -> None:
    pause = Pause(START + 10 * SECOND, START + 37 * SECOND)
    page = report_page(made(3, pauses=(pause,)), "x", "")
    assert "1 pause without traffic, 27 s in all, is left out." in page
    assert "27 s without traffic, left out" in page
    assert page_data(made(3, pauses=(pause,)))["pauses"] == [[10_000, 27_000]]
    assert "without traffic" not in report_page(made(3), "x", "")


def test_words_that_readers_stumbled_over_are_gone() -> None:
    page = re.sub(r"\s+", " ", report_page(made(3), "x", ""))
    for words in (
        "Drawn are",
        "listed are all",
        "who says the same",
        "of 100",
        "no records",
        "came twice",
        "Looked for",
    ):
        assert words not in page


def test_the_chart_library_is_bundled_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("AMQP_CODEGEN_CACHE", str(tmp_path / "cache"))
    calls: list[str] = []

    def bundled(entry: str) -> str:
        calls.append(entry)
        return f"{entry}</script>"

    monkeypatch.setattr(vl_convert, "javascript_bundle", bundled)
    first = library_script()
    assert first == "window.vegaEmbed = vegaEmbed;<\\/script>"
    assert library_script() == first
    assert len(calls) == 1
