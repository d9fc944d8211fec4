"""A content of 0-x that comes in one go: method, content header and bodies become one event."""

from __future__ import annotations

from .event import CONTENT, EventTuple
from .frame_span import OVERHEAD0


def put_together(events: list[EventTuple], begin: int) -> None:
    """Put one event in the place of those of a method, its content header and all bodies.

    Only if nothing is missing between these frames; else they stay as they are.

    Args:
        events: Those of the content are the last ones.
        begin: Where the method is.
    """
    method, header, last = events[begin], events[begin + 1], events[-1]
    connection, frame_no, direction, channel, kind, method_row, method_size, offset, ns = method
    row, header_size, bodies = header[5], header[6], len(events) - begin - 2
    size = last[7] + last[6] - offset
    if size == method_size + header_size + row[1] + (bodies + 1) * OVERHEAD0:
        whole = (kind, method_row, row, bodies, last[8])
        events[begin:] = [(connection, frame_no, direction, channel, CONTENT, whole, size, offset, ns)]
