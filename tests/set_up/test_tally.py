"""The last lines of `make test`: what all runs of pytest counted, and the processor time of the whole tree."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import run_command
from tools.tally import clock, summary

ROOT = Path(__file__).resolve().parents[2]
BURN = "import time\nwhile time.process_time() < 1.2: pass"
TESTS = """
import pytest

def test_passes(): ...

@pytest.mark.parametrize("number", range(2))
def test_needs(number): pytest.skip("needs Java: apt-get install openjdk-17-jre-headless")

def test_other(): pytest.skip("for make test-all")

@pytest.mark.skipif(True, reason="needs Chromium, with chromedriver")
def test_marked(): ...
"""


def tally(*command: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    return run_command([sys.executable, "-m", "tools.tally", "make x", *command], cwd=ROOT, env=environment)


def test_runs_are_added_up() -> None:
    first = {
        "outcomes": {"passed": 1200, "failed": 0, "skipped": 3},
        "skipped": {"needs Java": 1, "needs root": 2},
    }
    second = {
        "outcomes": {"passed": 1, "failed": 1, "skipped": 2},
        "skipped": {"needs Java": 2, "no reason": 1},
    }
    assert summary([first, second]) == (
        "1,201 passed, 1 failed, 5 skipped; skipped for want of Java 3, root 2; skipped otherwise: no reason 1"
    )
    assert summary([]) == "no tests were run"
    assert [clock(0.4), clock(59.6), clock(754)] == ["0 s", "1 min 0 s", "12 min 34 s"]


def test_skipped_tests_are_counted_by_what_they_need(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(TESTS, encoding="utf-8")
    pytest_there = (sys.executable, "-m", "pytest", "-q", "-p", "tests.skip_counts", "-p", "no:cacheprovider")
    done = tally(*pytest_there, "-c", os.devnull, str(tmp_path))
    assert done.returncode == 0
    want = "skipped for want of Java 2, Chromium 1; skipped otherwise: for make test-all 1"
    assert want in done.stdout.splitlines()
    assert f"make x: 1 passed, 4 skipped; {want}" in done.stdout.splitlines()


def test_processor_time_is_that_of_the_whole_tree() -> None:
    """Of a program, too, that outlives the one that started it."""
    orphan = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {BURN!r}])"
    done = tally(sys.executable, "-c", orphan)
    assert done.returncode == 0
    used = int(done.stdout.rpartition(", ")[2].partition(" s ")[0])
    assert used >= 1


@pytest.mark.parametrize(("end", "code"), [("sys.exit(7)", 7), ("os.kill(os.getpid(), 9)", 137)])
def test_the_exit_code_is_the_commands(end: str, code: int) -> None:
    done = tally(sys.executable, "-c", f"import os, sys; {end}")
    assert done.returncode == code
    assert f"make x: failed with exit code {code}, after " in done.stdout
