"""What a conversation consists of: what is said by whom, and how it ends."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import NamedTuple, TypeAlias

from ..capture.stream_data import Direction

CLIENT = Direction.client_to_server
SERVER = Direction.server_to_client


class SaidKind(str, Enum):
    """What stands in a stream. The values are what labels have."""

    HEADER = "header"  # a protocol header
    FRAME = "frame"
    TAIL = "tail"  # the beginning of a frame whose rest was never sent
    FOREIGN = "foreign"  # no AMQP


class Mark(NamedTuple):
    """A frame, or what else stands in a stream.

    Attributes:
        kind: What it is.
        size: How many octets, with all that belongs to the frame.
        type: The frame type; None if it is no frame.
        channel: The channel; None if it is no frame.
        name: Of the method, ``basic.properties`` and ``body``, or of the performative; ``heartbeat``.
    """

    kind: SaidKind
    size: int
    type: int | None
    channel: int | None
    name: str


class Said(NamedTuple):
    """What one side says at once.

    Attributes:
        direction: Who says it.
        octets: What.
        marks: What it consists of; their sizes add up to the octets.
        pause: How long it was quiet before, in nanoseconds.
    """

    direction: Direction
    octets: bytes
    marks: tuple[Mark, ...]
    pause: int = 0


class HangUp(NamedTuple):
    """The end of a connection. A conversation that has none goes on when the capture ends.

    Attributes:
        direction: Who ends it.
        reset: Whether by RST, not FIN.
    """

    direction: Direction
    reset: bool = False


Turn: TypeAlias = "Said | HangUp"


def header(direction: Direction, octets: bytes) -> Said:
    """A protocol header."""
    return Said(direction, octets, (Mark(SaidKind.HEADER, len(octets), None, None, "protocol-header"),))


def foreign(direction: Direction, octets: bytes, name: str) -> Said:
    """Octets of another protocol."""
    return Said(direction, octets, (Mark(SaidKind.FOREIGN, len(octets), None, None, name),))


def together(parts: Iterable[Said]) -> Said:
    """What one side says in several parts, said at once; there is at least one part."""
    direction, octets, marks, pause = zip(*parts, strict=True)
    return Said(direction[0], b"".join(octets), tuple(mark for some in marks for mark in some), max(pause))


def broken_off(said: Said, octets: int) -> Said:
    """The beginning of what would have been said: the last mark is a tail, or gone."""
    marks: list[Mark] = []
    left = octets
    for mark in said.marks:
        if left >= mark.size:
            marks.append(mark)
        elif left:
            marks.append(mark._replace(kind=SaidKind.TAIL, size=left))
        left = max(left - mark.size, 0)
    return Said(said.direction, said.octets[:octets], tuple(marks), said.pause)
