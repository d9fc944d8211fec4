"""The clients: who they are, their connections, frames and octets, and the connections in their timelines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from .queries import CLIENT, CLIENT_FACTS, Ask

MOST_CLIENTS = 5000

_CLIENTS = f"""
SELECT {CLIENT} AS key, {", ".join(f"any_value(c.`{name}`) AS `{name}`" for name in CLIENT_FACTS)},
  any_value(c.platform) AS platform, count(*) AS connections,
  coalesce(sum(c.client_frames + c.server_frames), 0) AS frames,
  coalesce(sum(c.client_bytes_wire), 0) AS bytes_sent, coalesce(sum(c.server_bytes_wire), 0) AS bytes_received,
  count_if(c.close_code >= 300 OR c.close_condition IS NOT NULL) AS closed_by_error,
  count_if(c.end_mode <> 'open' AND c.package IS NOT NULL AND c.close_by IS NULL) AS closed_uncleanly,
  min(c.start_ns) AS first_ns, max(c.end_ns) AS last_ns
FROM connections c GROUP BY key
ORDER BY frames DESC, first_ns, key
"""


@dataclass(frozen=True, slots=True)
class ClientTotals:
    """A client: connections with the same product, version, name, user and address.

    Attributes:
        key: A number for the client, the same in all queries.
        product: As in ``connections``, like the attributes that follow; None if the capture does not tell.
        connections: The number of its connections.
        frames: Frames in both directions.
        bytes_sent: Octets from the client.
        bytes_received: Octets to the client.
        closed_by_error: Connections that ended with an error of either side.
        closed_uncleanly: Connections that ended without a close.
        first_ns: The beginning of the first connection, in nanoseconds since 1970.
        last_ns: The end of the last connection.
    """

    key: int
    product: str | None
    version: str | None
    connection_name: str | None
    user: str | None
    vhost: str | None
    client_ip: str | None
    protocol: str | None
    platform: str | None
    connections: int
    frames: int
    bytes_sent: int
    bytes_received: int
    closed_by_error: int
    closed_uncleanly: int
    first_ns: int
    last_ns: int

    @property
    def library(self) -> str:
        """The product and its version; the protocol if the client names no product."""
        known = " ".join(filter(None, (self.product, self.version)))
        return known or f"unknown ({self.protocol or 'no protocol header'})"

    @property
    def label(self) -> str:
        """A short name: ``pika 1.3.2 guest@10.0.0.1``."""
        who = f"{self.user}@{self.client_ip}" if self.user else self.client_ip or "?"
        return f"{self.connection_name or self.library} {who}"


def clients(ask: Ask) -> list[ClientTotals]:
    """Query all clients, those with most frames first."""
    return [ClientTotals(**row) for row in ask(_CLIENTS)]


_MOST_CONNECTIONS_PER_PAGE = 10000
_MOST_CONNECTIONS_PER_CLIENT, _LEAST_CONNECTIONS_PER_CLIENT = 40, 2

_FIRST_CONNECTIONS = """
SELECT key, conn_id, start_ns, end_ns, start_mode, end_mode, close_code, close_condition, frames FROM (
  SELECT {client} AS key, c.conn_id, c.start_ns, c.end_ns, c.start_mode, c.end_mode, c.close_code, c.close_condition,
    coalesce(c.client_frames + c.server_frames, 0) AS frames,
    row_number() OVER (PARTITION BY {client} ORDER BY c.start_ns, c.conn_id) AS place
  FROM connections c
) WHERE place <= {most} ORDER BY key, start_ns, conn_id
"""


@dataclass(frozen=True, slots=True)
class ShownConnection:
    """A connection in a timeline: columns of ``connections``.

    Attributes:
        end: The error that ended it, or the way in which it ended.
        frames: Frames in both directions.
    """

    conn_id: str
    start_ns: int
    end_ns: int
    start_mode: str
    end: str
    frames: int


def shown_connections(ask: Ask, clients: int) -> Mapping[int, list[ShownConnection]]:
    """Query the first connections of each client, by its key.

    Args:
        ask: Queries the lake.
        clients: The number of clients; the more there are, the fewer connections of each are returned.
    """
    most = max(
        _LEAST_CONNECTIONS_PER_CLIENT,
        min(_MOST_CONNECTIONS_PER_CLIENT, _MOST_CONNECTIONS_PER_PAGE // max(clients, 1)),
    )
    by_client: dict[int, list[ShownConnection]] = defaultdict(list)
    for row in ask(_FIRST_CONNECTIONS.format(client=CLIENT, most=most)):
        end = str(row["close_condition"] or row["close_code"] or row["end_mode"])
        by_client[row["key"]].append(
            ShownConnection(
                row["conn_id"], row["start_ns"], row["end_ns"], row["start_mode"], end, row["frames"]
            )
        )
    return by_client
