"""Where two readings of a connection meet: one that knows its beginning, one that has begun in the middle of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..frames.amqp0.frame_format import FamilyFormat
from ..frames.conversation import Conversation
from ..frames.formats import Place
from ..frames.framer import Framer, FramerState
from ..frames.protocol import RABBITMQ
from ..streams.connection import CapturedConnection, Stream

_DIALECT = "rabbitmq"  # that of the package RABBITMQ


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

    def renumbered(self, by: int) -> Joint:
        """The same, where so many packets come before those that were counted."""
        one, other = (
            replace(side, places=tuple((no + by, at, ns) for no, at, ns in side.places))
            for side in self.sides
        )
        return replace(self, sides=(one, other))

    def difference(self, other: Joint) -> str:
        """What is not the same; nothing if all is."""
        for name in ("client", "package", "dialect", "types"):
            if getattr(self, name) != getattr(other, name):
                return name
        for own, others in zip(self.sides, other.sides, strict=True):
            for name in JointSide.__slots__:
                if getattr(own, name) != getattr(others, name):
                    return name
        return ""


def joint_of(connection: CapturedConnection, conversation: Conversation | None) -> Joint | None:
    """How a connection is now; None if it is not in order, or there is more to know of it than a joint has."""
    if conversation is None or conversation.framers is None or conversation.protocol is None:
        return None
    if not all(_is_plain(it) for it in connection.streams):
        return None
    if not all(it.state in (FramerState.IN_ORDER, FramerState.GIVEN_UP) for it in conversation.framers):
        return None
    package = conversation.protocol.package
    client, server = (_side(*each) for each in zip(connection.streams, conversation.framers, strict=True))
    shape = conversation.framers[0].shape
    return Joint(
        connection.streams[0].flow,
        package,
        conversation.dialect or (_DIALECT if package == RABBITMQ else ""),
        shape.types if isinstance(shape, FamilyFormat) else frozenset(),
        (client, server),
    )


def _is_plain(stream: Stream) -> bool:
    """Nothing is going on but that octets come."""
    return stream.plain and stream.end is None


def _side(stream: Stream, framer: Framer) -> JointSide:
    assert stream.expected is not None  # it is plain
    ahead = stream.offset - stream.acknowledged_offset()
    return JointSide(
        stream.expected, stream.acknowledged, ahead, *framer.pending, framer.state is FramerState.GIVEN_UP
    )
