"""What a command shows of its work: one line of a terminal, lines with --verbose, nothing in a pipe."""

from __future__ import annotations

import io
import sys

import pytest
from amqp_codegen.support.command_line import progress_line

ERASE = "\r\x1b[K"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def shown(stream: io.StringIO, monkeypatch: pytest.MonkeyPatch, verbose: bool) -> str:
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("COLUMNS", "20")
    with progress_line(verbose) as progress:
        progress.stage("reading")
        progress("1 of 2, which is\nvery long")
    return stream.getvalue()


def test_nothing_in_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(io.StringIO(), monkeypatch, verbose=False) == ""


def test_a_line_for_each_stage_in_a_log(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(io.StringIO(), monkeypatch, verbose=True) == "reading\n"


def test_one_line_of_a_terminal_that_is_erased(monkeypatch: pytest.MonkeyPatch) -> None:
    text = shown(Terminal(), monkeypatch, verbose=False)
    assert text == f"{ERASE}reading{ERASE}1 of 2, which is\\nv{ERASE}"


def test_on_a_terminal_stages_stay_with_verbose(monkeypatch: pytest.MonkeyPatch) -> None:
    text = shown(Terminal(), monkeypatch, verbose=True)
    assert text == f"{ERASE}reading\n{ERASE}1 of 2, which is\\nv{ERASE}"


def test_it_is_erased_on_errors_too(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with pytest.raises(ValueError, match="x"), progress_line() as progress:
        progress("begun")
        raise ValueError("x")
    assert terminal.getvalue().endswith(ERASE)


def test_work_that_is_soon_done_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal, now = Terminal(), 0.0
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr("time.monotonic", lambda: now)
    with progress_line(silent_seconds=1.0) as progress:
        progress.stage_or_detail("read", "")
        assert terminal.getvalue() == ""
        now = 1.1
        progress.stage_or_detail("format 3 texts", "")
        progress.stage_or_detail("format 3 texts", "1")
    assert terminal.getvalue() == f"{ERASE}format 3 texts{ERASE}format 3 texts: 1{ERASE}"
