"""Waits for what will be seen, however busy the machine is."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable

from tests.patience import PATIENCE

_BETWEEN_LOOKS = 0.05


def wait_until(
    condition: Callable[[], bool], what: str, process: subprocess.Popen[str] | None = None
) -> None:
    """Wait until a condition holds. It fails if the process that has to make it hold has ended."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert process is None or process.poll() is None or condition(), f"its process has ended: {what}"
        assert time.monotonic() < deadline, f"it did not happen: {what}"
        time.sleep(_BETWEEN_LOOKS)
