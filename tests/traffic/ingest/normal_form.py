"""Tables without what says where in which files something is, and how the capture is called."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from .lake_tables import Ingested, Rows

# Where it is.
POINTERS = ("capture_id", "file_no", "pkt_no", "pkt_off", "file_off")
# When it was captured, and as which of the frames of both directions.
ORDER = ("frame_no", "ns", "ts", "request_frame_no", "reply_frame_no")


def normal_form(ingested: Ingested, *more: str) -> dict[str, Rows]:
    """The rows of all tables but those about files; connections have names that do not depend on the capture.

    Args:
        ingested: The tables.
        more: Other columns that are left out.
    """
    left_out = {*POINTERS, *more}
    names = _names(ingested["connections"])
    return {
        table: [
            {name: names.get(value, value) for name, value in _hashable(row).items() if name not in left_out}
            for row in rows
        ]
        for table, rows in ingested.tables.items()
        if table != "captures"
    }


def _names(connections: Rows) -> dict[Any, str]:
    found: Counter[tuple[Any, ...]] = Counter()
    names: dict[Any, str] = {}
    for row in sorted(connections, key=lambda row: row["start_ns"]):
        ends = row["client_ip"], row["client_port"], row["server_ip"], row["server_port"]
        names[row["conn_id"]] = f"{ends} {found[ends]}"
        found[ends] += 1
    return names


def _hashable(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: value if isinstance(value, (str, bytes, int, float, type(None))) else repr(value)
        for name, value in row.items()
    }
