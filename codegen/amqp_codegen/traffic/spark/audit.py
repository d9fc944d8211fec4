"""The audit of a lake, on Spark."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..audit.connections import audit_connections
from ..audit.finding import Finding
from ..ingest.target import Target
from ..tables.lake import Lake
from .audit_fleet import audit_fleet
from .runner import SparkRunner


def audit_on_spark(
    session: Any, lake: Lake, show: Callable[[str], None], target: str | None = None, tasks: int = 1
) -> list[Finding]:
    """Audit connections, and all of them together.

    Args:
        session: Of Spark, classic or Connect, with the data source ``amqp``.
        lake: The lake. What tasks send to others is in its staging folder meanwhile.
        show: Is told how far stages are.
        target: What one wants to move to, of ``rule.TARGETS``.
        tasks: How many tasks audit connections, at least.

    Returns:
        What was found, sorted.
    """
    run = lake.new_run()
    try:
        place = Target(lake, run, "audit")
        runner = SparkRunner(session, place.place, place.blobs, show)
        found = audit_connections(lake, runner, target, tasks)
    finally:
        lake.abandon(run)
    show("all connections together")
    found += audit_fleet(session, lake)
    return sorted(found, key=lambda each: each.order)
