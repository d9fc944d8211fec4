"""The contents of a report, gathered section by section."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from ..audit.finding import AuditFinding
from .activity import Activity, activity, activity_by_client
from .clients import ClientTotals, ShownConnection, clients, shown_connections
from .findings import FoundRules, found_rules
from .ledger import Ledger, QuarantineGroup, ledger, left_out
from .measures import Sizes, Waits, latencies, sizes
from .queries import Ask, TimeSpan, time_span
from .topology import Links, Topology, links, topology

_PARALLEL_QUERIES = 4  # Spark plans a query on one core, and that is most of the time of a small one
_MOST_CLIENTS_NAMED = 14  # if there are more, the clients of one library are one box of the topology


class NothingToReport(Exception):
    """The lake is empty."""


@dataclass(frozen=True, slots=True)
class ReportContents:
    """The sections of a report. Mappings with ``int`` keys are by the key of a client.

    Attributes:
        found: The findings; None if there was no audit.
    """

    span: TimeSpan
    ledger: Ledger
    clients: tuple[ClientTotals, ...]
    connections: Mapping[int, list[ShownConnection]]
    found: FoundRules | None
    activity: Activity
    client_activity: Mapping[int, Activity]
    latencies: Mapping[int, Mapping[str, Waits]]
    sizes: Sizes
    topology: Topology
    links: tuple[Links, ...]
    quarantine: tuple[QuarantineGroup, ...]


def gather_contents(ask: Ask, findings: Iterable[AuditFinding] | None) -> ReportContents:
    """Query the lake for all sections.

    Args:
        ask: Queries the lake; called from several threads.
        findings: The findings of the audit; None if there was no audit.

    Raises:
        NothingToReport: The lake has no packets.
        QueryError: The tables cannot be read.
    """
    span = time_span(ask)
    if span is None:
        raise NothingToReport
    with ThreadPoolExecutor(_PARALLEL_QUERIES) as pool:
        everybody = pool.submit(clients, ask)
        all_activity = pool.submit(activity, ask, span)
        waits = pool.submit(latencies, ask)
        all_sizes = pool.submit(sizes, ask)
        known = {each.key: each for each in everybody.result()}
        names = {
            key: each.label if len(known) <= _MOST_CLIENTS_NAMED else each.library
            for key, each in known.items()
        }
        by_client = pool.submit(activity_by_client, ask, span, len(known))
        shown = pool.submit(shown_connections, ask, len(known))
        flows = pool.submit(topology, ask, names.__getitem__)
        all_links, read, lost = pool.submit(links, ask), pool.submit(ledger, ask), pool.submit(left_out, ask)
        return ReportContents(
            span,
            read.result(),
            tuple(known.values()),
            shown.result(),
            None if findings is None else found_rules(ask, findings),
            all_activity.result(),
            by_client.result(),
            waits.result(),
            all_sizes.result(),
            flows.result(),
            all_links.result(),
            lost.result(),
        )
