"""Links into RabbitMQ's own guide lead to the same places in ours."""

from __future__ import annotations

from pathlib import Path

from .site_pages import parsed

ROOT = Path(__file__).resolve().parents[2]
# One of each form that its anchors have, and those that stand alone.
FORMS = (ROOT / "tests/reference/anchor_forms.txt").read_text(encoding="utf-8").split()


def test_every_form_of_anchor() -> None:
    ids = parsed("0-9-1-rabbitmq")["index.html"].ids
    assert [anchor for anchor in FORMS if anchor not in ids] == []
