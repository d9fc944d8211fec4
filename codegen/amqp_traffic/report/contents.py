"""All that a report says, gathered section by section."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from ..audit.finding import AuditFinding
from .activity import Activity, activity, activity_by_client
from .clients import ClientTotals, clients
from .connections import ShownConnection, shown_connections
from .found_rules import FindingTotals, found_rules
from .gather import Ask
from .latencies import Waits, latencies
from .ledger import Ledger, ledger
from .links import Links, links
from .quarantine import QuarantineTotals, left_out
from .sizes import Sizes, sizes
from .time_span import TimeSpan, time_span
from .topology import Topology, topology

# So many queries at once: most of the time of a small one is Spark's planning, on one core.
_AT_ONCE = 4
_MOST_NAMED = 14  # clients; if there are more, those of one library are one box of the topology


class NothingToReport(Exception):
    """There is nothing in the lake."""


@dataclass(frozen=True, slots=True)
class ReportContents:
    """The sections. What is about clients is by their keys.

    Attributes:
        found: The findings; None if there was no audit.
    """

    span: TimeSpan
    ledger: Ledger
    clients: tuple[ClientTotals, ...]
    connections: Mapping[int, list[ShownConnection]]
    found: FindingTotals | None
    activity: Activity
    client_activity: Mapping[int, Activity]
    latencies: Mapping[int, Mapping[str, Waits]]
    sizes: Sizes
    topology: Topology
    links: tuple[Links, ...]
    quarantine: tuple[QuarantineTotals, ...]


def gather_contents(ask: Ask, findings: Iterable[AuditFinding] | None) -> ReportContents:
    """Asks for everything.

    Args:
        ask: The tables of a lake; is called from several threads.
        findings: What the audit found in it; None if there was none.

    Raises:
        NothingToReport: The lake has no packets.
        QueryError: Its tables cannot be read.
    """
    span = time_span(ask)
    if span is None:
        raise NothingToReport
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        everybody = pool.submit(clients, ask)
        all_activity = pool.submit(activity, ask, span)
        waits = pool.submit(latencies, ask)
        all_sizes = pool.submit(sizes, ask)
        known = {each.key: each for each in everybody.result()}
        names = {
            key: each.label if len(known) <= _MOST_NAMED else each.library for key, each in known.items()
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
