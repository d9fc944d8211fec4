"""Names of connections in the tables, which do not depend on the engine, nor on files."""

from __future__ import annotations

from hashlib import sha256


class ConnectionIds:
    """Gives the connections of a capture their names."""

    def __init__(self, capture_id: str) -> None:
        """Begin with a capture."""
        self._capture_id = capture_id
        self._counts: dict[tuple[bytes, bytes], int] = {}

    def next(self, flow: bytes) -> str:
        """The name of the next connection of these addresses and ports. To be called once for each, in order.

        Args:
            flow: Of either direction, as in ``Segment``.
        """
        ends = endpoints(flow)
        count = self._counts[ends] = self._counts.get(ends, 0) + 1
        return connection_id(self._capture_id, ends, count)


def endpoints(flow: bytes) -> tuple[bytes, bytes]:
    """Both addresses with their ports, the same for both directions."""
    half = len(flow) // 2 - 2
    one, other = flow[:half] + flow[-4:-2], flow[half : 2 * half] + flow[-2:]
    return (one, other) if one <= other else (other, one)


def connection_id(capture_id: str, ends: tuple[bytes, bytes], count: int) -> str:
    """The name of a connection.

    Args:
        capture_id: Of the capture.
        ends: See ``endpoints``.
        count: From 1: which connection of these it is in the capture.
    """
    return sha256(b"\0".join((capture_id.encode(), *ends, b"%d" % count))).hexdigest()[:16]
