"""``traffic ingest`` where Spark cannot be used: one line that says what to do, and nothing is written."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="the extra traffic is not installed")

from .captures import write_capture

ROOT = Path(__file__).resolve().parents[3]
# A program that does not find some modules, and is otherwise the command.
MAIN = """
import sys
for name in sys.argv.pop(1).split(","):
    sys.modules[name] = None
from amqp_codegen.cli.main import main
main()
"""


def ingest(folder: Path, missing: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    write_capture(folder / "a.pcap", seed=1, size=60_000, connections=2)
    without = {name: value for name, value in os.environ.items() if name not in ("JAVA_HOME", *environment)}
    return subprocess.run(
        [sys.executable, "-c", MAIN, missing, "traffic", "ingest", "a.pcap", "--out", "lake"],
        cwd=folder,
        env={**without, "PYTHONPATH": str(ROOT / "codegen"), **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def check_refused(done: subprocess.CompletedProcess[str], folder: Path, message: str) -> None:
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert message in line
    assert not [it for it in (folder / "lake").rglob("*") if it.suffix == ".parquet"]


@pytest.mark.parametrize(
    ("missing", "message"),
    [
        ("pyspark", "traffic ingest needs PySpark, which is not installed (pip install '.[traffic]'"),
        ("pyarrow", "traffic ingest needs pyarrow, which is not installed (pip install"),
    ],
)
def test_a_missing_package(missing: str, message: str, tmp_path: Path) -> None:
    check_refused(ingest(tmp_path, missing), tmp_path, message)


def test_no_java(tmp_path: Path) -> None:
    pytest.importorskip("pyspark")
    (tmp_path / "bin").mkdir()
    done = ingest(tmp_path, "nothing", PATH=str(tmp_path / "bin"))
    check_refused(done, tmp_path, "Spark needs Java, which is not installed: install Java 17")


def test_wrong_java(tmp_path: Path) -> None:
    pytest.importorskip("pyspark")
    (tmp_path / "bin").mkdir()
    java = tmp_path / "bin" / "java"
    java.write_text("#!/bin/sh\necho 'openjdk version \"11.0.2\" 2019-01-15' >&2\n")
    java.chmod(0o755)
    done = ingest(tmp_path, "nothing", JAVA_HOME=str(tmp_path))
    check_refused(done, tmp_path, f"{java} is Java 11, and Spark needs 17 or later: ")


@pytest.mark.slow
def test_progress_on_a_terminal(spark: Any, tmp_path: Path) -> None:
    """Standard error is a terminal: stages are shown there, in one line that is gone in the end."""
    write_capture(tmp_path / "a.pcap", seed=1, size=1_500_000, connections=2)
    ours, theirs = pty.openpty()
    shown = b""
    with subprocess.Popen(
        [sys.executable, "-m", "amqp_codegen", "traffic", "ingest", "a.pcap", "--out", "lake"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT / "codegen")},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=theirs,
    ) as process:
        os.close(theirs)
        while True:
            try:
                octets = os.read(ours, 4096)
            except OSError:  # the other end was closed
                break
            if not octets:
                break
            shown += octets
        assert process.stdout is not None
        out = process.stdout.read()
    os.close(ours)
    assert process.returncode == 0
    assert out.startswith(b"a-")
    lines = shown.decode().split("\r\x1b[K")
    assert lines[0] == lines[-1] == ""
    assert "starting Spark" in lines
    assert any(re.fullmatch(r"(survey|reading): stage \d+: \d of \d+", line) for line in lines)
    assert all("\n" not in line for line in lines)
