"""Suites in somebody else's project, and pytest there in a process of its own."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from .suite_runner import GENERATED

CODEGEN = GENERATED.parent / "codegen"
_OUTCOMES = re.compile(r"(\d+) (passed|failed|pending|skipped|xfailed|error)")


class Outcome(NamedTuple):
    """How pytest ended: its exit code, the numbers of its last line, and everything that it printed."""

    code: int
    numbers: dict[str, int]
    text: str


def copy_suite(suite: str, folder: Path) -> None:
    """Copy a suite into a folder, under the name ``amqp_suite``."""
    target = folder / "amqp_suite"
    shutil.copytree(GENERATED / "conformance" / suite, target, ignore=shutil.ignore_patterns("__pycache__"))


def run_suite(folder: Path, *arguments: str, modules: str = "test_rules.py", **environment: str) -> Outcome:
    """Run tests of the suite in a folder, beside the generated packages and the live runner."""
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("PYTEST") and name != "AMQP_BROKER"
    }
    path = os.pathsep.join(map(str, (folder, GENERATED, CODEGEN)))
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-p",
            "no:cacheprovider",
            "--rootdir",
            ".",
            *arguments,
            f"amqp_suite/{modules}",
        ],
        cwd=folder,
        env={**inherited, "PYTHONPATH": path, **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    last = done.stdout.splitlines()[-1] if done.stdout else ""
    numbers = {word: int(number) for number, word in _OUTCOMES.findall(last)}
    return Outcome(done.returncode, numbers, done.stdout + done.stderr)
