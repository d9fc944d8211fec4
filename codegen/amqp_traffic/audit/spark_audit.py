"""The audit of a lake on Spark."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from amqp_codegen.support.processors import count_processors

from ..lake.folder import Lake
from ..tasks.blobs import BlobFolder
from ..tasks.spark.runner import SparkRunner, told_in_a_line
from .finding import AuditFinding
from .lake_audit import audit_lake


def audit_on_spark(
    session: Any, lake: Lake, show: Callable[[str], None], *targets: str
) -> list[AuditFinding]:
    """Audit a lake and return its findings, sorted.

    Args:
        session: A session of Spark, classic or Connect, with the data source ``amqp``.
        lake: The lake. Its staging folder holds what tasks send to each other.
        show: Called with messages of progress.
        targets: The targets of a migration, of ``rule.TARGETS``.

    Raises:
        TaskFailed: Tables cannot be read, or memory is not enough.
    """
    run = lake.new_run()
    try:
        blobs = BlobFolder(lake.filesystem, lake.scratch(run))
        runner = SparkRunner(session, lake.scratch_place(run), blobs, show)
        with told_in_a_line():
            return audit_lake(lake, runner, targets, count_processors())
    finally:
        lake.abandon(run)
