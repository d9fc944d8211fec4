"""The audit of a lake, on Spark."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from ..audit.finding import Finding
from ..audit.lake_audit import audit_lake
from ..ingest.target import Target
from ..tables.lake import Lake
from .failure import told_in_a_line
from .runner import SparkRunner


def audit_on_spark(session: Any, lake: Lake, show: Callable[[str], None], *targets: str) -> list[Finding]:
    """Audit connections, and all of them together.

    Args:
        session: Of Spark, classic or Connect, with the data source ``amqp``.
        lake: The lake. What tasks send to others is in its staging folder meanwhile.
        show: Is told how far stages are.
        targets: What one wants to move to, of ``rule.TARGETS``.

    Returns:
        What was found, sorted.

    Raises:
        TaskFailed: Tables cannot be read, or memory is not enough.
    """
    run = lake.new_run()
    try:
        place = Target(lake, run, "audit")
        runner = SparkRunner(session, place.place, place.blobs, show)
        with told_in_a_line():
            return audit_lake(lake, runner, targets, os.cpu_count() or 1)
    finally:
        lake.abandon(run)
