"""Each command says in one line which packages it lacks, before it does anything."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.commands import run_command

ROOT = Path(__file__).resolve().parents[3]
# Calls of the command in a process that does not find some modules; it prints how each ended.
MAIN = """
import contextlib, io, json, sys
for name in sys.argv[1].split(","):
    sys.modules[name] = None
from amqp_codegen.cli.main import main
for words in sys.argv[2:]:
    sys.argv[1:] = words.split()
    code = 0
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main()
        except SystemExit as ended:
            code = ended.code or 0
    out.flush(), err.flush()
    print(json.dumps([code, *(stream.buffer.getvalue().decode() for stream in (out, err))]))
"""
EVERYTHING = ("pyarrow", "pyspark", "vl_convert", "zstandard", "compression.zstd", "pandas")
TRAFFIC, REPORT = (
    f"(pip install '.[{extra}]' in the repository of amqp-codegen) [missing-extra]"
    for extra in ("traffic", "report")
)
TWO = "pyarrow and vl-convert-python, which are not installed"
THREE = "pyarrow, vl-convert-python and PySpark, which are not installed"


def run(folder: Path, missing: Sequence[str], *calls: str) -> list[tuple[int, str, str]]:
    """How each of the calls ended: exit code, standard output, standard error."""
    done = run_command(
        [sys.executable, "-c", MAIN, ",".join(missing), *calls],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT / "codegen")},
    )
    assert (done.returncode, done.stderr) == (0, "")
    return [tuple(json.loads(line)) for line in done.stdout.splitlines()]


NEEDS = {
    "ingest none.pcap --out lake": f"ingest needs pyarrow and PySpark, which are not installed {TRAFFIC}",
    "ingest none.pcap --out lake --engine local": f"ingest needs pyarrow, which is not installed {TRAFFIC}",
    "ingest --follow none --out lake": f"ingest needs pyarrow, which is not installed {TRAFFIC}",
    "audit none": f"audit needs pyarrow, which is not installed {TRAFFIC}",
    "audit --list": f"audit needs pyarrow, which is not installed {TRAFFIC}",
    "audit none --master local": f"audit needs pyarrow and PySpark, which are not installed {TRAFFIC}",
    "explain 0b1d none": f"explain needs pyarrow, which is not installed {TRAFFIC}",
    "sql none query": f"sql needs pyarrow and PySpark, which are not installed {TRAFFIC}",
    "sql none --list": f"sql needs pyarrow, which is not installed {TRAFFIC}",
    "report none -o no/such/page.html": f"report needs {TWO} {REPORT}",
    "report none -o no/such/page.html --master local": f"report needs {THREE} {REPORT}",
}


def test_nothing_is_installed(tmp_path: Path) -> None:
    done = run(tmp_path, EVERYTHING, *(f"traffic {call}" for call in NEEDS))
    expected = [(2, "", f"error: traffic {needs}\n") for needs in NEEDS.values()]
    assert dict(zip(NEEDS, done, strict=True)) == dict(zip(NEEDS, expected, strict=True))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("module", "package"), [("pyspark", "PySpark"), ("pyarrow", "pyarrow")])
def test_one_is_missing(module: str, package: str, tmp_path: Path) -> None:
    pytest.importorskip("pyspark", reason="needs PySpark")
    done = run(tmp_path, [module], "traffic ingest none.pcap --out lake")
    needs = f"error: traffic ingest needs {package}, which is not installed {TRAFFIC}\n"
    assert done == [(2, "", needs)]
    assert list(tmp_path.iterdir()) == []


def test_only_the_charts_are_missing(tmp_path: Path) -> None:
    pytest.importorskip("pyspark", reason="needs PySpark")
    [(_, _, err)] = run(tmp_path, ["vl_convert"], "traffic report none -o page.html")
    assert err == f"error: traffic report needs vl-convert-python, which is not installed {REPORT}\n"


# They may find something, or no broker; but they lack nothing.
WITHOUT_AN_EXTRA = (
    "lint 0-9-1",
    "model 1.0",
    "diff 0-9 0-9-1",
    "grammar 0-9-1 channel",
    "conformance amqp://localhost:1/",
)


def test_what_needs_no_extra(tmp_path: Path) -> None:
    calls = ("synth --seed 1 --out a.pcap", "ingest --help", "report --help", "sql --help")
    done = run(tmp_path, EVERYTHING, *(f"traffic {call}" for call in calls), *WITHOUT_AN_EXTRA)
    assert [(code, err) for code, _, err in done[: len(calls)]] == [(0, "")] * len(calls)
    assert not any("install" in err for _, _, err in done)
