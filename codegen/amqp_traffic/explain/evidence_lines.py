"""The evidence of findings that are not about one frame: connections, declarations, octets that are not a frame."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from amqp_codegen.api import decode

from ..audit.finding import client_label
from ..lake.folder import Lake
from ..schemas import PACKAGES1
from ..secret_names import may_have_secret
from ..show.lines import NOTE, PLAIN, TIME, Line, date_and_time, short_value, time_of_day
from ..show.octets import WIDTH, hidden_parts, octet_lines, specification_of
from ..variant_values import variant_value
from .finding_lines import ENDS
from .subject import (
    FindingSubject,
    connections_of_capture,
    connections_of_client,
    rows_as_dicts,
    versions_of_product,
)

if TYPE_CHECKING:
    from amqp_codegen.api import Annotation

_CLIENT_RULES = ("connection-churn", "reconnect-storm")
_VERSION_RULE = "client-versions-differ"
_MOST_LINES = 30


def client_lines(lake: Lake, subject: FindingSubject) -> Iterator[Line]:
    """Yield the connections that the finding rests on; nothing if the finding is about one connection."""
    rule = subject.finding.rule_id
    if rule in _CLIENT_RULES:
        rows = connections_of_client(lake, subject)
        yield []
        yield [(f"-- the {len(rows):,} connections of this client in the capture", NOTE)]
        for row in rows[:_MOST_LINES]:
            yield _connection(row)
        if len(rows) > _MOST_LINES:
            yield [(f"   ... {len(rows) - _MOST_LINES:,} more", PLAIN)]
    elif rule == _VERSION_RULE:
        yield []
        yield [("-- the versions of this client library in the capture", NOTE)]
        for row in versions_of_product(lake, subject)[:_MOST_LINES]:
            first = f"the first from {row['client_ip']} at {date_and_time(row['start_ns'])}"
            yield [
                (f"   {row['product']} {row['version']}: {row['connections']:,} connections, {first}", PLAIN)
            ]


def _connection(row: dict[str, Any]) -> Line:
    lasted = (row["end_ns"] - row["start_ns"]) / 1e9
    frames = (row["client_frames"] or 0) + (row["server_frames"] or 0)
    code = row["close_code"] if row["close_code"] is not None else row["close_condition"]
    closed = "" if code is None else f", closed by the {row['close_by'] or 'peer'} with {code}"
    text = f"{row['conn_id']} port {row['client_port']}, {lasted:.3f} s, {frames:,} frames"
    return [
        (f"   {time_of_day(row['start_ns']):15} ", TIME),
        (f"{text}, {ENDS.get(row['end_mode'], 'ends')}{closed}", PLAIN),
    ]


_DECLARATION_RULES = {"queue-declared-differently": "queue", "exchange-declared-differently": "exchange"}
_FLAGS = ("durable", "exclusive", "auto_delete", "internal")


def declaration_lines(lake: Lake, subject: FindingSubject) -> Iterator[Line]:
    """Yield who declares the queue or exchange of the finding, and how; nothing for other findings."""
    finding = subject.finding
    kind = _DECLARATION_RULES.get(finding.rule_id)
    if kind is None:
        return
    columns = ["conn_id", "frame_no", "dir", "ns", "passive", "type", "arguments", kind, *_FLAGS]
    wanted = [("method", "=", f"{kind}.declare")]
    rows = rows_as_dicts(lake, "methods", finding.capture_id, columns, wanted)
    place = finding.conn_id, finding.frame_no
    name = next((row[kind] for row in rows if (row["conn_id"], row["frame_no"]) == place), None)
    if name is None:
        return
    same = [row for row in rows if row[kind] == name and row["dir"] == 0 and not row["passive"]]
    same.sort(key=lambda row: (row["ns"], row["conn_id"], row["frame_no"]))
    clients = {row["conn_id"]: client_label(row) for row in connections_of_capture(lake, subject)}
    yield []
    yield [(f"-- the {len(same):,} declarations of {kind} {short_value(name)} in the capture", NOTE)]
    for row in same[:_MOST_LINES]:
        declared_by = (
            f"{clients.get(row['conn_id'], '?')}, connection {row['conn_id']}, frame {row['frame_no']}"
        )
        yield [(f"   {time_of_day(row['ns']):15} ", TIME), (f"{_settings(row)}: {declared_by}", PLAIN)]
    if len(same) > _MOST_LINES:
        yield [(f"   ... {len(same) - _MOST_LINES:,} more", PLAIN)]


def _settings(row: Mapping[str, Any]) -> str:
    parts = [f"type={row['type']}"] if row["type"] else []
    parts += [f"{flag.replace('_', '-')}={int(row[flag])}" for flag in _FLAGS if row[flag] is not None]
    arguments = row["arguments"]
    value = variant_value((arguments["value"], arguments["metadata"])) if arguments else None
    return " ".join([*parts, *([f"arguments={short_value(value)}"] if value else [])])


MOST_STRAY_OCTETS = 512  # octets that are examined
_HEADER_SIZE = 7
_FRAME_TYPES = (1, 2, 3, 8)
_CONNECTION = (10).to_bytes(2, "big")  # class id


def _without_errors(part: Annotation) -> Annotation:
    """Return a part without its errors: of a frame that is cut off here, they are about the cut and not about the peer."""
    return replace(part, error="", children=tuple(map(_without_errors, part.children)))


def stray_octet_lines(octets: bytes, package: str, dialect: str, bodies: bool) -> Iterator[Line]:
    """Yield the lines of octets of 0-x that stand where a frame should begin.

    Args:
        octets: At most ``MOST_STRAY_OCTETS``.
        package: The generated package of the version.
        dialect: The dialect of field tables; empty for the package's own.
        bodies: Whether bodies may be shown.
    """
    if not octets or not package or package in PACKAGES1:
        return
    if octets[0] not in _FRAME_TYPES or len(octets) < _HEADER_SIZE:
        yield [
            (
                f"      {octets[0]:02x} is not a frame type; what follows is not shown: nobody knows what it is",
                PLAIN,
            )
        ]
        return
    reading = decode(octets, specification_of(package, dialect))
    frame = reading.parts[0]
    is_cut = len(octets) == MOST_STRAY_OCTETS and frame.end == len(octets)
    if is_cut:
        frame = _without_errors(frame)
    is_about_connection = octets[1:3] == b"\0\0" or octets[_HEADER_SIZE:].startswith(_CONNECTION)
    is_secret = is_about_connection or may_have_secret(octets)
    shown = replace(reading, parts=(frame,)).without(hidden_parts(frame, bodies, is_secret))
    yield from octet_lines(shown, WIDTH)
    if len(octets) == MOST_STRAY_OCTETS:
        yield [(f"      only {MOST_STRAY_OCTETS} octets are examined", PLAIN)]
