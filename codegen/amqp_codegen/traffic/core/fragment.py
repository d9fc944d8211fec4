"""What a split of a capture tells of a connection, so that ``stitching`` can put the parts together."""

from __future__ import annotations

from dataclasses import dataclass, field

from .connection import Connection
from .connection_record import ConnectionRecord
from .conversation import Conversation
from .frame_span import Place
from .stream import Segment


@dataclass(frozen=True, slots=True)
class JointSide:
    """One direction of a connection between two packets, while it is in order.

    Attributes:
        expected: The sequence number of what comes next.
        acknowledged: The highest acknowledgment of the peer.
        unacknowledged: How many octets before ``expected`` that is.
        pending: The octets of a frame that has begun, but not ended.
        places: The packets they are from.
        given_up: Frames are not looked for any more.
    """

    expected: int
    acknowledged: int
    unacknowledged: int
    pending: bytes
    places: tuple[Place, ...]
    given_up: bool


@dataclass(frozen=True, slots=True)
class Joint:
    """All that matters of a connection for what comes after some packet, but for how much came before.

    Where two readings of a connection have the same joint after the same packet, they go on alike. So the later one is
    right, even if it only guessed how it was before.

    Attributes:
        client: The flow from the client.
        package: The generated package that decodes it.
        dialect: The field-table dialect.
        types: The frame types there are.
        sides: Both directions.
    """

    client: bytes
    package: str
    dialect: str
    types: frozenset[int]
    sides: tuple[JointSide, JointSide]


@dataclass(slots=True)
class Fragment:
    """What a split tells of a connection.

    It begins in the split; or it began before, and then ``head`` has its first segments of this split, and from
    ``joint`` on it was read in the split. It ends in the split, and then there is a ``record``; or it goes on, or must be
    ended by whoever knows its beginning, and then ``connection`` and ``conversation`` are its state.

    Attributes:
        number: Its number in the split, in the order of the first packets: that of the callbacks.
        flow: Of its first segment.
        beginning: The SYN that it began with, without data; None if it did not.
        head: Segments of which nothing was read in the split.
        joint: How it was assumed to be after ``head``; None if it began in the split, or nothing more was read.
        record: What is known of it at its end.
        connection, conversation: Its state at the end of the split, or at its own.
        is_over: It has ended, but this is its state before that.
        frames: How many frames were handed on.
        largest: The size of the largest frame read after ``joint``, by direction.
        odd: Why it must be read in one pass; nothing if nothing is known against it.
    """

    number: int
    flow: bytes
    beginning: Segment | None = None
    head: list[Segment] = field(default_factory=list)
    joint: Joint | None = None
    record: ConnectionRecord | None = None
    connection: Connection | None = None
    conversation: Conversation | None = None
    is_over: bool = False
    frames: int = 0
    largest: list[int] = field(default_factory=lambda: [0, 0])
    odd: str = ""
