"""What findings about declarations rest on: all of them, of one queue or exchange."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..audit.finding import client_label
from ..core.variant_value import variant_value
from ..show.line import NOTE, PLAIN, TIME, Line, time_of_day
from ..show.values import shown
from ..tables.lake import Lake
from .lake_rows import rows_as_dicts
from .subject import Subject, connections_of_capture

_KINDS = {"queue-declared-differently": "queue", "exchange-declared-differently": "exchange"}
_FLAGS = ("durable", "exclusive", "auto_delete", "internal")
_MOST = 30  # lines


def declaration_lines(lake: Lake, subject: Subject) -> Iterator[Line]:
    """Who declares the queue or the exchange of the finding, and how; nothing if it is about something else."""
    finding = subject.finding
    kind = _KINDS.get(finding.rule_id)
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
    yield [(f"-- the {len(same):,} declarations of {kind} {shown(name)} in the capture", NOTE)]
    for row in same[:_MOST]:
        who = f"{clients.get(row['conn_id'], '?')}, connection {row['conn_id']}, frame {row['frame_no']}"
        yield [(f"   {time_of_day(row['ns']):15} ", TIME), (f"{_settings(row)}: {who}", PLAIN)]
    if len(same) > _MOST:
        yield [(f"   ... {len(same) - _MOST:,} more", PLAIN)]


def _settings(row: Mapping[str, Any]) -> str:
    parts = [f"type={row['type']}"] if row["type"] else []
    parts += [f"{flag.replace('_', '-')}={int(row[flag])}" for flag in _FLAGS if row[flag] is not None]
    arguments = row["arguments"]
    value = variant_value((arguments["value"], arguments["metadata"])) if arguments else None
    return " ".join([*parts, *([f"arguments={shown(value)}"] if value else [])])
