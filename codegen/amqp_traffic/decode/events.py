"""Events: what happens on a connection, frame by frame, as the input of message assembly.

Decoders make bare tuples, ``EventTuple``: there is one for nearly every frame, and an ``Event`` takes several times as long
to make. ``Assemblies`` turns them into ``Event`` after most contents of 0-x, whose frames come without others between them, have become one event each.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple, TypeAlias

from ..frames.formats import OVERHEAD0

# Kinds of events other than methods of 0-x, whose kind is class id << 16 | method id.
HEADER = -2
BODY = -3
PERFORMATIVE = -4
PACKAGE = -5
CONTENT = -6

# The fields of an Event, in their order.
EventTuple: TypeAlias = "tuple[int, int, int, int, int, Any, int, int, int]"


class Event(NamedTuple):
    """An event of a connection.

    Attributes:
        connection: The number of the connection.
        frame_no: The number of the frame in its connection, from 0, in the order in which the frames of both directions
            became complete.
        direction: 0 from the client, 1 from the server.
        channel: As in the frame.
        kind: A method or one of the constants. ``CONTENT`` is a method, its content header and all bodies in one.
        row: The decoded frame; None if it cannot be decoded. By kind:
            a method has its row of ``MethodColumns``, ``HEADER`` that of ``HeaderColumns``;
            ``PERFORMATIVE`` has (name, row of ``PerformativeColumns``, payload);
            ``BODY`` has its octets if they are wanted, else None;
            ``PACKAGE``, which is not a frame but the first event of each connection, has the name of the generated
            package that decodes the following rows;
            ``CONTENT`` has (kind and row of the method, row of the content header, number of bodies, ns of the last
            frame).
        size: The size of the payload: in 0-x that of the frame, in 1.0 what follows the performative. For ``CONTENT``
            that of a frame as long as all frames together.
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


# Makes an Event of a tuple in a third of the time of Event._make, as no Python code runs.
named_event = partial(tuple.__new__, Event)


def join_content_run(events: list[EventTuple], begin: int) -> None:
    """Replace the events of a method, its content header and all bodies by one, if no octets between them are missing.

    ``events`` ends with those of the content; ``begin`` is the index of the method.
    """
    method, header, last = events[begin], events[begin + 1], events[-1]
    connection, frame_no, direction, channel, kind, method_row, method_size, offset, ns = method
    row, header_size, bodies = header[5], header[6], len(events) - begin - 2
    size = last[7] + last[6] - offset
    if size == method_size + header_size + row[1] + (bodies + 1) * OVERHEAD0:
        whole = (kind, method_row, row, bodies, last[8])
        events[begin:] = [(connection, frame_no, direction, channel, CONTENT, whole, size, offset, ns)]
