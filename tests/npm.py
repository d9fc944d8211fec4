"""Packages of npm that tests run with Node; without Node, npm or a registry these tests are skipped."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.patience import PATIENCE
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
    done = subprocess.run(
        ["node", str(script)],
        input="".join(json.dumps(request) + "\n" for request in requests),
        env={**os.environ, "NODE_PATH": str(modules)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(requests)
    return answers
