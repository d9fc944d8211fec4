"""What happens on a connection, frame by frame, without payloads: what conversations are put together from.

Decoders make bare tuples, ``EventTuple``: there is one for nearly every frame, making an ``Event`` takes several times as
long, and ``marshal``, which takes events from process to process, knows bare tuples only. ``Assemblies`` gives them
names, when the frames of most contents have become one event.

A content of 0-x that comes in one go: method, content header and bodies become one event.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple, TypeAlias

from ..frames.formats import OVERHEAD0

# What stands as the kind of an event that is no method of 0-x. Methods have class id << 16 | method id.
HEADER = -2
BODY = -3
PERFORMATIVE = -4
PACKAGE = -5
CONTENT = -6

# The fields of an Event, in their order.
EventTuple: TypeAlias = "tuple[int, int, int, int, int, Any, int, int, int]"


class Event(NamedTuple):
    """What happened.

    Attributes:
        connection: Its number.
        frame_no: The number of the frame in its connection, from 0, in the order in which the frames of both directions
            became complete.
        direction: 0 from the client, 1 from the server.
        channel: As in the frame.
        kind: As above. ``CONTENT`` stands for a method, its content header and all bodies, which came in one go.
        row: What the generated package reads: for a method the row of its kind in ``MethodColumns``, for a content header
            that of ``HeaderColumns``; for a performative (name, row of ``PerformativeColumns``, payload); for a body its
            octets if they are wanted, else None. None too if it cannot be decoded. For ``PACKAGE``, which is no frame, the
            name of the generated package by which the rows that follow are read: the first event of each connection. For
            ``CONTENT`` (kind and row of the method, row of the content header, how many bodies, ns of the last frame).
        size: Of the payload: that of the frame in 0-x, what follows the performative in 1.0. For ``CONTENT`` that of a
            frame which would be as long as these frames together.
        offset: Where the frame begins in the stream of its direction.
        ns: When the packet was captured in which the frame begins.
    """

    connection: int
    frame_no: int
    direction: int
    channel: int
    kind: int
    row: Any
    size: int
    offset: int
    ns: int


# An Event of a tuple: a third of the time of Event._make, as no code in Python runs.
named_event = partial(tuple.__new__, Event)


def join_content_run(events: list[EventTuple], begin: int) -> None:
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
