"""The clients: who they are, and how many connections, frames and octets they have."""

from __future__ import annotations

from dataclasses import dataclass

from .gather import CLIENT, CLIENT_FACTS, Ask

MOST_CLIENTS = 5000

_QUERY = f"""
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
    """A client: connections that say the same of themselves, and come from one address.

    Attributes:
        key: A number for it, in the queries.
        product: And what follows, as in ``connections``; None where the capture does not tell.
        connections: How many.
        frames: In both directions.
        bytes_sent: Octets from the client.
        bytes_received: Octets to it.
        closed_by_error: Connections that ended with an error of either side.
        closed_uncleanly: Those that ended without a close.
        first_ns: When its first connection began.
        last_ns: When the last ended.
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
        """The product and its version; the protocol of those that say none."""
        known = " ".join(filter(None, (self.product, self.version)))
        return known or f"unknown ({self.protocol or 'no protocol header'})"

    @property
    def label(self) -> str:
        """In a few words: ``pika 1.3.2 guest@10.0.0.1``."""
        who = f"{self.user}@{self.client_ip}" if self.user else self.client_ip or "?"
        return f"{self.connection_name or self.library} {who}"


def clients(ask: Ask) -> list[ClientTotals]:
    """All of them, those with most frames first."""
    return [ClientTotals(**row) for row in ask(_QUERY)]
