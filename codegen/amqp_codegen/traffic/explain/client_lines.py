"""What findings about clients rest on: not one frame, but connections."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..show.line import NOTE, PLAIN, TIME, Line, date_and_time, time_of_day
from ..tables.lake import Lake
from .head_lines import ENDS
from .subject import Subject, connections_of_client, versions_of_product

_OF_CLIENT = ("connection-churn", "reconnect-storm")
_VERSIONS = "client-versions-differ"
_MOST = 30  # lines


def client_lines(lake: Lake, subject: Subject) -> Iterator[Line]:
    """Which connections the finding rests on; nothing if it is about what is on one connection."""
    rule = subject.finding.rule_id
    if rule in _OF_CLIENT:
        rows = connections_of_client(lake, subject)
        yield []
        yield [(f"-- the {len(rows):,} connections of this client in the capture", NOTE)]
        for row in rows[:_MOST]:
            yield _connection(row)
        if len(rows) > _MOST:
            yield [(f"   ... {len(rows) - _MOST:,} more", PLAIN)]
    elif rule == _VERSIONS:
        yield []
        yield [("-- the versions of this client library in the capture", NOTE)]
        for row in versions_of_product(lake, subject)[:_MOST]:
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
