"""Commands that tests run, each in a process of its own."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.patience import PATIENCE


def run_command(
    command: Sequence[str | Path],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    input: str | None = None,
    encoding: str | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a command, whatever its exit code; it reads the input or nothing, and what it prints is text."""
    return subprocess.run(
        command,
        cwd=cwd,
        env=env,
        stdin=subprocess.DEVNULL if input is None else None,
        input=input,
        capture_output=True,
        text=True,
        encoding=encoding,
        timeout=PATIENCE,
        check=False,
    )
