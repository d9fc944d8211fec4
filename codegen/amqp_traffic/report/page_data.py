"""The data for the script of the page: clients, latencies and links as rows; repeated names are numbers.

Rows are lists, so that a page of thousands stays small. ``RowNames`` has the names of their values, once for each kind of
row; the script makes records of them (``record`` in grid.js).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, TypeAlias

from amqp_codegen.support.wording import visible_lines
from markupsafe import Markup

from ..audit.finding import AuditFinding
from ..audit.rule import AuditSeverity
from .clients import MOST_CLIENTS, ClientTotals, ShownConnection
from .contents import ReportContents
from .findings import Blame, FoundRules
from .links import Links
from .measures import KINDS, Waits

Json: TypeAlias = Any

# The events in a timeline, by what the page calls them.
_EVENTS = {
    "published": "publish",
    "delivered": "deliver",
    "acknowledged": "ack",
    "confirmed": "confirm",
    "returned": "return",
}
_MOST_EVIDENCE_CHARACTERS = 120
_MOST_EXAMPLES, _LEAST_EXAMPLES_PER_CLIENT = 4000, 1
_NO_BLAME = Blame({}, ())


class RowNames:
    """The names of the values of rows.

    Attributes:
        by_kind: The names, by kind of row.
    """

    def __init__(self) -> None:
        self.by_kind: dict[str, list[str]] = {}

    def row(self, kind: str, **values: Json) -> list[Json]:
        """Return the values of a row; all rows of a kind have the same names."""
        if self.by_kind.setdefault(kind, list(values)) != list(values):
            raise ValueError(f"other values of {kind}: {', '.join(values)}")
        return list(values.values())


def embedded(value: Json) -> Markup:
    """Return JSON that is safe in any element of a page: nothing in it ends the element."""
    text = json.dumps(value, separators=(",", ":"), allow_nan=False)
    # json.dumps has escaped everything that is not ASCII.
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))


def visible_data(value: Json) -> Json:
    """Return a value whose texts have no characters that act instead of being seen: the script puts them into the page."""
    if isinstance(value, str):
        return visible_lines(value)
    if isinstance(value, dict):
        return {visible_data(key): visible_data(inner) for key, inner in value.items()}
    return [visible_data(inner) for inner in value] if isinstance(value, (list, tuple)) else value


def shown_clients(contents: ReportContents) -> list[ClientTotals]:
    """Return the clients that the page shows, those with the most severe findings and the most frames first."""
    blames = contents.found.blames if contents.found else {}

    def rank(client: ClientTotals) -> tuple[int, ...]:
        blame = blames.get(client.key, _NO_BLAME)
        return (
            *(-blame.count(severity) for severity in (AuditSeverity.ERROR, AuditSeverity.WARNING)),
            -client.frames,
        )

    return sorted(contents.clients, key=rank)[:MOST_CLIENTS]


def page_data(contents: ReportContents) -> Json:
    """Return the data for the script."""
    shown = shown_clients(contents)
    places = {client.key: place for place, client in enumerate(shown)}
    found = contents.found or FoundRules((), {})
    rules = {rule.rule.id: number for number, rule in enumerate(found.rules)}
    blames = [found.blames.get(client.key, _NO_BLAME) for client in shown]
    examples = max(_LEAST_EXAMPLES_PER_CLIENT, _MOST_EXAMPLES // max(len(found.blames), 1))
    span = contents.span
    step = next((activity.step for activity in contents.activities.by_client.values()), span.step(1))
    names = RowNames()
    return {
        "first": span.first_ns / 1e6,
        "step": step / 1e6,
        "parts": (span.end_ns - span.first_ns) // step + 1,
        "pauses": [
            names.row("pauses", start=_since(contents, pause.start_ns), length=pause.length / 1e6)
            for pause in span.pauses
        ],
        "rules": list(rules),
        "severities": [rule.rule.severity.value for rule in found.rules],
        "clients": [
            _client(names, client, contents, blame, rules)
            for client, blame in zip(shown, blames, strict=True)
        ],
        "connections": [
            [
                _connection(names, connection, contents)
                for connection in contents.connections.get(client.key, ())
            ]
            for client in shown
        ],
        "activity": [_activity(names, contents, client) for client in shown],
        "findings": [
            [_example(names, finding, rules, contents) for finding in blame.examples[:examples]]
            for blame in blames
        ],
        "files": [
            names.row("files", capture=capture, number=number, name=name)
            for (capture, number), name in sorted(contents.ledger.names.items())
        ],
        "links": [_link(names, links, places[links.key]) for links in contents.links if links.key in places],
        "names": names.by_kind,
    }


def _client(
    names: RowNames, client: ClientTotals, contents: ReportContents, blame: Blame, rules: Mapping[str, int]
) -> Json:
    activity = contents.activities.by_client.get(client.key)
    published, delivered = (activity.total(event) if activity else 0 for event in ("publish", "deliver"))
    waits = contents.latencies.get(client.key, {})
    return names.row(
        "clients",
        label=client.label,
        library=client.library,
        name=client.connection_name,
        user=client.user,
        vhost=client.vhost,
        address=client.client_ip,
        protocol=client.protocol,
        connections=client.connections,
        frames=client.frames,
        bytes=client.bytes_sent + client.bytes_received,
        published=round(published / contents.span.seconds, 3),
        delivered=round(delivered / contents.span.seconds, 3),
        error=blame.count(AuditSeverity.ERROR),
        warning=blame.count(AuditSeverity.WARNING),
        info=blame.count(AuditSeverity.INFO),
        deprecated=blame.deprecated,
        blockers=blame.blockers,
        failed=client.closed_by_error,
        unclean=client.closed_uncleanly,
        rules=sorted(
            names.row("client_rules", rule=rules[rule], times=times) for rule, times in blame.rules.items()
        ),
        waits=[_waits(names, waits.get(kind)) for kind in KINDS],
        platform=client.platform,
    )


def _connection(names: RowNames, connection: ShownConnection, contents: ReportContents) -> Json:
    return names.row(
        "connections",
        id=connection.conn_id,
        start=_since(contents, connection.start_ns),
        end=_since(contents, connection.end_ns),
        mid_stream=connection.start_mode == "mid-stream",
        ending=connection.end,
        frames=connection.frames,
    )


def _link(names: RowNames, links: Links, client: int) -> Json:
    """Return the row of the links of a client: what ``Links`` says, under its names."""
    counts = asdict(links)
    del counts["key"]
    role = "receiver" if counts.pop("receives") else "sender"
    return names.row("links", client=client, role=role, **counts)


def _since(contents: ReportContents, ns: int) -> float:
    """Return the milliseconds since the beginning of the capture."""
    return round((ns - contents.span.first_ns) / 1e6, 3)


def _waits(names: RowNames, waits: Waits | None) -> Json:
    """Return waiting times in milliseconds."""
    if waits is None:
        return None
    p50, p95, p99, most = (float(f"{ns / 1e6:.4g}") for ns in (waits.p50, waits.p95, waits.p99, waits.most))
    return names.row("waits", count=waits.times, p50=p50, p95=p95, p99=p99, longest=most)


def _activity(names: RowNames, contents: ReportContents, client: ClientTotals) -> Json:
    """Return the activity of a client, by event: part, times, part, times ..."""
    activity = contents.activities.by_client.get(client.key)
    times = activity.times if activity else {}
    return names.row(
        "activity",
        **{
            name: [n for pair in sorted(times.get(event, {}).items()) for n in pair]
            for name, event in _EVENTS.items()
        },
    )


def _example(
    names: RowNames, finding: AuditFinding, rules: Mapping[str, int], contents: ReportContents
) -> Json:
    return names.row(
        "findings",
        id=finding.finding_id,
        rule=rules[finding.rule_id],
        connection=finding.conn_id,
        time=_since(contents, finding.ns) if finding.ns is not None else None,
        channel=finding.channel,
        direction=finding.dir,
        frame=finding.frame_no,
        packet=finding.pkt_no,
        file=finding.file_no,
        count=finding.occurrences,
        evidence=finding.evidence[:_MOST_EVIDENCE_CHARACTERS],
        capture=finding.capture_id,
    )
