"""The report as one HTML page that needs no network."""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from amqp_codegen.support.page import render_page, shown_visibly
from amqp_codegen.support.wording import counted, noun_for
from markupsafe import Markup

from ..audit.finding import AuditFinding
from ..audit.rule import AuditSeverity
from .charts import WAITS, all_charts
from .contents import ReportContents
from .findings import FoundRules, migration_sheets
from .fixes import fix_of
from .page_data import embedded, page_data, shown_clients, visible_data
from .priorities import PriorityEntry
from .vega import compiled, duration

_TEMPLATE = "traffic_report/report.html.jinja"
_MOST_CLIENTS_PER_RULE = 12
_MOST_NAMED = 4  # of clients that break the same rules
_MOST_LIBRARIES = 100


@dataclass(frozen=True, slots=True)
class Library:
    """The clients of one product and version.

    Attributes:
        name: Product and version.
        clients: The number of clients.
        connections: The number of their connections.
        frames: The number of their frames.
        errors: The number of findings that are errors.
        warnings: The number of findings that are warnings.
    """

    name: str
    clients: int
    connections: int
    frames: int
    errors: int
    warnings: int


def report_page(contents: ReportContents, title: str, library_script: str) -> str:
    """Return the page, with all of its style and script.

    Args:
        contents: The sections.
        title: The heading.
        library_script: The JavaScript of the chart library.
    """
    places = {client.key: place for place, client in enumerate(shown_clients(contents))}
    names = {client.key: client.label for client in contents.clients}
    files = contents.ledger.names

    def named(clients: Mapping[int, int]) -> list[tuple[int, str, int]]:
        ranked = sorted(
            (key for key in clients if key in places), key=lambda key: (-clients[key], places[key])
        )
        return [(places[key], names[key], clients[key]) for key in ranked[:_MOST_CLIENTS_PER_RULE]]

    charts = {name: compiled(chart) for name, chart in all_charts(contents).items()}
    found = contents.found or FoundRules((), {})
    return render_page(
        _TEMPLATE,
        _FILTERS,
        shown_visibly,
        title=title,
        contents=contents,
        found=found,
        charts=charts,
        chart_data=embedded(visible_data(charts)),
        waits=WAITS,
        sheets=migration_sheets(found),
        libraries=libraries(contents),
        severities=list(reversed(AuditSeverity)),
        more_clients=len(contents.clients) - len(places),
        named=named,
        places=places,
        names=names,
        most_named=_MOST_NAMED,
        troubles=troubles,
        tshark=lambda finding: tshark_line(finding, files),
        page_data=embedded(visible_data(page_data(contents))),
        library_script=Markup(library_script),
    )


def libraries(contents: ReportContents) -> list[Library]:
    """Return the libraries, those with most clients first; at most 100."""
    groups: dict[str, list[Any]] = defaultdict(list)
    for client in contents.clients:
        groups[client.library].append(client)
    blames = contents.found.blames if contents.found else {}

    def count(clients: list[Any], severity: AuditSeverity) -> int:
        return sum(blames[client.key].count(severity) for client in clients if client.key in blames)

    rows = [
        Library(
            name,
            len(clients),
            sum(client.connections for client in clients),
            sum(client.frames for client in clients),
            count(clients, AuditSeverity.ERROR),
            count(clients, AuditSeverity.WARNING),
        )
        for name, clients in groups.items()
    ]
    return sorted(rows, key=lambda row: (-row.clients, -row.frames, row.name))[:_MOST_LIBRARIES]


def troubles(entry: PriorityEntry) -> str:
    """Return how many errors and warnings a client or queue has: ``2 errors, 1 warning``."""
    counts = [(entry.errors, "error"), (entry.warnings, "warning")]
    parts = [counted(count, noun) for count, noun in counts if count]
    if not entry.clients:
        parts.append(f"at {counted(entry.weight, 'connection')}")
    return ", ".join(parts)


def tshark_line(finding: AuditFinding, files: Mapping[tuple[str, int], str]) -> str | None:
    """Return the command that shows the packet of a finding; None if the finding has no packet.

    ``files`` are the names of files by capture and number.
    """
    file = files.get((finding.capture_id, finding.file_no or 0))
    if file is None or finding.pkt_no is None:
        return None
    return f"tshark -r {shlex.quote(file)} -Y frame.number=={finding.pkt_no} -V"


def _moment(ns: int | None) -> str:
    """Return a moment in UTC, to the millisecond."""
    if ns is None:
        return ""
    moment = datetime.fromtimestamp(ns // 1_000_000 / 1000, UTC)
    return f"{moment:%Y-%m-%d %H:%M:%S}.{ns // 1_000_000 % 1000:03d}"


def _octets(count: float) -> str:
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if count < 1000 or unit == "TB":
            break
        count /= 1000
    return f"{count:.0f} {unit}" if unit == "B" else f"{count:.3g} {unit}"


_FILTERS: Mapping[str, Callable[..., Any]] = {
    "moment": _moment,
    "duration": duration,
    "fix": fix_of,
    "octets": _octets,
    "counted": counted,
    "noun_for": noun_for,
    "number": lambda count: f"{count:,}",
    "hex_pairs": lambda text: " ".join(text[at : at + 2] for at in range(0, len(text), 2)),
}
