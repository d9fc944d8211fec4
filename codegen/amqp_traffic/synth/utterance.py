"""The turns of a conversation: what one side writes, and the end."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from ..capture.stream_data import Direction

CLIENT = Direction.client_to_server
SERVER = Direction.server_to_client


class MarkKind(StrEnum):
    """The kinds of marks in a stream; the values are those of ``label`` in labels."""

    HEADER = "header"  # a protocol header
    FRAME = "frame"
    TAIL = "tail"  # the beginning of a frame whose rest was never sent
    FOREIGN = "foreign"  # not AMQP


class Mark(NamedTuple):
    """A frame, or another part of a stream.

    Attributes:
        size: The octets, including header and end of a frame.
        type: The frame type; None if it is not a frame.
        channel: The channel; None if it is not a frame.
        name: The method, ``basic.properties``, ``body``, ``heartbeat``, or the performative.
    """

    kind: MarkKind
    size: int
    type: int | None
    channel: int | None
    name: str


class Said(NamedTuple):
    """What one side writes at once.

    Attributes:
        marks: The parts of the octets; their sizes add up to the number of octets.
        pause: The silence before it, in nanoseconds.
    """

    direction: Direction
    octets: bytes
    marks: tuple[Mark, ...]
    pause: int = 0


class HangUp(NamedTuple):
    """The end of a connection. A conversation without one outlives the capture.

    Attributes:
        direction: The side that ends it.
        reset: Whether it ends with RST instead of FIN.
    """

    direction: Direction
    reset: bool = False


Turn: TypeAlias = "Said | HangUp"


def header(direction: Direction, octets: bytes) -> Said:
    """Return a protocol header."""
    return Said(direction, octets, (Mark(MarkKind.HEADER, len(octets), None, None, "protocol-header"),))


def foreign(direction: Direction, octets: bytes, name: str) -> Said:
    """Return octets of another protocol."""
    return Said(direction, octets, (Mark(MarkKind.FOREIGN, len(octets), None, None, name),))


def together(parts: Iterable[Said]) -> Said:
    """Join parts of one side, at least one, into one write."""
    direction, octets, marks, pause = zip(*parts, strict=True)
    return Said(direction[0], b"".join(octets), tuple(mark for some in marks for mark in some), max(pause))


def broken_off(said: Said, octets: int) -> Said:
    """Return the first octets of a write; the mark that they cut becomes a tail."""
    marks: list[Mark] = []
    left = octets
    for mark in said.marks:
        if left >= mark.size:
            marks.append(mark)
        elif left:
            marks.append(mark._replace(kind=MarkKind.TAIL, size=left))
        left = max(left - mark.size, 0)
    return Said(said.direction, said.octets[:octets], tuple(marks), said.pause)
