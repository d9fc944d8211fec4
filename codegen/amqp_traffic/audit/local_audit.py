"""The audit of a lake that is not large, on the processors of this machine."""

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

# Rows. Up to the first, processes would take longer to start than the work does; from the second on Spark is worth it.
_FEW, _MANY = 20_000, 16_000_000
_MODULES = ("amqp_traffic.audit.preload",)


def is_large(lake: Lake) -> bool:
    """Whether a lake is better audited on Spark."""
    return count_rows(lake) > _MANY


def audit_here(lake: Lake, show: Callable[[str], None], *targets: str) -> list[AuditFinding]:
    """Audit connections, and all of them together, in bounded memory.

    Args:
        lake: The lake. What tasks send to others is in its staging folder meanwhile.
        show: Is told how far it is.
        targets: What one wants to move to, of ``rule.TARGETS``.

    Returns:
        What was found, sorted.

    Raises:
        TaskFailed: Tables cannot be read, or memory is not enough.
    """
    if count_rows(lake) <= _FEW:
        return audit_lake(lake, InProcess(), targets)
    run = lake.new_run()
    try:
        with processes(BlobFolder(lake.filesystem, lake.scratch(run)), show, _MODULES) as runner:
            return audit_lake(lake, runner, targets, os.cpu_count() or 1)
    finally:
        lake.abandon(run)
