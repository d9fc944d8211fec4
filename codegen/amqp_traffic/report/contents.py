"""The contents of a report, gathered section by section."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from ..audit.finding import AuditFinding
from ..lake.folder import Lake
from .activity import Activities, activities
from .clients import ClientIndex, ClientTotals, ShownConnection
from .findings import FoundRules, found_rules
from .lake_rows import LakeRows
from .ledger import Ledger, QuarantineGroup, ledger, left_out
from .links import Links, links
from .measures import Sizes, Waits, latencies, sizes
from .priorities import Priorities, priorities
from .time_span import TimeSpan, time_span
from .topology import Topology, topology

_MOST_CLIENTS_NAMED = 14  # if there are more, the clients of one library are one box of the topology


class NothingToReport(Exception):
    """The lake is empty."""


@dataclass(frozen=True, slots=True)
class ReportContents:
    """The sections of a report. Mappings with ``int`` keys are by the key of a client.

    Attributes:
        found: The findings; None if there was no audit.
        priorities: Whom to call first; None if there was no audit.
    """

    span: TimeSpan
    ledger: Ledger
    clients: tuple[ClientTotals, ...]
    connections: Mapping[int, list[ShownConnection]]
    found: FoundRules | None
    priorities: Priorities | None
    activities: Activities
    latencies: Mapping[int, Mapping[str, Waits]]
    sizes: Sizes
    topology: Topology
    links: tuple[Links, ...]
    quarantine: tuple[QuarantineGroup, ...]


def gather_contents(lake: Lake, findings: Callable[[], Iterable[AuditFinding]] | None) -> ReportContents:
    """Read the lake for all sections.

    ``findings`` returns the findings of the audit, and is called last; None if there was no audit.

    Raises:
        NothingToReport: The lake has no packets.
        LakeError: The tables cannot be read.
    """
    tables = LakeRows(lake)
    span = time_span(tables)
    if span is None:
        raise NothingToReport("there is no traffic in this lake; amqp-codegen traffic ingest puts some there")
    index = ClientIndex(tables)
    known = {total.key: total for total in index.totals()}
    names = {
        key: client.label if len(known) <= _MOST_CLIENTS_NAMED else client.library
        for key, client in known.items()
    }
    contents = ReportContents(
        span=span,
        ledger=ledger(tables),
        clients=tuple(known.values()),
        connections=index.shown_connections(len(known)),
        activities=activities(tables, index, span, len(known)),
        latencies=latencies(tables, index),
        sizes=sizes(tables),
        topology=topology(tables, index, names.__getitem__),
        links=links(tables, index),
        quarantine=left_out(tables),
        found=None,
        priorities=None,
    )
    if findings is None:
        return contents
    ordered = sorted(findings(), key=lambda finding: finding.order)
    return replace(
        contents, found=found_rules(index, ordered), priorities=priorities(tables, index, known, ordered)
    )
