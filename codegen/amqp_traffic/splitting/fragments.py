"""Reads one split of a capture: hands on its frames, and tells what it saw of each connection.

In the first split all is as in one pass. In another, connections that begin in it are read as ever. What belongs to none of
them was begun before: its first segments are kept as its ``Head``, until it can be guessed how it is; from there on it is
read, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ..capture.quarantine import Quarantine
from ..capture.stream_data import ACK, SYN, Direction, Segment
from ..frames.conversation import Conversation, OnFrames
from ..frames.formats import FrameSpan
from ..frames.frame_reader import Conversations
from ..frames.protocol import Protocol
from ..messages.connection_rows import record_of
from ..streams.connection import CapturedConnection, Stream, flow_key, reverse
from ..streams.connections import AMQP_PORTS, REMEMBERED, SLACK, ConnectionTracker
from ..streams.reassembly import Chunk
from .fragment import Fragment
from .head import MOST_OCTETS, Head
from .joint import joint_of
from .survey import Known

# What is kept of all heads together.
MOST_HELD = 1 << 25


def read_fragments(
    segments: Iterable[Segment],
    on_frames: OnFrames,
    *,
    first: bool,
    quarantine: Quarantine,
    server_ports: Iterable[int] = AMQP_PORTS,
    slack: int = SLACK,
    known: Mapping[bytes, Known] | None = None,
) -> list[Fragment]:
    """Read a split.

    Args:
        segments: Of the split, with packets counted from 1.
        on_frames: Is called with conversation, direction and frames. Connections have their numbers in the split;
            offsets of those that began before the split count from somewhere.
        first: Whether nothing is before it: it is the first split of the first file.
        quarantine: Where to collect what is left out.
        server_ports: See ``ConnectionTracker``.
        slack: See ``ConnectionTracker``.
        known: What is said to be spoken on connections, see ``known_before``.

    Returns:
        What there is of each connection, in the order of the first packets.
    """
    connections = _SplitConnections(
        on_frames, first, known or {}, server_ports=server_ports, slack=slack, quarantine=quarantine
    )
    connections.read(segments)
    return connections.fragments()


@dataclass(slots=True)
class _Joined:
    """A connection that is read from some packet on.

    Attributes:
        fragment: What will be told of it.
        agreed: What was agreed on then: how often, and what is spoken.
    """

    fragment: Fragment
    agreed: tuple[int, Protocol | None]


class _SplitConnections(ConnectionTracker):
    """Connections of a split, some of which have begun before."""

    def __init__(
        self,
        on_frames: OnFrames,
        first: bool,
        known: Mapping[bytes, Known],
        *,
        server_ports: Iterable[int],
        slack: int,
        quarantine: Quarantine,
    ) -> None:
        self._conversations = Conversations(on_frames, self._note_end, quarantine=quarantine)
        super().__init__(
            self._conversations.on_pieces,
            self._conversations.on_end,
            server_ports=server_ports,
            slack=slack,
            quarantine=quarantine,
        )
        self._on_frames = on_frames
        self._first = first
        self._known = known
        self._heads: dict[bytes, Head] = {}
        self._head_octets = 0
        # Flows of which everything is known since some packet of the split.
        self._followed: set[bytes] = set()
        self._beginnings: dict[int, Segment] = {}
        self._joined: dict[int, _Joined] = {}
        self._fragments: list[Fragment] = []

    def add(self, segment: Segment) -> None:
        """Add any segment."""
        flow, flags = segment[0], segment[3]
        if self._first or flow in self._followed:
            if flags & SYN:
                self._mind_syn(segment)
            super().add(segment)
        elif flags & (SYN | ACK) == SYN:
            self._close_head(flow_key(flow))
            self._followed.update((flow, reverse(flow)))
            super().add(segment)
        else:
            self._add_to_head(segment)

    def fragments(self) -> list[Fragment]:
        """What there is of each connection. To be called once, at the end."""
        for key in list(self._heads):
            self._close_head(key)
        for connection in {it.connection for it in self._streams.values()}:
            self._leave(connection, is_over=False)
        return sorted(self._fragments, key=lambda it: it.number)

    def _begin(self, segment: Segment) -> Stream:
        stream = super()._begin(segment)
        if segment[3] & SYN:
            self._beginnings[stream.connection.number] = _without_data(segment)
        return stream

    def _finish(self, connection: CapturedConnection) -> None:
        if connection.number in self._joined:
            self._leave(connection, is_over=True)
        else:
            super()._finish(connection)

    def _note_end(self, connection: CapturedConnection, conversation: Conversation) -> None:
        """All of a connection is in the split."""
        number = connection.number
        self._fragments.append(
            Fragment(
                number,
                connection.streams[0].flow,
                connection.packet_no,
                beginning=self._beginnings.pop(number, None),
                record=record_of(connection, conversation),
                frames=conversation.frames,
            )
        )

    def _leave(self, connection: CapturedConnection, *, is_over: bool) -> None:
        """Leave a connection to ``stitching``."""
        number = connection.number
        conversation = self._conversations.release(connection)
        self.release(connection)
        joined = self._joined.pop(number, None)
        if joined is None:
            beginning = self._beginnings.pop(number, None)
            fragment = Fragment(number, connection.streams[0].flow, connection.packet_no, beginning)
        else:
            fragment = joined.fragment
            fragment.odd = fragment.odd or _trouble(conversation, joined.agreed)
            fragment.largest = _largest(fragment.largest, conversation)
        for stream in connection.streams:
            if stream.last is not None:
                stream.last = _without_data(stream.last)
        if conversation is not None:
            conversation.attach(number, _nobody, Quarantine())
            fragment.frames = conversation.frames
        fragment.connection, fragment.conversation, fragment.is_over = connection, conversation, is_over
        self._fragments.append(fragment)

    # --- Connections that have begun before ---

    def _add_to_head(self, segment: Segment) -> None:
        key = flow_key(segment[0])
        head = self._heads.get(key)
        if head is None:
            self._count += 1
            known = self._known.get(key)
            head = self._heads[key] = Head(self._count, segment, known, self._server_ports)
        before = head.octets
        head.add(segment)
        self._head_octets += head.octets - before
        guess = head.guess(lambda: self._make_conversation(head.number))
        if guess is not None:
            self._join(key, head, guess.connection, guess.conversation)
        elif self._head_octets > MOST_HELD or head.octets > 2 * MOST_OCTETS:
            self._head_octets -= head.octets
            head.drop()

    def _make_conversation(self, number: int) -> Conversation:
        return Conversation(number, self._measure, self.quarantine, from_start=True)

    def _join(
        self, key: bytes, head: Head, connection: CapturedConnection, conversation: Conversation
    ) -> None:
        """From now on this connection is read."""
        fragment = Fragment(head.number, head.flow, head=head.segments)
        fragment.joint = joint_of(connection, conversation)
        fragment.offsets = connection.streams[0].offset, connection.streams[1].offset
        self._joined[head.number] = _Joined(fragment, _agreed(conversation))
        self._head_octets -= head.octets
        del self._heads[key]
        for stream in connection.streams:
            self._streams[stream.flow] = stream
            self._followed.add(stream.flow)
        self._conversations.adopt(connection, conversation)

    def _close_head(self, key: bytes) -> None:
        """Nothing more comes to this head."""
        head = self._heads.pop(key, None)
        if head is not None:
            self._head_octets -= head.octets
            odd = "too much came before a frame was found" if head.is_full else ""
            self._fragments.append(Fragment(head.number, head.flow, head=head.segments, odd=odd))

    def _measure(self, conversation: Conversation, direction: Direction, frames: list[FrameSpan]) -> None:
        """How large are the frames of a connection whose beginning is not known?"""
        largest = self._joined[conversation.number].fragment.largest
        largest[direction] = max(largest[direction], *[it[1] for it in frames])
        self._on_frames(conversation, direction, frames)

    def _mind_syn(self, segment: Segment) -> None:
        """Only who knows the beginning can tell whether this is the SYN of the same connection."""
        stream = self._streams.get(segment[0])
        if stream is not None and stream.continues(segment):
            self._mark_odd(stream.connection, "a SYN in the middle")

    def _note_again(self, stream: Stream, chunk: Chunk, sequence: int, length: int) -> None:
        if chunk.packet_no < stream.connection.packet_no + REMEMBERED:
            self._mark_odd(stream.connection, "octets that came before came again")
        super()._note_again(stream, chunk, sequence, length)

    def _mark_odd(self, connection: CapturedConnection, why: str) -> None:
        """If its beginning is not known, somebody has to read it who knows it."""
        joined = self._joined.get(connection.number)
        if joined is not None:
            joined.fragment.odd = why


def _trouble(conversation: Conversation | None, agreed: tuple[int, Protocol | None]) -> str:
    """What happened to a connection whose beginning is not known, that only who knows it can judge."""
    assert conversation is not None and conversation.framers is not None  # it was joined
    if any(it.lost for it in conversation.framers):
        return "frames are damaged, or octets missing"
    return "" if _agreed(conversation) == agreed else "something was agreed on"


def _agreed(conversation: Conversation) -> tuple[int, Protocol | None]:
    return conversation.agreements, conversation.protocol


def _largest(sizes: list[int], conversation: Conversation | None) -> list[int]:
    """The frames that have not ended count, too."""
    assert conversation is not None and conversation.framers is not None
    return [max(size, it.pending_size) for size, it in zip(sizes, conversation.framers, strict=True)]


def _without_data(segment: Segment) -> Segment:
    return (*segment[:4], b"", *segment[5:])


def _nobody(conversation: Conversation, direction: Direction, frames: list[FrameSpan]) -> None:
    """Takes frames where there will be none."""
