"""Links into RabbitMQ's own guide lead to the same places in ours."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .site_pages import parsed

ROOT = Path(__file__).resolve().parents[2]
SEED = ROOT.parent / "shared" / "seeds" / "002_8f81420155dcf726.txt"
# One of each form that its anchors have, and those that stand alone.
FORMS = (ROOT / "tests/reference/anchor_forms.txt").read_text(encoding="utf-8").split()


def test_every_form_of_anchor() -> None:
    ids = parsed("0-9-1-rabbitmq")["index.html"].ids
    assert [anchor for anchor in FORMS if anchor not in ids] == []


def test_every_anchor_of_rabbitmqs_guide() -> None:
    if not SEED.is_file():
        pytest.skip(f"there is no copy of RabbitMQ's guide at {SEED}")
    text = SEED.read_text(encoding="utf-8")
    listed = text.partition("<ValidAnchors>")[2].partition("</ValidAnchors>")[0].split()
    wanted = {*listed, *re.findall(r'\bid="([^"]+)"', text), *re.findall(r"\{#([^}]+)\}", text)}
    wanted |= {target for target in re.findall(r'href="#([^"]+)"', text) if target}
    assert len(listed) > 200
    ids = parsed("0-9-1-rabbitmq")["index.html"].ids
    assert sorted(wanted - set(ids)) == []
