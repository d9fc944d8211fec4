"""The first segments, in a split, of a connection that began before it.

They are kept until it is known where a frame begins in each direction. Whether that is right, ``stitching`` finds out; so
what is enough here is that it is hardly ever wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from ..capture.quarantine import Reason
from ..capture.stream_data import ACK, FIN, RST, SEQUENCE_MASK, SYN, Segment, StreamPiece
from ..frames.amqp0 import frame_format
from ..frames.amqp1 import frame_format as framing1
from ..frames.conversation import Conversation
from ..frames.formats import LARGEST_FRAME, FrameFormat, Start
from ..frames.protocol import ASSUMED, Protocol, is_tls
from ..streams.connection import CapturedConnection, Stream, client_by_port, reverse
from ..streams.reassembly import LARGEST_WINDOW, distance
from .survey import Known

# What is kept of a connection at most.
MOST_OCTETS = 1 << 20
_SEGMENT = 64  # what counts for a segment beside its data
_OF_TLS = 1 << 14  # so much of what looks like TLS is enough
_CALM = 64  # so many segments after something was missing, all has come or is taken for lost
_TRIES = 16  # where frames seem to begin, and what follows is none
# A chain of so many frames is believed, or one with so many of the kind that can hardly be anything else.
_FRAMES, _STRONG_FRAMES = 3, 2

_CLOSE = b"\x00\x32"  # the least id of a method of class connection that is not for opening it

_PROTOCOL1 = Protocol("1.0", framing1.PACKAGE, "shape")
# How frames look by family: 0-x in all its versions, and 1.0.
_SHAPES: dict[str, Callable[[], FrameFormat]] = {"0": frame_format.make_format, "1": framing1.FamilyFormat}
OPAQUE = Protocol("other", "", "shape", reason=Reason.NOT_AMQP)


class _Search:
    """Looks for frames of a family in one direction.

    Attributes:
        shape: How they look.
        found: Where one begins, and no frame of those that open a connection comes after it; None if that is not known.
        opens: There was one that opens it.
    """

    def __init__(self, shape: FrameFormat) -> None:
        self.shape = shape
        self.opens = False
        self.again(0)

    def again(self, scanned: int) -> None:
        """Look from here on."""
        self.found: int | None = None
        self._begin: int | None = None
        self._scanned = scanned

    def look(self, held: bytearray, packet: int) -> None:
        """There is more.

        Args:
            held: What there is.
            packet: Where in it the last packet begins.
        """
        if self.found is None and not self._tiles(held, packet):
            self._follow(held)

    def _tiles(self, held: bytearray, packet: int) -> bool:
        """Does a packet consist of whole frames? Senders write them so."""
        position = packet
        shape, settled = self.shape, False
        while position < len(held):
            size = shape.verify(held, position, LARGEST_FRAME)
            if size <= 0:
                return False
            settled = not _opens(shape, held, position, size)
            self.opens = self.opens or not settled
            position += size
        if settled:
            self.found = packet
        return settled

    def _follow(self, held: bytearray) -> None:
        """Is there a chain of frames?"""
        shape = self.shape
        while True:
            if self._begin is None:
                at = shape.find(held, self._scanned)
                if at < 0:
                    self._scanned = max(self._scanned, len(held) - shape.longest_look)
                    return
                self._begin = self._next = at
                self._frames = self._strong = 0
            size = shape.verify(held, self._next, LARGEST_FRAME)
            if size < 0:
                self._scanned = self._begin + 1
                self._begin = None
            elif not size:
                return
            else:
                self._frames += 1
                self._strong += shape.is_strong(held, self._next)
                if _opens(shape, held, self._next, size):
                    self.opens = True
                    self._frames = self._strong = 0
                self._next += size
                if self._frames >= _FRAMES or self._strong >= _STRONG_FRAMES:
                    self.found = self._begin
                    return


def _opens(shape: FrameFormat, held: bytearray, position: int, size: int) -> bool:
    """Is a frame of those with which a connection is opened? Then there may be more to agree on."""
    frame = shape.span(held, position, size, 0, (0, 0, 0))
    if not shape.is_control(frame):
        return False
    return not isinstance(shape, frame_format.FamilyFormat) or frame.payload[2:4] < _CLOSE


class _Side:
    """One direction of a connection.

    Attributes:
        expected: The sequence number of what comes next; None if nothing is known.
        acknowledged: The highest acknowledgment of the peer; None if there was none.
        held: The octets since something was missing.
        starts: The packets they are from.
        looks_like_tls: A packet begins like a TLS record.
    """

    def __init__(self, flow: bytes, families: Iterable[str]) -> None:
        self.flow = flow
        self.expected: int | None = None
        self.acknowledged: int | None = None
        self.held = bytearray()
        self.starts: list[Start] = []
        self.looks_like_tls = False
        self.searches = {family: _Search(_SHAPES[family]()) for family in families}

    def begin(self, sequence: int) -> None:
        """Something is missing before this."""
        self.expected = sequence
        self.held, self.starts = bytearray(), []
        for search in self.searches.values():
            search.again(0)

    def acknowledge(self, acknowledgment: int) -> None:
        """As ``Stream.acknowledge``."""
        known = self.acknowledged
        if known is None or 0 < acknowledgment - known & SEQUENCE_MASK < LARGEST_WINDOW:
            self.acknowledged = acknowledgment

    def add(self, segment: Segment) -> bool:
        """Take a segment. Returns whether nothing is missing before it, nor in it."""
        _, sequence, _, flags, data, missing, packet_no, packet_offset, ns = segment
        if flags & SYN:
            sequence = sequence + 1 & SEQUENCE_MASK
            self.begin(sequence)
        if self.expected is None:
            self.begin(sequence)
        assert self.expected is not None
        ahead = distance(self.expected, sequence)
        calm = ahead <= 0 or not self.held
        if ahead > 0:
            self.begin(sequence)
            ahead = 0
        data = data[-ahead:]
        if data:
            at = len(self.held)
            self.starts.append((at, packet_no, packet_offset, ns))
            self.held += data
            self.looks_like_tls = self.looks_like_tls or is_tls(data[:5])
            self.expected = self.expected + len(data) & SEQUENCE_MASK
            for search in self.searches.values():
                search.look(self.held, at)
        if missing:
            self.begin(sequence + len(segment[4]) + missing & SEQUENCE_MASK)
        return calm and not missing

    def pieces(self, offset: int) -> list[StreamPiece]:
        """What is held from an offset on."""
        found = []
        for at, (begin, *place) in enumerate(self.starts):
            end = self.starts[at + 1][0] if at + 1 < len(self.starts) else len(self.held)
            if end > offset:
                begin = max(begin, offset)
                found.append(StreamPiece(bytes(self.held[begin:end]), begin, 0, *place))
        return found


@dataclass(frozen=True, slots=True)
class Guess:
    """How a connection is, for all one can see, after the segments of its head."""

    connection: CapturedConnection
    conversation: Conversation


class Head:
    """Keeps the first segments of a connection in a split.

    Attributes:
        number: The number of the connection in the split.
        flow: Of the first segment.
        segments: All of them.
        octets: How many count for them.
        is_full: There are too many; they are not kept any more.
    """

    def __init__(
        self, number: int, segment: Segment, known: Known | None, server_ports: Collection[int]
    ) -> None:
        """Begin, without adding the first segment.

        Args:
            number: See above.
            segment: The first.
            known: What is said of the connection.
            server_ports: See ``Connections``.
        """
        self.number = number
        self.flow = segment[0]
        self.segments: list[Segment] = []
        self.is_full = False
        self.octets = 0
        self._known = known
        flow = segment[0]
        self._protocols = _protocols(known)
        self._sides = {each: _Side(each, self._protocols) for each in (flow, reverse(flow))}
        self._client = _client(flow, known, server_ports)
        self._ends = False
        self._calm_from = 0
        self._failed = 0

    def add(self, segment: Segment) -> None:
        """Keep a segment."""
        flow, _, acknowledgment, flags, data, _, _, _, _ = segment
        if self.is_full:
            return
        self.segments.append(segment)
        self.octets += len(data) + _SEGMENT
        if flags & (FIN | RST):
            self._ends = True
        if flags & ACK:
            self._sides[reverse(flow)].acknowledge(acknowledgment)
        if not self._sides[flow].add(segment):
            self._calm_from = len(self.segments) + _CALM

    def drop(self) -> None:
        """Keep nothing: there is too much."""
        self.is_full = True
        self.segments, self.octets = [], 0
        self._sides = {}

    def guess(self, make: Callable[[], Conversation]) -> Guess | None:
        """How the connection is now, for all one can see; None if that can not be told yet.

        Args:
            make: Makes a conversation without anything said.
        """
        if self.is_full or self._ends or len(self.segments) < self._calm_from or self._failed > _TRIES:
            return None
        sides = self._sides.values()
        if any(it.expected is None or it.acknowledged is None for it in sides):
            return None
        with_data = [it for it in sides if it.held]
        if not with_data:
            return None
        for family, protocol in self._protocols.items():
            searches = [it.searches[family] for it in sides]
            opens = any(it.opens for it in searches)  # then both have to speak
            if all(it.searches[family].found is not None for it in (sides if opens else with_data)):
                return self._try(family, protocol, make())
        if self.octets >= (_OF_TLS if any(it.looks_like_tls for it in with_data) else MOST_OCTETS):
            return self._try("", OPAQUE, make())
        return None

    def _try(self, family: str, protocol: Protocol, conversation: Conversation) -> Guess | None:
        """Read what is held. If that is as it should be, this is how the connection is."""
        conversation.begin_in_order(protocol, self._known.product if self._known and family else "")
        connection = CapturedConnection(self.number, *self.segments[-1][-3:])
        client, server = self._sides[self._client], self._sides[reverse(self._client)]
        streams = _stream(connection, client), _stream(connection, server)
        streams[0].peer, streams[1].peer = streams[1], streams[0]
        connection.set_roles(streams[0], "guess")
        assert conversation.framers is not None
        for side, framer in zip((client, server), conversation.framers, strict=True):
            found = side.searches[family].found if family else None
            if found is None:
                continue
            for piece in side.pieces(found):
                framer.feed(piece)
            if framer.lost:
                side.searches[family].again(found + 1)
                self._failed += 1
                return None
            framer.count_anew()  # see stitching
        return Guess(connection, conversation)


def _stream(connection: CapturedConnection, side: _Side) -> Stream:
    """A stream of which nothing is missing, and nothing held. Offset 0 is where the last hole ended."""
    assert side.expected is not None and side.acknowledged is not None
    offset = len(side.held)
    return Stream(
        connection,
        side.flow,
        expected=side.expected,
        offset=offset,
        settled=True,
        plain=True,
        first_sequence=side.expected - offset & SEQUENCE_MASK,
        first_acknowledged=side.acknowledged,
        acknowledged=side.acknowledged,
        acknowledged_at=offset,
    )


def _protocols(known: Known | None) -> dict[str, Protocol]:
    """What may be spoken, by family."""
    if known is None or not known.protocol.package:
        return {"0": ASSUMED, "1": _PROTOCOL1}
    return {"1" if known.protocol.package == framing1.PACKAGE else "0": known.protocol}


def _client(flow: bytes, known: Known | None, server_ports: Collection[int]) -> bytes:
    """The flow from the client: as ``Connections`` would tell it by the ports, or as it is known."""
    from_client = client_by_port(flow, server_ports)
    if from_client is None:
        from_client = flow == known.client if known is not None else flow[-4:-2] >= flow[-2:]
    return flow if from_client else reverse(flow)
