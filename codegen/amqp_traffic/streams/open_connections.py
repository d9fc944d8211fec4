"""The bound of the connections that are followed at once.

A capture may have millions of connections whose end it does not have: of a port scan, or of clients behind an address translator.
The bound counts for each bucket of flows, not for a whole reader: the connections of a bucket are always read together, so the
same ones are given up however a capture is shared out.
"""

from __future__ import annotations

from ..capture.flow_buckets import bucket_of
from .connection import CapturedConnection

# In each of 1,024 buckets, which hashes fill evenly: about 16,000 connections in all.
MOST_OPEN = 16


class OpenConnections:
    """The connections that are followed."""

    __slots__ = ("_buckets",)

    def __init__(self) -> None:
        self._buckets: dict[int, dict[int, CapturedConnection]] = {}

    def surplus(self, flow: bytes) -> CapturedConnection | None:
        """Return the connection that has to go before one with this flow begins; None if there is room.

        It is one that has ended already, or else the one that was silent for longest.
        """
        members = self._buckets.get(bucket_of(flow))
        if members is None or len(members) < MOST_OPEN:
            return None
        return min(members.values(), key=_last_sign)

    def add(self, connection: CapturedConnection) -> None:
        """Add a connection that begins."""
        self._buckets.setdefault(_bucket(connection), {})[connection.number] = connection

    def remove(self, connection: CapturedConnection) -> None:
        """Remove a connection that is not followed any more."""
        bucket = _bucket(connection)
        members = self._buckets[bucket]
        members.pop(connection.number, None)
        if not members:
            del self._buckets[bucket]


def _bucket(connection: CapturedConnection) -> int:
    return bucket_of(connection.streams[0].flow)


def _last_sign(connection: CapturedConnection) -> tuple[bool, int, int]:
    packets = [stream.last[6] for stream in connection.streams if stream.last is not None]
    return connection.end_mode == "open", max(packets, default=connection.packet_no), connection.number
