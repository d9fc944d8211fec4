"""What a split of a capture tells of a connection, so that ``stitching`` can put the parts together."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..capture.stream_data import Segment
from ..frames.conversation import Conversation
from ..messages.connection_rows import ConnectionRecord
from ..streams.connection import CapturedConnection
from .joint import Joint


@dataclass(slots=True)
class Fragment:
    """What a split tells of a connection.

    It begins in the split; or it began before, and then ``head`` has its first segments of this split, and from
    ``joint`` on it was read in the split. It ends in the split, and then there is a ``record``; or it goes on, or must be
    ended by whoever knows its beginning, and then ``connection`` and ``conversation`` are its state.

    Attributes:
        number: Its number in the split, in the order of the first packets: that of the callbacks.
        flow: From the client, or from who sent its first segment.
        packet_no: Its first packet, if it began in the split.
        beginning: The SYN that it began with, without data; None if it did not.
        head: Segments of which nothing was read in the split.
        joint: How it was assumed to be after ``head``; None if it began in the split, or nothing more was read.
        offsets: Those of the streams at the joint, as they are in the split.
        record: What is known of it at its end.
        connection, conversation: Its state at the end of the split, or at its own.
        is_over: Nothing more is of it, but this is its state before it was ended.
        frames: How many frames were handed on.
        largest: The size of the largest frame after ``joint``, by direction.
        odd: Why it must be read in one pass; nothing if nothing is known against it.
    """

    number: int
    flow: bytes
    packet_no: int = 0
    beginning: Segment | None = None
    head: list[Segment] = field(default_factory=list)
    joint: Joint | None = None
    offsets: tuple[int, int] = (0, 0)
    record: ConnectionRecord | None = None
    connection: CapturedConnection | None = None
    conversation: Conversation | None = None
    is_over: bool = False
    frames: int = 0
    largest: list[int] = field(default_factory=lambda: [0, 0])
    odd: str = ""

    def renumber(self, by: int) -> None:
        """So many packets come before those of the split."""
        self.packet_no += by
        self.head = [(*it[:6], it[6] + by, *it[7:]) for it in self.head]
        if self.beginning is not None:
            self.beginning = (*self.beginning[:6], self.beginning[6] + by, *self.beginning[7:])
        if self.joint is not None:
            self.joint = self.joint.renumbered(by)
        if self.connection is not None:
            self.connection.renumber(by)
        if self.conversation is not None:
            self.conversation.renumber(by)
