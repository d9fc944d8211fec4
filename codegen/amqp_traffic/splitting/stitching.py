"""Puts the fragments of connections together that the splits of a capture have told of.

Each connection is read on where it was left: first the head that the next split has kept of it, by the same code as in one
pass. If it then is as that split has guessed (see ``Joint``), all that was read in the split is what one pass reads, and its
state at the end of the split is taken over. If not, or if something happened that only one pass can judge, all connections of
these addresses and ports are *unverified*: somebody has to read them in one pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from ..capture.quarantine import Quarantined
from ..capture.stream_data import Direction
from ..frames.conversation import Conversation
from ..frames.formats import FrameSpan
from ..frames.frame_reader import Conversations
from ..frames.protocol import Protocol
from ..messages.connection_rows import ConnectionRecord, record_of
from ..streams.connection import CapturedConnection, Stream, flow_key
from ..streams.connections import AMQP_PORTS, REMEMBERED, SLACK, ConnectionTracker
from ..streams.reassembly import Chunk
from .fragment import Fragment
from .joint import joint_of


@dataclass(frozen=True, slots=True)
class SplitFragments:
    """What came out of a split.

    Attributes:
        packets: How many packets it has.
        fragments: See ``read_fragments``.
    """

    packets: int
    fragments: Sequence[Fragment]


@dataclass(frozen=True, slots=True)
class ConnectionPart:
    """Frames of a connection that were handed on in a split.

    Attributes:
        split: Which one, from 0.
        number: The number that the connection has there.
        frame_base: How many frames come before.
        frames: How many these are.
        offset_base: What to add to the offsets there, by direction.
    """

    split: int
    number: int
    frame_base: int
    frames: int
    offset_base: tuple[int, int]


@dataclass(slots=True)
class Seam:
    """Frames of a connection that no split has handed on. Is for ``Decoding`` what a conversation is.

    Attributes:
        split: In which the last of them became complete; that after the last stands for the end of the capture.
        number: The number of the connection.
        frame_base: How many frames come before.
        protocol: What is spoken.
        dialect: The field-table dialect.
        frames: Directions and frames, in order, with offsets and packets as in one pass.
    """

    split: int
    number: int
    frame_base: int
    protocol: Protocol | None
    dialect: str
    frames: list[tuple[Direction, FrameSpan]] = field(default_factory=list)

    @property
    def product(self) -> str:
        """What the server calls itself, as far as it matters: the dialect."""
        return self.dialect


@dataclass(slots=True)
class Stitched:
    """A connection of which all is certain.

    Attributes:
        flow: From the client.
        ordinal: Which connection of these addresses and ports it is, from 1.
        packet_no: Its first packet.
        record: As in one pass.
        parts: Where its frames are, in order.
        quarantine: What was left out of it, beside what is in the quarantines of the splits.
    """

    flow: bytes
    ordinal: int
    packet_no: int
    record: ConnectionRecord
    parts: list[ConnectionPart | Seam]
    quarantine: list[Quarantined]


@dataclass(slots=True)
class StitchPlan:
    """What a capture consists of.

    Attributes:
        connections: Those of which all is certain, in the order of their first packets, and numbered so.
        unverified: By ``flow_key`` why connections of these addresses and ports must be read in one pass.
        packet_base: How many packets come before each split.
    """

    connections: list[Stitched]
    unverified: dict[bytes, str]
    packet_base: list[int]


class _Unverified(Exception):
    """Only one pass can tell. The message says why."""


def stitch(
    splits: Iterable[SplitFragments], *, server_ports: Iterable[int] = AMQP_PORTS, slack: int = SLACK
) -> StitchPlan:
    """Put fragments together. They are used up.

    Args:
        splits: Of all files of a capture, in order. May be read one by one.
        server_ports: As for ``read_fragments``.
        slack: The same.

    Raises:
        LedgerError: Octets were lost in here.
    """
    ports = frozenset(server_ports)
    flows: dict[bytes, _Flow] = {}
    unverified: dict[bytes, str] = {}
    packet_base: list[int] = []
    packets = 0
    for number, split in enumerate(splits):
        packet_base.append(packets)
        for fragment in split.fragments:
            key = flow_key(fragment.flow)
            if key in unverified:
                continue
            flow = flows.get(key)
            if flow is None:
                flow = flows[key] = _Flow(ports, slack)
            fragment.renumber(packets)
            try:
                flow.add(number, packets, fragment)
            except _Unverified as why:
                unverified[key] = str(why)
                del flows[key]
        packets += split.packets
    for key, flow in list(flows.items()):
        try:
            flow.finish(len(packet_base))
        except _Unverified as why:
            unverified[key] = str(why)
            del flows[key]
    return StitchPlan(_in_order(flows.values()), unverified, packet_base)


def _in_order(flows: Iterable[_Flow]) -> list[Stitched]:
    """All connections, with their numbers."""
    found = sorted((it for flow in flows for it in flow.done), key=lambda it: it.packet_no)
    for number, it in enumerate(found, 1):
        it.record = replace(it.record, number=number)
        it.quarantine = [replace(row, connection=number) for row in it.quarantine]
        for part in it.parts:
            if isinstance(part, Seam):
                part.number = number
    return found


@dataclass(slots=True)
class _Making:
    """A connection that is being put together.

    Attributes:
        ordinal: As in ``Stitched``.
        parts: So far.
        frames: How many there are in these.
        guessed_from: What was known when it was read, for the first time, by who did not know its beginning: how often
            frames were lost, and the protocol. From then on not all is known that would matter if there were more of
            that. None if it was always known.
    """

    ordinal: int
    parts: list[ConnectionPart | Seam] = field(default_factory=list)
    frames: int = 0
    guessed_from: tuple[int, Protocol | None] | None = None

    def add_part(self, split: int, fragment: Fragment, offset_base: tuple[int, int]) -> None:
        """A split has handed on frames."""
        self.parts.append(ConnectionPart(split, fragment.number, self.frames, fragment.frames, offset_base))
        self.frames += fragment.frames

    def add_seam(
        self, split: int, conversation: Conversation, direction: Direction, frames: list[FrameSpan]
    ) -> None:
        """Frames were found in here."""
        last = self.parts[-1] if self.parts else None
        spoken = conversation.protocol, conversation.dialect
        if not isinstance(last, Seam) or (last.split, last.protocol, last.dialect) != (split, *spoken):
            last = Seam(split, 0, self.frames, *spoken)
            self.parts.append(last)
        last.frames += [(direction, frame) for frame in frames]
        self.frames += len(frames)


class _Flow:
    """All connections of two addresses and ports, one after the other.

    Attributes:
        done: Those that have ended.
    """

    def __init__(self, server_ports: frozenset[int], slack: int) -> None:
        self.done: list[Stitched] = []
        self._server_ports, self._slack = server_ports, slack
        self._reader: _Reader | None = None

    def add(self, split: int, packets_before: int, fragment: Fragment) -> None:
        """The next fragment.

        Raises:
            _Unverified: It can not be put to those before it.
        """
        if fragment.odd:
            raise _Unverified(fragment.odd)
        if fragment.record is not None and self._reader is None:
            self._add_whole(split, fragment, fragment.record)
            return
        reader = self._reader
        if reader is None:
            reader = self._reader = _Reader(self.done, self._server_ports, self._slack)
        reader.split, reader.packets_before = split, packets_before
        if fragment.head:
            reader.read(fragment.head)
            reader.check()
        if fragment.joint is not None:
            reader.join(fragment)
        elif fragment.record is not None:
            reader.make_room(fragment)
            self._add_whole(split, fragment, fragment.record)
        elif fragment.connection is not None:
            reader.make_room(fragment)
            reader.go_on(fragment, fragment.connection)

    def finish(self, split: int) -> None:
        """There are no more.

        Raises:
            _Unverified: What is left can only be judged in one pass.
        """
        if self._reader is not None:
            self._reader.split = split
            self._reader.flush()

    def _add_whole(self, split: int, fragment: Fragment, record: ConnectionRecord) -> None:
        """A connection that began and ended in one split."""
        making = _Making(len(self.done) + 1)
        making.add_part(split, fragment, (0, 0))
        self.done.append(
            Stitched(fragment.flow, making.ordinal, fragment.packet_no, record, making.parts, [])
        )


class _Reader(ConnectionTracker):
    """Reads heads, and takes over what was read elsewhere.

    Attributes:
        split: The split that fragments come from.
        packets_before: How many packets come before it.
    """

    def __init__(self, done: list[Stitched], server_ports: frozenset[int], slack: int) -> None:
        self._conversations = Conversations(self._take_frames, self._note_end)
        super().__init__(
            self._conversations.on_pieces,
            self._conversations.on_end,
            server_ports=server_ports,
            slack=slack,
            quarantine=self._conversations.quarantine,
        )
        self.split = self.packets_before = 0
        self._done = done
        self._making: dict[int, _Making] = {}  # by the number of the connection in here
        self._over: set[int] = set()  # connections that a split took to be over

    def make_room(self, fragment: Fragment) -> None:
        """A connection was taken for a new one. Is it?"""
        syn = fragment.beginning
        stream = self.find(fragment.flow if syn is None else syn[0])
        if stream is None:
            return
        connection = stream.connection
        if syn is None:
            certain = connection.number in self._over
        else:
            certain = connection.is_over(syn[6]) or not stream.continues(syn)
        if not certain:
            raise _Unverified("a connection was taken for two")
        self._finish(connection)

    def go_on(self, fragment: Fragment, connection: CapturedConnection) -> None:
        """This connection began in a split; from its end on it is read here."""
        self.adopt(connection)
        conversation = fragment.conversation
        if conversation is not None:
            conversation.attach(connection.number, self._take_frames, self.quarantine)
            self._conversations.adopt(connection, conversation)
        self._making_of(connection.number).add_part(self.split, fragment, (0, 0))

    def join(self, fragment: Fragment) -> None:
        """The connection is now where a split was that has guessed how it is, and has read on."""
        stream = self.find(fragment.flow)
        if stream is None:
            raise _Unverified("its beginning is not known")
        connection = stream.connection
        conversation = self._conversations.find(connection)
        joint = joint_of(connection, conversation)
        later, said_later = fragment.connection, fragment.conversation
        if joint is None or conversation is None or conversation.framers is None:
            raise _Unverified("it is not in order where a split begins")
        assert fragment.joint is not None and later is not None and said_later is not None
        difference = joint.difference(fragment.joint)
        if difference:
            raise _Unverified(f"a split had guessed something else: {difference}")
        for framer, size in zip(conversation.framers, fragment.largest, strict=True):
            if size > framer.limit:
                raise _Unverified("a frame is larger than agreed on")
        if conversation.would_narrow(said_later):
            raise _Unverified("methods tell that another version is spoken")
        making = self._making_of(connection.number)
        if making.guessed_from is None:
            making.guessed_from = _known_of(conversation)
        client, server = (
            it.offset - offset for it, offset in zip(connection.streams, fragment.offsets, strict=True)
        )
        making.add_part(self.split, fragment, (client, server))
        connection.take_over(later, (client, server))
        conversation.take_over(said_later, (client, server))
        if fragment.is_over:
            self._over.add(connection.number)

    def check(self) -> None:
        """Did anything happen that who only guessed can not judge?"""
        for connection in {it.connection for it in self._streams.values()}:
            self._check(connection, self._conversations.find(connection))

    def _check(self, connection: CapturedConnection, conversation: Conversation | None) -> None:
        making = self._making.get(connection.number)
        if making is None or making.guessed_from is None or conversation is None:
            return
        if _known_of(conversation) != making.guessed_from:
            raise _Unverified("frames are damaged, or octets missing, after a seam")

    def _note_again(self, stream: Stream, chunk: Chunk, sequence: int, length: int) -> None:
        if chunk.packet_no - self.packets_before <= REMEMBERED:
            raise _Unverified("octets of another split came again")
        super()._note_again(stream, chunk, sequence, length)

    def _take_frames(self, conversation: Conversation, direction: Direction, frames: list[FrameSpan]) -> None:
        self._making_of(conversation.number).add_seam(self.split, conversation, direction, frames)

    def _note_end(self, connection: CapturedConnection, conversation: Conversation) -> None:
        self._check(connection, conversation)
        making = self._making_of(connection.number)
        del self._making[connection.number]
        rows, self.quarantine.rows = self.quarantine.rows, []
        record = record_of(connection, conversation)
        flow = connection.streams[0].flow
        self._done.append(Stitched(flow, making.ordinal, connection.packet_no, record, making.parts, rows))

    def _making_of(self, number: int) -> _Making:
        making = self._making.get(number)
        if making is None:
            making = self._making[number] = _Making(len(self._done) + 1)
        return making


def _known_of(conversation: Conversation) -> tuple[int, Protocol | None]:
    return sum(it.lost for it in conversation.framers or ()), conversation.protocol
