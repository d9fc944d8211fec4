"""The connections of each client that are drawn in its timeline."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from .gather import CLIENT, Ask

_ALL = 10000  # in a page
_MOST, _LEAST = 40, 2  # of a client

_QUERY = """
SELECT key, conn_id, start_ns, end_ns, start_mode, end_mode, close_code, close_condition, frames FROM (
  SELECT {client} AS key, c.conn_id, c.start_ns, c.end_ns, c.start_mode, c.end_mode, c.close_code, c.close_condition,
    coalesce(c.client_frames + c.server_frames, 0) AS frames,
    row_number() OVER (PARTITION BY {client} ORDER BY c.start_ns, c.conn_id) AS place
  FROM connections c
) WHERE place <= {most} ORDER BY key, start_ns, conn_id
"""


@dataclass(frozen=True, slots=True)
class ShownConnection:
    """A connection: columns of that table.

    Attributes:
        end: How it ended, in a word or two.
        frames: In both directions.
    """

    conn_id: str
    start_ns: int
    end_ns: int
    start_mode: str
    end: str
    frames: int


def shown_connections(ask: Ask, clients: int) -> Mapping[int, list[ShownConnection]]:
    """The first connections of each client, by its key.

    Args:
        ask: The tables.
        clients: How many there are: the more, the fewer connections of each.
    """
    most = max(_LEAST, min(_MOST, _ALL // max(clients, 1)))
    found: dict[int, list[ShownConnection]] = defaultdict(list)
    for row in ask(_QUERY.format(client=CLIENT, most=most)):
        end = str(row["close_condition"] or row["close_code"] or row["end_mode"])
        found[row["key"]].append(
            ShownConnection(
                row["conn_id"], row["start_ns"], row["end_ns"], row["start_mode"], end, row["frames"]
            )
        )
    return found
