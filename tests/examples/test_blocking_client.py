"""The program of ``examples/blocking_client.py``, run as a user would; docs/engine.md begins with it."""

from __future__ import annotations

import pytest

from .programs import ROOT, URL, run_program

PROGRAM = ROOT / "examples" / "blocking_client.py"


@pytest.mark.broker
@pytest.mark.parametrize("messages", [3, 5000])
def test_it_publishes_and_consumes(messages: int) -> None:
    done = run_program(PROGRAM, URL, str(messages))
    assert (done.returncode, done.stderr) == (0, "")
    connected, told = done.stdout.splitlines()
    assert connected.startswith("connected to RabbitMQ ")
    assert told == f"{messages} messages published, {messages} confirmed, {messages} received"


def test_the_document_has_its_text() -> None:
    text = PROGRAM.read_text(encoding="utf-8")
    start, stop = text.index("def next_event"), text.index("\n\nif __name__")
    assert text[start:stop].rstrip("\n") in (ROOT / "docs" / "engine.md").read_text(encoding="utf-8")
