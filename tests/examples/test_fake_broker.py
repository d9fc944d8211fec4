"""The program of ``examples/fake_broker.py``: a client cannot tell it from a broker."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from .programs import ROOT, run_program

PROGRAM = ROOT / "examples" / "fake_broker.py"


@pytest.fixture
def url() -> Iterator[str]:
    command = [sys.executable, "-W", "error", str(PROGRAM), "0"]
    with subprocess.Popen(
        command, env={"PYTHONPATH": str(ROOT / "generated")}, stdout=subprocess.PIPE, text=True
    ) as broker:
        assert broker.stdout is not None
        yield broker.stdout.readline().split()[-1]
        broker.terminate()


def test_the_blocking_client_talks_to_it(url: str) -> None:
    done = run_program(ROOT / "examples" / "blocking_client.py", url, "500")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "connected to fake 1\n500 messages published, 500 confirmed, 500 received\n"


def test_the_document_has_its_text() -> None:
    text = PROGRAM.read_text(encoding="utf-8")
    start, stop = text.index("class Session"), text.index("\n\ndef main")
    assert text[start:stop].rstrip("\n") in (ROOT / "docs" / "engine.md").read_text(encoding="utf-8")
