"""Which connection of a capture has a number, without its frames."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import islice

from ..capture.formats import Capture
from ..capture.segments import read_segments
from .connection import CapturedConnection, flow_key
from .connections import AT_ONCE, ConnectionTracker


def find_connection(capture: Capture, number: int, server_ports: Iterable[int]) -> tuple[bytes, int] | None:
    """Return the flow of a connection, and how many connections of other flows begin before it.

    Args:
        capture: The file, which is read up to where the connection begins.
        number: The number of the connection, from 1.
        server_ports: See ``ConnectionTracker``.

    Returns:
        None if there are fewer connections.
    """
    counts: Counter[bytes] = Counter()
    found: list[tuple[bytes, int]] = []

    def on_begin(connection: CapturedConnection) -> None:
        flow = flow_key(connection.streams[0].flow)
        counts[flow] += 1
        if connection.number == number:
            found.append((flow, number - counts[flow]))

    tracker = ConnectionTracker(lambda *_: None, on_begin=on_begin, server_ports=server_ports)
    segments = read_segments(capture)
    while not found and (batch := list(islice(segments, AT_ONCE))):
        tracker.read_batch(batch)
    return found[0] if found else None
