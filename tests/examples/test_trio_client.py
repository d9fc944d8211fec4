"""The program of ``examples/trio_client.py``, run as a user would."""

from __future__ import annotations

import pytest

from .programs import ROOT, STRANGER, URL, error_line, run_program

pytest.importorskip("trio")
pytestmark = pytest.mark.broker
PROGRAM = ROOT / "examples" / "trio_client.py"


@pytest.mark.parametrize("messages", [0, 3, 5000])
def test_it_publishes_and_consumes(messages: int) -> None:
    done = run_program(PROGRAM, URL, str(messages))
    assert (done.returncode, done.stderr) == (0, "")
    connected, told = done.stdout.splitlines()
    assert connected.startswith("connected to RabbitMQ ")
    assert told == f"{messages} messages published, {messages} confirmed, {messages} received"


def test_what_the_broker_refuses() -> None:
    assert "403 ACCESS_REFUSED - Login was refused" in error_line(run_program(PROGRAM, STRANGER))
