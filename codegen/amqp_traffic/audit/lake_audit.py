"""The audit of a lake: each connection by itself, and all of them together, in one pass over the tables."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from ..lake.folder import Lake
from ..tasks.runner import Row, TaskRunner
from .finding import AuditFinding
from .fleet.findings import FleetShare, fleet_findings
from .tasks import AuditShare, audited_groups, fleet_parts_of, trail_parts_of


def audit_lake(
    lake: Lake, runner: TaskRunner, targets: Collection[str] = (), at_least: int = 1
) -> list[AuditFinding]:
    """Audit a lake and return its findings, sorted.

    Args:
        lake: The lake.
        runner: Runs the tasks.
        targets: The targets of a migration, of ``rule.TARGETS``.
        at_least: The smallest number of tasks, if there are enough rows.
    """
    audited = audited_groups(lake)
    shares, trails = trail_parts_of(audited, at_least)
    facts = fleet_parts_of(audited, shares, shares, at_least)
    consumer = _EitherShare(shares, AuditShare(tuple(targets)), FleetShare())
    results = runner.shuffle("audit", [*trails, *facts], consumer)
    all_findings = [each for findings, _ in results for each in findings]
    all_findings += fleet_findings(lake, runner, [row for _, rows in results for row in rows])
    return sorted(all_findings, key=lambda each: each.order)


@dataclass(frozen=True, slots=True)
class _EitherShare:
    """A ``Consumer`` of shares of connections, and of shares of facts about all of them.

    Attributes:
        shares: The number of shares of connections, which come first.
        trails, facts: The consumers of both.
    """

    shares: int
    trails: AuditShare
    facts: FleetShare

    def __call__(self, bucket: int, slices: Iterator[Row]) -> tuple[list[AuditFinding], list[dict[str, Any]]]:
        """Return the findings in connections, and the rows found across them."""
        if bucket < self.shares:
            return self.trails(bucket, slices), []
        return [], self.facts(bucket, slices)
