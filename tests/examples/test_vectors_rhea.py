"""The example that runs the vectors over rhea: every deviation is known, and what is not is named."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.commands import run_command
from tests.npm import installed

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "vectors_rhea"
VECTORS = ROOT / "generated" / "conformance" / "amqp_1_0" / "vectors.json"


def run(deviations: Path, *arguments: str, vectors: Path = VECTORS) -> subprocess.CompletedProcess[str]:
    modules = installed(EXAMPLE / "package.json")
    return run_command(
        ["node", str(EXAMPLE / "run.js"), str(vectors), str(deviations), *arguments],
        env={**os.environ, "NODE_PATH": str(modules)},
        encoding="utf-8",
    )


def test_every_deviation_is_known() -> None:
    done = run(EXAMPLE / "deviations.toml")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    counts = json.loads(done.stdout)
    assert counts["passed"] > 900
    assert counts["known"] > 100
    assert (counts["unexplained"], counts["stale"]) == (0, 0)
    assert done.stdout in (ROOT / "examples" / "README.md").read_text("utf-8")


def test_what_no_deviation_explains_is_named(tmp_path: Path) -> None:
    text = (EXAMPLE / "deviations.toml").read_text("utf-8")
    without = tmp_path / "deviations.toml"
    without.write_text(
        "".join(
            f"[[deviation]]{entry}" for entry in text.split("[[deviation]]")[1:] if "one-item" not in entry
        )
    )
    done = run(without)
    assert done.returncode == 1
    assert "test_decoding_is_refused map/one-item: accepted" in done.stdout.splitlines()


def test_a_deviation_that_occurs_no_more_is_named(tmp_path: Path) -> None:
    more = tmp_path / "deviations.toml"
    text = (EXAMPLE / "deviations.toml").read_text("utf-8")
    more.write_text(text + '\n[[deviation]]\nchecks = ["test_encode null/*"]\nwhy = "No nulls."\n')
    done = run(more)
    assert done.returncode == 1
    assert "occurs no more: No nulls." in done.stdout.splitlines()


@pytest.mark.parametrize(
    ("case", "octets", "outcome"),
    [
        ("uint/high", "70fffffffe", "wrong octets: 70ffffffff, not 70fffffffe"),
        ("uuid/typical", "98" + "00" * 16, "wrong value: "),
    ],
)
def test_wrong_vectors_are_found(case: str, octets: str, outcome: str, tmp_path: Path) -> None:
    """The runner compares: with other octets than the right ones, encoding and decoding fail."""
    document = json.loads(VECTORS.read_text("utf-8"))
    next(item for item in document["cases"] if item["id"] == case)["bytes"] = octets
    vectors = tmp_path / "vectors.json"
    vectors.write_text(json.dumps(document), "utf-8")
    done = run(EXAMPLE / "deviations.toml", vectors=vectors)
    assert done.returncode == 1
    assert f"test_encode {case}: wrong octets: " in done.stdout
    assert f"test_decode {case}: wrong value: " in done.stdout
    assert outcome in done.stdout


def test_the_runner_is_short() -> None:
    assert len((EXAMPLE / "run.js").read_text("utf-8").splitlines()) <= 100
