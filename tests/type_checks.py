"""mypy in a process of its own, with one cache for all tests: it reads the standard library once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE
from tests.shared_folders import Shared


def run_mypy(
    shared: Shared, *arguments: str | Path, cwd: Path, path: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Check types strictly, without any file of settings; ``path`` is where packages are found besides ``cwd``."""
    pytest.importorskip("mypy", reason="mypy is not installed")
    # Workers share it: of files, unlike of a database, several processes may write one at once.
    cache = ["--no-sqlite-cache", "--cache-dir", str(shared("mypy", lambda _: None))]
    return subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file", "", *cache, *map(str, arguments)],
        env={"PATH": "", "HOME": str(cwd), **({"MYPYPATH": str(path)} if path else {})},
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
