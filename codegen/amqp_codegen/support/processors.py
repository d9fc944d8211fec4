"""The processors of this machine."""

from __future__ import annotations

import os


def count_processors() -> int:
    """Return the number of processors that this process may use; ``taskset`` and containers may leave it less than all."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
