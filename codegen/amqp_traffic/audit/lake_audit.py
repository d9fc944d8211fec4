"""The audit of a lake: each connection by itself, and all of them together, in one go over the tables."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from ..lake.folder import Lake
from ..tasks.runner import Row, TaskRunner
from .connections import AuditShare
from .finding import AuditFinding
from .fleet.findings import FleetShare, fleet_findings
from .parts import audited_groups, fleet_parts_of, frame_parts_of


def audit_lake(
    lake: Lake, runner: TaskRunner, targets: Collection[str] = (), at_least: int = 1
) -> list[AuditFinding]:
    """Audit a lake.

    Args:
        lake: The lake.
        runner: Runs the tasks.
        targets: What one wants to move to, of ``rule.TARGETS``.
        at_least: So many tasks, if there is enough for that.

    Returns:
        What was found, sorted.
    """
    audited = audited_groups(lake)
    shares, trails = frame_parts_of(audited, at_least)
    facts = fleet_parts_of(audited, shares, shares, at_least)
    consumer = _EitherShare(shares, AuditShare(tuple(targets)), FleetShare())
    results = runner.shuffle("audit", [*trails, *facts], consumer)
    found = [each for findings, _ in results for each in findings]
    found += fleet_findings(lake, runner, [row for _, rows in results for row in rows])
    return sorted(found, key=lambda each: each.order)


@dataclass(frozen=True, slots=True)
class _EitherShare:
    """A share of connections, or of facts about all of them. It is a ``Consumer``.

    Attributes:
        shares: How many of the first there are.
        trails, facts: Who takes what.
    """

    shares: int
    trails: AuditShare
    facts: FleetShare

    def __call__(self, bucket: int, slices: Iterator[Row]) -> tuple[list[AuditFinding], list[dict[str, Any]]]:
        """What is found in connections, and what across them."""
        if bucket < self.shares:
            return self.trails(bucket, slices), []
        return [], self.facts(bucket, slices)
