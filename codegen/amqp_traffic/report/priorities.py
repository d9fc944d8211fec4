"""What is wrong and whom to call first: clients and queues with errors and warnings, the worst first."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from ..audit.catalogue import RULES
from ..audit.connection_frames import CLIENT, SERVER
from ..audit.finding import AuditFinding
from ..audit.rule import AuditRule, AuditSeverity
from ..capture.stream_data import SIDES
from .clients import ClientIndex, ClientTotals
from .lake_rows import LakeRows
from .topology import without_random_part

_MOST_SHOWN = 8  # groups of clients, and queues
_MOST_PROBLEMS = 3  # of a client or queue

# A frame: capture, connection, number.
_Frame: TypeAlias = tuple[str, str, "int | None"]


@dataclass(frozen=True, slots=True)
class BrokenRule:
    """A rule that a client breaks, or that is broken at a queue.

    Attributes:
        rule: The rule, a warning or an error.
        occurrences: How often it is broken.
        first: The first finding.
    """

    rule: AuditRule
    occurrences: int
    first: AuditFinding


@dataclass(frozen=True, slots=True)
class PriorityEntry:
    """Clients or a queue with errors or warnings.

    Attributes:
        name: The name of the queue or the client; of several clients, that of their library.
        clients: The keys of the clients: those of one library that break the same rules. Empty for a queue and for
            brokers.
        problems: The worst, at most three.
        more: The number of its other problems.
        errors: The occurrences of errors.
        warnings: The occurrences of warnings.
        weight: The number of frames or, of a queue, of the connections that have the findings.
    """

    name: str
    clients: tuple[int, ...]
    problems: tuple[BrokenRule, ...]
    more: int
    errors: int
    warnings: int
    weight: int

    @property
    def severity(self) -> AuditSeverity:
        """The severity of the worst problem."""
        return self.problems[0].rule.severity


@dataclass(frozen=True, slots=True)
class Priorities:
    """Whom to call, in this order.

    Attributes:
        clients: The clients, at most eight groups; among them what brokers did, as one entry.
        more_clients: The number of other clients with errors or warnings.
        queues: The queues, at most eight.
        more_queues: The number of other queues with errors or warnings.
    """

    clients: tuple[PriorityEntry, ...]
    more_clients: int
    queues: tuple[PriorityEntry, ...]
    more_queues: int


def priorities(
    tables: LakeRows,
    index: ClientIndex,
    clients: Mapping[int, ClientTotals],
    findings: Sequence[AuditFinding],
) -> Priorities:
    """Rank clients and queues: errors before warnings, then by how often, then by their traffic.

    Args:
        tables: The lake, which tells the queues of frames.
        index: The connections.
        clients: The clients by their keys.
        findings: The findings of the audit, sorted.
    """
    serious = [
        finding
        for finding in findings
        if finding.rule_id in RULES and RULES[finding.rule_id].severity is not AuditSeverity.INFO
    ]
    of_brokers = [finding for finding in serious if finding.culprit == SIDES[SERVER]]
    serious = [finding for finding in serious if finding.culprit == SIDES[CLIENT]]
    keys = index.keys_of((finding.capture_id, finding.conn_id) for finding in serious)
    of_client: dict[int, list[AuditFinding]] = defaultdict(list)
    for finding in serious:
        if (key := keys.get((finding.capture_id, finding.conn_id))) is not None:
            of_client[key].append(finding)
    alike: dict[tuple[str, frozenset[str]], list[int]] = defaultdict(list)
    for key, own in of_client.items():
        alike[clients[key].library, frozenset(finding.rule_id for finding in own)].append(key)
    of_queue: dict[str, list[AuditFinding]] = defaultdict(list)
    queues = queues_of(
        tables, ((finding.capture_id, finding.conn_id, finding.frame_no) for finding in serious)
    )
    for finding in serious:
        if queue := queues.get((finding.capture_id, finding.conn_id, finding.frame_no)):
            of_queue[queue].append(finding)
    broker = [_entry("The broker", (), of_brokers, len(of_brokers))] if of_brokers else []
    ranked_clients = _ranked(
        _entry(
            clients[group[0]].label if len(group) == 1 else library,
            tuple(sorted(group, key=lambda key: (-clients[key].frames, clients[key].label))),
            [finding for key in group for finding in of_client[key]],
            sum(clients[key].frames for key in group),
        )
        for (library, _), group in alike.items()
    )
    ranked_clients = _ranked((*ranked_clients, *broker))
    ranked_queues = _ranked(
        _entry(name, (), own, len({(finding.capture_id, finding.conn_id) for finding in own}))
        for name, own in of_queue.items()
    )
    return Priorities(
        ranked_clients[:_MOST_SHOWN],
        sum(len(client.clients) for client in ranked_clients[_MOST_SHOWN:]),
        ranked_queues[:_MOST_SHOWN],
        max(0, len(ranked_queues) - _MOST_SHOWN),
    )


def _entry(
    name: str, clients: tuple[int, ...], findings: Iterable[AuditFinding], weight: int
) -> PriorityEntry:
    occurrences: Counter[str] = Counter()
    severities: Counter[AuditSeverity] = Counter()
    firsts: dict[str, AuditFinding] = {}
    for finding in findings:
        occurrences[finding.rule_id] += finding.occurrences
        severities[RULES[finding.rule_id].severity] += finding.occurrences
        firsts.setdefault(finding.rule_id, finding)
    ranked = sorted(occurrences, key=lambda rule: (-RULES[rule].severity.rank, -occurrences[rule], rule))
    problems = tuple(
        BrokenRule(RULES[rule], occurrences[rule], firsts[rule]) for rule in ranked[:_MOST_PROBLEMS]
    )
    counts = severities[AuditSeverity.ERROR], severities[AuditSeverity.WARNING]
    return PriorityEntry(name, clients, problems, len(ranked) - len(problems), *counts, weight)


def _ranked(entries: Iterable[PriorityEntry]) -> tuple[PriorityEntry, ...]:
    return tuple(
        sorted(
            entries,
            key=lambda entry: (-entry.errors, -entry.warnings, -entry.weight, entry.name, entry.clients),
        )
    )


_NUMBERED = ("conn_id", "frame_no")


def queues_of(tables: LakeRows, frames: Iterable[_Frame]) -> Mapping[_Frame, str]:
    """Return the names of the queues that frames are about: named in a method, or where a message came from or went to."""
    wanted = {frame for frame in frames if frame[2] is not None}
    if not wanted:
        return {}
    conn_ids = pa.array(sorted({conn_id for _, conn_id, _ in wanted}), pa.string())
    numbers = pa.array(sorted({number for _, _, number in wanted if number is not None}), pa.int64())
    queues: dict[_Frame, str] = {}
    for table, columns in (
        ("methods", ("queue",)),
        ("messages", ("exchange", "routing_key", "queue_inferred")),
    ):
        for group in tables.groups(table, [*_NUMBERED, *columns]):
            rows = group.rows
            is_near = pc.and_(
                pc.is_in(rows["frame_no"], value_set=numbers), pc.is_in(rows["conn_id"], value_set=conn_ids)
            )
            for row in rows.filter(is_near).to_pylist():
                frame = group.capture_id, row["conn_id"], row["frame_no"]
                if frame in wanted and (queue := _queue(row)):
                    queues[frame] = queue
    return dict(zip(queues, without_random_part(list(queues.values())), strict=True))


def _queue(row: Mapping[str, Any]) -> str | None:
    """Return the queue in a row of ``methods`` or ``messages``; None if it has none."""
    if "queue" in row:
        return row["queue"] or None
    if row["queue_inferred"]:
        return str(row["queue_inferred"])
    return row["routing_key"] if row["exchange"] == "" else None
