"""Suites in somebody else's project, and pytest there in a process of its own."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from tests.commands import run_command

from .suite_runner import GENERATED

CODEGEN = GENERATED.parent / "codegen"
_OUTCOMES = re.compile(r"(\d+) (passed|failed|pending|skipped|xfailed|error)")


class Outcome(NamedTuple):
    """How pytest ended: its exit code, the numbers of its last line, and everything that it printed."""

    code: int
    numbers: dict[str, int]
    text: str


def copy_package(source: str, target: Path) -> None:
    """Copy a package or a suite of ``generated/``."""
    shutil.copytree(GENERATED / source, target, ignore=shutil.ignore_patterns("__pycache__"))


def keep_cases(suite: Path, wanted: Callable[[dict[str, Any]], bool]) -> None:
    """Leave only some cases in a copy of a suite, which is then run sooner."""
    path = suite / "vectors.json"
    document = json.loads(path.read_text("utf-8"))
    document["cases"] = [case for case in document["cases"] if wanted(case)]
    path.write_text(json.dumps(document), "utf-8")


def copy_suite(suite: str, folder: Path) -> None:
    """Copy a suite into a folder, under the name ``amqp_suite``."""
    copy_package(f"conformance/{suite}", folder / "amqp_suite")


def run_suite(folder: Path, *arguments: str, suite: str = "amqp_suite", **environment: str) -> Outcome:
    """Run the rules of a suite in a folder, beside the generated packages and the live runner."""
    path = os.pathsep.join(map(str, (folder, GENERATED, CODEGEN)))
    return run_pytest(folder, *arguments, f"{suite}/test_rules.py", PYTHONPATH=path, **environment)


def run_pytest(folder: Path, *arguments: str, **environment: str) -> Outcome:
    """Run tests as in a project with no settings, and without the plugins that are installed here."""
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("PYTEST") and name != "AMQP_BROKER"
    }
    done = run_command(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--rootdir", ".", *arguments],
        cwd=folder,
        env={**inherited, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", **environment},
    )
    last = done.stdout.splitlines()[-1] if done.stdout else ""
    numbers = {word: int(number) for number, word in _OUTCOMES.findall(last)}
    return Outcome(done.returncode, numbers, done.stdout + done.stderr)
