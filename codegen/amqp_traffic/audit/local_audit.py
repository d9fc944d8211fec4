"""The audit of a lake on the processors of this machine."""

from __future__ import annotations

import os
from collections.abc import Callable

from ..lake.folder import Lake
from ..tasks.blobs import BlobFolder
from ..tasks.processes import processes
from ..tasks.runner import InProcess
from .finding import AuditFinding
from .lake_audit import audit_lake
from .tasks import count_rows

_MOST_ROWS_IN_PROCESS = 20_000  # up to here, starting processes takes longer than the work
_MOST_LOCAL_ROWS = 16_000_000  # above, Spark is faster
_MODULES = ("amqp_traffic.audit.preload",)


def is_large(lake: Lake) -> bool:
    """Return whether a lake should be audited on Spark."""
    return count_rows(lake) > _MOST_LOCAL_ROWS


def audit_here(lake: Lake, show: Callable[[str], None], *targets: str) -> list[AuditFinding]:
    """Audit a lake in bounded memory and return its findings, sorted.

    Args:
        lake: The lake. Its staging folder holds what tasks send to each other.
        show: Called with messages of progress.
        targets: The targets of a migration, of ``rule.TARGETS``.

    Raises:
        TaskFailed: Tables cannot be read, or memory is not enough.
    """
    if count_rows(lake) <= _MOST_ROWS_IN_PROCESS:
        return audit_lake(lake, InProcess(), targets)
    run = lake.new_run()
    try:
        with processes(BlobFolder(lake.filesystem, lake.scratch(run)), show, _MODULES) as runner:
            return audit_lake(lake, runner, targets, os.cpu_count() or 1)
    finally:
        lake.abandon(run)
