"""Packages of npm that tests run with Node; without Node, npm or a registry these tests are skipped."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.commands import run_command
from tools import npm


def installed(package: Path) -> Path:
    """The folder with what a ``package.json`` depends on; else skips."""
    try:
        return npm.installed(package)
    except npm.NpmError as error:
        pytest.skip(f"needs Node with packages: {error}")


def node(script: Path, package: Path, requests: list[Any]) -> list[Any]:
    """The answers of a script that reads a JSON document a line, and writes one for each."""
    modules = installed(package)
    done = run_command(
        ["node", str(script)],
        input="".join(json.dumps(request) + "\n" for request in requests),
        env={**os.environ, "NODE_PATH": str(modules)},
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(requests)
    return answers
