"""Each command says in one line which packages it lacks, before it does anything."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
# The command in a process that does not find some modules.
MAIN = """
import sys
for name in sys.argv.pop(1).split(","):
    sys.modules[name] = None
from amqp_codegen.cli.main import main
main()
"""
EVERYTHING = ("pyarrow", "pyspark", "vl_convert", "zstandard", "compression.zstd", "pandas")
TRAFFIC, REPORT = (
    f"(pip install '.[{extra}]' in the repository of amqp-codegen) [missing-extra]"
    for extra in ("traffic", "report")
)
TWO = "pyarrow and vl-convert-python, which are not installed"
THREE = "pyarrow, vl-convert-python and PySpark, which are not installed"


def run(folder: Path, missing: Sequence[str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", MAIN, ",".join(missing), *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT / "codegen")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (
            "ingest none.pcap --out lake",
            f"traffic ingest needs pyarrow and PySpark, which are not installed {TRAFFIC}",
        ),
        (
            "ingest none.pcap --out lake --engine local",
            f"traffic ingest needs pyarrow, which is not installed {TRAFFIC}",
        ),
        (
            "ingest --follow none --out lake",
            f"traffic ingest needs pyarrow, which is not installed {TRAFFIC}",
        ),
        ("audit none", f"traffic audit needs pyarrow, which is not installed {TRAFFIC}"),
        ("audit --list", f"traffic audit needs pyarrow, which is not installed {TRAFFIC}"),
        (
            "audit none --master local",
            f"traffic audit needs pyarrow and PySpark, which are not installed {TRAFFIC}",
        ),
        ("explain 0b1d none", f"traffic explain needs pyarrow, which is not installed {TRAFFIC}"),
        ("sql none query", f"traffic sql needs pyarrow and PySpark, which are not installed {TRAFFIC}"),
        ("sql none --list", f"traffic sql needs pyarrow, which is not installed {TRAFFIC}"),
        ("report none -o no/such/page.html", f"traffic report needs {TWO} {REPORT}"),
        (
            "report none -o no/such/page.html --master local",
            f"traffic report needs {THREE} {REPORT}",
        ),
    ],
)
def test_nothing_is_installed(tmp_path: Path, call: str, expected: str) -> None:
    done = run(tmp_path, EVERYTHING, "traffic", *call.split())
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"error: {expected}\n")
    assert list(tmp_path.iterdir()) == []


def test_only_the_charts_are_missing(tmp_path: Path) -> None:
    pytest.importorskip("pyspark", reason="the extra traffic is not installed")
    done = run(tmp_path, ["vl_convert"], "traffic", "report", "none", "-o", "page.html")
    assert done.stderr == (
        f"error: traffic report needs vl-convert-python, which is not installed {REPORT}\n"
    )


@pytest.mark.parametrize(
    "call", ["synth --seed 1 --out a.pcap", "ingest --help", "report --help", "sql --help"]
)
def test_what_needs_no_extra(tmp_path: Path, call: str) -> None:
    done = run(tmp_path, EVERYTHING, "traffic", *call.split())
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "call",
    ["lint 0-9-1", "model 1.0", "diff 0-9 0-9-1", "grammar 0-9-1 channel", "conformance amqp://localhost:1/"],
)
def test_commands_without_an_extra(tmp_path: Path, call: str) -> None:
    """They may find something, or no broker; but they lack nothing."""
    done = run(tmp_path, EVERYTHING, *call.split())
    assert "Traceback" not in done.stderr
    assert "install" not in done.stderr
