"""``traffic ingest`` where Spark cannot be used: one line that says what to do, and nothing is written."""

from __future__ import annotations

import io
import os
import pty
import re
import subprocess
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

from amqp_codegen.cli.main import cli
from amqp_traffic.tasks.spark import session

from tests.cli.command_calls import process
from tests.patience import PATIENCE

from .captures import write_capture

_TRIES = 100  # stages of so small a capture may be over before anybody looks


def ingest(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    write_capture(folder / "a.pcap", seed=1, size=60_000, connections=2)
    wanted = {"JAVA_HOME": "", **environment}
    return process("traffic", "ingest", "a.pcap", "--out", "lake", cwd=folder, **wanted)


def check_refused(done: subprocess.CompletedProcess[str], folder: Path, message: str) -> None:
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert message in line
    assert not [it for it in (folder / "lake").rglob("*") if it.suffix == ".parquet"]


def test_no_java(tmp_path: Path) -> None:
    pytest.importorskip("pyspark", reason="needs PySpark")
    (tmp_path / "bin").mkdir()
    done = ingest(tmp_path, PATH=str(tmp_path / "bin"))
    check_refused(done, tmp_path, "Spark needs Java, which is not installed: install Java 17")


def test_wrong_java(tmp_path: Path) -> None:
    pytest.importorskip("pyspark", reason="needs PySpark")
    (tmp_path / "bin").mkdir()
    java = tmp_path / "bin" / "java"
    java.write_text("#!/bin/sh\necho 'openjdk version \"11.0.2\" 2019-01-15' >&2\n")
    java.chmod(0o755)
    done = ingest(tmp_path, JAVA_HOME=str(tmp_path))
    check_refused(done, tmp_path, f"{java} is Java 11, and Spark needs 17 or later: ")


def test_progress_on_a_terminal(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard error is a terminal: stages are shown there, in one line that is gone in the end."""
    monkeypatch.setattr(session, "_SECONDS_BETWEEN_LINES", 0.005)
    capture = write_capture(tmp_path / "a.pcap", seed=1, size=60_000, connections=2)
    stages: list[str] = []
    for _ in range(_TRIES):
        lines = _shown_on_a_terminal("traffic", "ingest", str(capture), "--out", str(tmp_path / "lake"))
        assert lines[0] == lines[-1] == ""
        assert "starting Spark" in lines
        assert all("\n" not in line for line in lines)
        stages += [line for line in lines if re.fullmatch(r"(survey|reading): stage \d+: \d of \d+", line)]
        if stages:
            break
    assert stages


def _shown_on_a_terminal(*words: str) -> list[str]:
    """What a call shows on standard error, line by line, each in the place of the one before."""
    ours, theirs = pty.openpty()
    shown: list[bytes] = []

    def read() -> None:
        with suppress(OSError):  # the other end was closed
            while octets := os.read(ours, 4096):
                shown.append(octets)

    reader = Thread(target=read)
    reader.start()
    with open(theirs, "w") as terminal, redirect_stderr(terminal), redirect_stdout(io.StringIO()) as out:
        with pytest.raises(SystemExit) as ended:
            cli.main(words)
        assert not ended.value.code
    reader.join(PATIENCE)
    os.close(ours)
    assert out.getvalue().startswith("a-")
    return b"".join(shown).decode().split("\r\x1b[K")
