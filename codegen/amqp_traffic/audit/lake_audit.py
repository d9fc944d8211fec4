"""The audit of a lake in one pass over its tables, and how it runs: on the processors of this machine, or on Spark."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from tempfile import TemporaryDirectory
from typing import Any

from amqp_codegen.support.processors import count_processors
from pyarrow import fs

from ..lake.folder import Lake
from ..tasks.blobs import BlobFolder
from ..tasks.processes import processes
from ..tasks.runner import InProcess, Row, TaskRunner
from .finding import AuditFinding
from .fleet.findings import FleetShare, fleet_findings
from .tasks import AuditShare, audited_groups, count_rows, fleet_parts_of, trail_parts_of


def audit_lake(
    lake: Lake, runner: TaskRunner, targets: Collection[str] = (), at_least: int = 1
) -> list[AuditFinding]:
    """Audit a lake and return its findings, sorted.

    ``targets`` are those of a migration, of ``rule.TARGETS``; ``at_least`` is the smallest number of tasks, if there are
    enough rows.
    """
    audited = audited_groups(lake)
    connection_shares, trails = trail_parts_of(audited, at_least)
    facts = fleet_parts_of(audited, connection_shares, at_least)
    consumer = _EitherShare(connection_shares, AuditShare(tuple(targets)), FleetShare())
    results = runner.shuffle("audit", [*trails, *facts], consumer)
    all_findings = [finding for findings, _ in results for finding in findings]
    all_findings += fleet_findings(lake, runner, [row for _, rows in results for row in rows])
    return sorted(all_findings, key=lambda finding: finding.order)


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


_MOST_ROWS_IN_PROCESS = 20_000  # up to here, starting processes takes longer than the work
_MOST_LOCAL_ROWS = 16_000_000  # above, Spark is faster
_MODULES = ("amqp_traffic.audit.preload",)


def is_large(lake: Lake) -> bool:
    """Return whether a lake should be audited on Spark."""
    return count_rows(lake) > _MOST_LOCAL_ROWS


def audit_here(lake: Lake, show: Callable[[str], None], *targets: str) -> list[AuditFinding]:
    """Audit a lake in bounded memory and return its findings, sorted.

    Args:
        lake: The lake. Nothing is written into it: what tasks send to each other is in a temporary folder.
        show: Called with messages of progress.
        targets: The targets of a migration, of ``rule.TARGETS``.

    Raises:
        TaskFailed: Tables cannot be read, or memory is not enough.
    """
    if count_rows(lake) <= _MOST_ROWS_IN_PROCESS:
        return audit_lake(lake, InProcess(), targets)
    with (
        TemporaryDirectory(prefix="amqp-audit-") as folder,
        processes(BlobFolder(fs.LocalFileSystem(), folder), show, _MODULES) as runner,
    ):
        return audit_lake(lake, runner, targets, count_processors())


def audit_on_spark(
    session: Any, lake: Lake, show: Callable[[str], None], *targets: str
) -> list[AuditFinding]:
    """Audit a lake on Spark and return its findings, sorted.

    Args:
        session: A session of Spark, classic or Connect, with the data source ``amqp``.
        lake: The lake. Nothing is written into it.
        show: Called with messages of progress.
        targets: The targets of a migration, of ``rule.TARGETS``.

    Raises:
        TaskFailed: Tables cannot be read, or memory is not enough.
    """
    from ..tasks.spark.runner import SparkRunner, told_in_a_line

    with told_in_a_line():
        return audit_lake(lake, SparkRunner(session, show), targets, count_processors())
