"""Type checkers in processes of their own; mypy has one cache for all tests: it reads the standard library once."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import run_command
from tests.patience import PATIENCE
from tests.shared_folders import Shared


def run_mypy(
    shared: Shared, *arguments: str | Path, cwd: Path, path: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Check types strictly, without any file of settings; ``path`` is where packages are found besides ``cwd``."""
    pytest.importorskip("mypy", reason="mypy is not installed")
    # Workers share it: of files, unlike of a database, several processes may write one at once.
    cache = ["--no-sqlite-cache", "--cache-dir", str(shared("mypy", lambda _: None))]
    return run_command(
        [sys.executable, "-m", "mypy", "--strict", "--config-file", "", *cache, *map(str, arguments)],
        env={"PATH": "", "HOME": str(cwd), **({"MYPYPATH": str(path)} if path else {})},
        cwd=cwd,
    )


def run_basedpyright(*paths: Path, cwd: Path) -> list[str]:
    """Return the errors that basedpyright finds with its own defaults, as of a user without any settings.

    They include all that pyright finds with its defaults. Warnings are about style: most of them are about ``Any``.
    """
    pytest.importorskip("basedpyright", reason="basedpyright is not installed")
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "basedpyright",
            "--pythonpath",
            sys.executable,
            "--outputjson",
            *map(str, paths),
        ],
        env={"PATH": "", "HOME": str(cwd)},
        cwd=cwd,  # no settings are found from there
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    report = json.loads(done.stdout)
    assert report["summary"]["filesAnalyzed"] > 0, done.stderr
    return [
        f"{found['file']}:{found.get('range', {}).get('start', {}).get('line', -1) + 1}: {found['message']}"
        for found in report["generalDiagnostics"]
        if found["severity"] == "error"
    ]
