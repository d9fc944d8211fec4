"""The data for the script of the page: clients, latencies and links as rows; repeated names are numbers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from amqp_codegen.support.wording import visible_lines
from markupsafe import Markup

from ..audit.finding import AuditFinding
from ..audit.rule import AuditSeverity
from .clients import MOST_CLIENTS, ClientTotals, ShownConnection
from .contents import ReportContents
from .findings import Blame
from .links import Links
from .measures import KINDS, Waits

Json: TypeAlias = Any

_EVENTS = ("publish", "deliver", "ack", "confirm", "return")
_MOST_EVIDENCE_CHARACTERS = 120
_MOST_EXAMPLES, _LEAST_EXAMPLES_PER_CLIENT = 4000, 1
_NO_BLAME = Blame({}, ())
_LINK_COUNTS = ("links", "messages", "octets", "flows", "most_credit", "no_credit", "drains", "unsettled")


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
            *(-blame.count(each) for each in (AuditSeverity.ERROR, AuditSeverity.WARNING)),
            -client.frames,
        )

    return sorted(contents.clients, key=rank)[:MOST_CLIENTS]


def page_data(contents: ReportContents) -> Json:
    """Return the data for the script."""
    shown = shown_clients(contents)
    places = {client.key: place for place, client in enumerate(shown)}
    blames = contents.found.blames if contents.found else {}
    rules = [each.rule.id for each in contents.found.rules] if contents.found else []
    numbers = {rule: number for number, rule in enumerate(rules)}
    examples = max(_LEAST_EXAMPLES_PER_CLIENT, _MOST_EXAMPLES // max(len(blames), 1))
    span = contents.span
    step = next((each.step for each in contents.activities.by_client.values()), span.step(1))
    return {
        "first": span.first_ns / 1e6,
        "step": step / 1e6,
        "parts": (span.end_ns - span.first_ns) // step + 1,
        "pauses": [[_since(contents, pause.start_ns), pause.length / 1e6] for pause in span.pauses],
        "rules": rules,
        "severities": [each.rule.severity.value for each in contents.found.rules] if contents.found else [],
        "clients": [_client(each, contents, blames.get(each.key, _NO_BLAME), numbers) for each in shown],
        "connections": [
            [_connection(each, contents) for each in contents.connections.get(client.key, ())]
            for client in shown
        ],
        "activity": [_activity(contents, client) for client in shown],
        "findings": [
            [
                _example(each, numbers, contents)
                for each in blames.get(client.key, _NO_BLAME).examples[:examples]
            ]
            for client in shown
        ],
        "files": [
            [capture, number, name] for (capture, number), name in sorted(contents.ledger.names.items())
        ],
        "links": [_link(each, places[each.key]) for each in contents.links if each.key in places],
    }


def _client(
    client: ClientTotals, contents: ReportContents, blame: Blame, numbers: Mapping[str, int]
) -> Sequence[Json]:
    """Return the row of a client, in the order of ``CLIENT`` in grids.js."""
    activity = contents.activities.by_client.get(client.key)
    published, delivered = (activity.total(event) if activity else 0 for event in ("publish", "deliver"))
    waits = contents.latencies.get(client.key, {})
    return [
        client.label,
        client.library,
        client.connection_name,
        client.user,
        client.vhost,
        client.client_ip,
        client.protocol,
        client.connections,
        client.frames,
        client.bytes_sent + client.bytes_received,
        round(published / contents.span.seconds, 3),
        round(delivered / contents.span.seconds, 3),
        *(blame.count(each) for each in (AuditSeverity.ERROR, AuditSeverity.WARNING, AuditSeverity.INFO)),
        blame.deprecated,
        blame.blockers,
        client.closed_by_error,
        client.closed_uncleanly,
        sorted([numbers[rule], times] for rule, times in blame.rules.items()),
        [_waits(waits.get(kind)) for kind in KINDS],
        client.platform,
    ]


def _connection(connection: ShownConnection, contents: ReportContents) -> Json:
    start, end = (_since(contents, ns) for ns in (connection.start_ns, connection.end_ns))
    is_late = connection.start_mode == "mid-stream"
    return [connection.conn_id, start, end, is_late, connection.end, connection.frames]


def _link(link: Links, client: int) -> Json:
    """Return the row of the links of a client, in the order of the columns in grids.js."""
    role = "receiver" if link.receives else "sender"
    return [client, link.address, role, *(getattr(link, name) for name in _LINK_COUNTS)]


def _since(contents: ReportContents, ns: int) -> float:
    """Return the milliseconds since the beginning of the capture."""
    return round((ns - contents.span.first_ns) / 1e6, 3)


def _waits(waits: Waits | None) -> Json:
    """Return waiting times in milliseconds."""
    if waits is None:
        return None
    return [
        waits.times,
        *(float(f"{ns / 1e6:.4g}") for ns in (waits.p50, waits.p95, waits.p99, waits.most)),
    ]


def _activity(contents: ReportContents, client: ClientTotals) -> Json:
    """Return the activity of a client, by event: part, times, part, times ..."""
    activity = contents.activities.by_client.get(client.key)
    if activity is None:
        return []
    return [[n for pair in sorted(activity.times.get(event, {}).items()) for n in pair] for event in _EVENTS]


def _example(finding: AuditFinding, numbers: Mapping[str, int], contents: ReportContents) -> Json:
    return [
        finding.finding_id,
        numbers[finding.rule_id],
        finding.conn_id,
        _since(contents, finding.ns) if finding.ns is not None else None,
        finding.channel,
        finding.dir,
        finding.frame_no,
        finding.pkt_no,
        finding.file_no,
        finding.occurrences,
        finding.evidence[:_MOST_EVIDENCE_CHARACTERS],
        finding.capture_id,
    ]
