"""A TCP connection and its two streams: what is known of them so far.

Who of a connection is the client, when no SYN and no port says it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cache
from ipaddress import ip_address

from amqp_codegen.support.packages import load_package

from ..capture.ledgers import StreamLedger
from ..capture.stream_data import SEQUENCE_MASK, SYN, Direction, Segment, StreamPiece
from .reassembly import LARGEST_WINDOW, Held, distance

_METHOD_FRAME = 1
_SASL_FRAME = b"\x02\x01"  # of AMQP 1.0, at offset 4: the header is two words long, the type is SASL
# Descriptor codes of SASL frames, to whether the client sends them: mechanisms, init, challenge, response, outcome.
_SASL_SENT_BY_CLIENT = {0x40: False, 0x41: True, 0x42: False, 0x43: True, 0x44: False}


def client_by_port(flow: bytes, server_ports: Collection[int]) -> bool | None:
    """Whether this is the flow from the client, if just one of its ports is that of a server; else None."""
    from_server, to_server = (
        int.from_bytes(port, "big") in server_ports for port in (flow[-4:-2], flow[-2:])
    )
    return None if from_server == to_server else to_server


def client_sent(data: bytes) -> tuple[bool, str] | None:
    """Does this look like the beginning of what a client sends, or a server?

    Args:
        data: The beginning of a segment.

    Returns:
        Whether it is from the client, and what says so, as in ``Connection.role_by``; None if it does not say.
    """
    if data.startswith(b"AMQP"):
        return True, "header"
    if len(data) >= 12 and data[0] == _METHOD_FRAME:
        sender = _senders().get(int.from_bytes(data[7:11], "big"))
        return None if sender is None else (sender == "client", "method")
    if data[4:6] == _SASL_FRAME and data[8:10] == b"\x00\x53" and data[10:]:
        by_client = _SASL_SENT_BY_CLIENT.get(data[10])
        return None if by_client is None else (by_client, "method")
    return None


@cache
def _senders() -> dict[int, str]:
    """Class and method id to the only side that sends it."""
    methods = load_package("amqp_0_9_1_rabbitmq").METHODS
    return {ids: next(iter(each.SENT_BY)) for ids, each in methods.items() if len(each.SENT_BY) == 1}


# What is further away, before and after the end, belongs to another connection of the same addresses and ports.
_WINDOW = LARGEST_WINDOW
_WINDOW_AFTER_END = 1 << 20


@dataclass(slots=True, eq=False)
class Stream:
    """One direction of a connection. Sequence numbers are those of the wire, offsets count from its first octet.

    Attributes:
        connection: Whose it is.
        flow: Its addresses and ports, as in ``Segment``.
        peer: The other direction; only a connection that is being made has none.
        direction: Known when the first piece is delivered.
        expected: The sequence number of what comes next; None if nothing is known of this direction yet.
        offset: The offset of what comes next: the octets delivered so far, gaps included.
        settled: The beginning is certain: a SYN, an acknowledgment, or time enough for packets out of order.
        held: What came before its turn.
        plain: Nothing is held, in neither direction: what comes next can be delivered at once.
        first_sequence: The sequence number of offset 0.
        first_seen: How many packets of the connection there were when the first of this direction came.
        first_acknowledged: The first acknowledgment of the peer, the lowest of some; None if there was none yet.
        acknowledged: Its highest one, if there was one.
        acknowledged_at: What ``offset`` was then.
        lost_since: How many packets of the connection there were when the peer first acknowledged what is missing.
        end: The offset of its FIN.
        finished: All octets up to the FIN are delivered.
        last: The last segment of this direction.
        gap: Octets delivered as gaps.
        duplicate: Octets that came again.
        discarded: Octets that are not of the stream.
        run: Pieces that are yet to be delivered, with what comes next.
    """

    connection: CapturedConnection
    flow: bytes
    direction: Direction = Direction.client_to_server
    expected: int | None = None
    offset: int = 0
    settled: bool = False
    plain: bool = False
    held: Held = field(default_factory=Held)
    first_sequence: int = 0
    first_seen: int = 0
    first_acknowledged: int | None = None
    acknowledged: int = 0
    acknowledged_at: int = 0
    lost_since: int | None = None
    end: int | None = None
    finished: bool = False
    last: Segment | None = None
    gap: int = 0
    duplicate: int = 0
    discarded: int = 0
    run: list[StreamPiece] = field(default_factory=list)
    peer: Stream = field(init=False)

    def offset_of(self, sequence: int) -> int:
        """The offset of a sequence number. To be called when ``expected`` is known."""
        assert self.expected is not None
        return self.offset + distance(self.expected, sequence)

    def acknowledged_offset(self) -> int:
        """The offset up to which the peer has everything; that of what comes next, if it never said."""
        if self.first_acknowledged is None:
            return self.offset
        return self.acknowledged_at + distance(self.first_sequence + self.acknowledged_at, self.acknowledged)

    def settle(self) -> None:
        """Time enough has passed for packets out of order: decide where a stream begins whose SYN was not captured.

        That is with the first octet held; but where the peer has acknowledged octets before that, while it was captured,
        those are lost, and part of the stream.
        """
        first = self.held.chunks[0].offset
        if self.first_acknowledged is not None:
            acknowledged = distance(self.first_sequence, self.first_acknowledged)
            certain = self.connection.start_mode == "syn" or self.acknowledged_offset() >= first
            if certain and first - LARGEST_WINDOW < acknowledged < first:
                first = acknowledged
        self.move_beginning(-first)

    def move_beginning(self, by: int) -> None:
        """The stream begins ``by`` octets earlier than was thought, and this is certain. Nothing was delivered yet."""
        self.expected = self.first_sequence = (self.first_sequence - by) % (1 << 32)
        self.held.move(by)
        if self.end is not None:
            self.end += by
        self.settled = True

    def advance(self, length: int) -> None:
        """So many octets were delivered."""
        assert self.expected is not None
        self.offset += length
        self.expected = (self.expected + length) % (1 << 32)

    def continues(self, segment: Segment) -> bool:
        """Is this a segment of the connection known by these addresses and ports, or of a new one?"""
        _, sequence, _, flags, data, _, _, _, _ = segment
        if flags & SYN:
            first = sequence + 1 & SEQUENCE_MASK
            if self.expected is None:
                return self.connection.end_mode == "open"
            if self.settled:
                return first == self.first_sequence
            return 0 <= distance(first, self.first_sequence) < _WINDOW_AFTER_END
        if self.expected is None or not data:
            return True
        window = _WINDOW if self.connection.end_mode == "open" else _WINDOW_AFTER_END
        return abs(distance(self.expected, sequence)) <= window

    def synchronise(self, first: int, acknowledgment: int | None) -> None:
        """A SYN: the sequence number of the first octet is certain; if it answers another, so is that of the peer."""
        if not self.settled:
            self.set_beginning(first)
        if acknowledgment is not None and not self.peer.settled:
            self.peer.set_beginning(acknowledgment)

    def acknowledge(self, acknowledgment: int) -> None:
        """The peer has all octets before this one."""
        if self.first_acknowledged is None:
            self.first_acknowledged = self.acknowledged = acknowledgment
        elif 0 < acknowledgment - self.acknowledged & SEQUENCE_MASK < _WINDOW:  # as in Connections.read
            self.acknowledged = acknowledgment
            self.acknowledged_at = self.offset
        elif (
            self.held.chunks
            and not self.settled
            and 0 < self.first_acknowledged - acknowledgment & SEQUENCE_MASK < _WINDOW
        ):
            self.first_acknowledged = acknowledgment

    def set_beginning(self, first: int) -> None:
        """It is certain that the stream begins with this sequence number."""
        if self.expected is None:
            self.expected = self.first_sequence = first
            self.settled = True
        elif distance(first, self.first_sequence) >= 0:
            self.move_beginning(distance(first, self.first_sequence))

    def take_over(self, later: Stream, by: int) -> None:
        """Go on where another stream is, that was read on from where this one is now; its offsets are larger here."""
        self.expected, self.offset = later.expected, later.offset + by
        self.plain, self.held, self.lost_since = later.plain, later.held, later.lost_since
        self.held.move(by)
        self.acknowledged, self.acknowledged_at = later.acknowledged, later.acknowledged_at + by
        self.end = None if later.end is None else later.end + by
        self.finished = later.finished
        self.last = later.last or self.last
        self.gap += later.gap
        self.duplicate += later.duplicate
        self.discarded += later.discarded

    def renumber(self, by: int) -> None:
        """So many packets come before those that were counted."""
        self.held.chunks = [it._replace(packet_no=it.packet_no + by) for it in self.held.chunks]
        if self.last is not None:
            self.last = (*self.last[:6], self.last[6] + by, *self.last[7:])

    def ledger(self) -> StreamLedger:
        """Where the octets of this direction went.

        The wire's side comes from the sequence numbers, the other from what was delivered. A stream may be longer
        than sequence numbers count; how often they went round is known from the latter.
        """
        if self.expected is None:
            return StreamLedger(duplicate=self.duplicate, discarded=self.discarded)
        by_sequence = self.expected - self.first_sequence - self.finished
        wire = self.offset + distance(self.offset, by_sequence)
        return StreamLedger(wire, self.offset - self.gap, self.gap, self.duplicate, self.discarded)


@dataclass(slots=True, eq=False)
class CapturedConnection:
    """A TCP connection: from a SYN, or the first data seen, to the next SYN of the same addresses and ports.

    Attributes:
        number: Counted from 1, in the order of the first packets.
        packet_no: The first packet.
        packet_offset: Where its record begins in the file.
        start_ns: When it was captured.
        start_mode: ``syn``, or ``mid-stream`` if the beginning was not captured.
        end_mode: ``fin`` if both sides have closed, ``rst`` if one has broken off before, else ``open``: the end was
            not captured.
        role_by: What tells client from server: ``port`` (one of those asked for), ``syn``, ``header`` (the
            protocol header), ``method`` (a method that only one side sends), ``lower-port``. Empty until it is known.
        packets: Packets seen, but for those that needed no thought.
        over_after: After this packet nothing is of this connection any more, if it ``is_over`` then.
        streams: Both directions, in the order of ``Direction`` once the roles are known.
    """

    number: int
    packet_no: int
    packet_offset: int
    start_ns: int
    start_mode: str = "mid-stream"
    end_mode: str = "open"
    role_by: str = ""
    packets: int = 0
    over_after: int = 0
    streams: tuple[Stream, Stream] = field(init=False)

    @property
    def end_ns(self) -> int:
        """When the last packet was captured."""
        return max([self.start_ns, *(it.last[-1] for it in self.streams if it.last is not None)])

    @property
    def is_usual(self) -> bool:
        """Its roles are known, and it can not be over: it has not ended, and both sides or data were seen."""
        known = bool(self.role_by) and self.end_mode == "open"
        return known and (self.streams[1].expected is not None or self._has_data)

    def is_over(self, packet_no: int) -> bool:
        """Whether it had ended, or was never answered, long before this packet."""
        if packet_no <= self.over_after:
            return False
        if self.end_mode != "open":
            return True
        return self.over_after > 0 and self.streams[1].expected is None and not self._has_data

    @property
    def _has_data(self) -> bool:
        return self.streams[0].offset + self.streams[1].offset > 0

    @property
    def client(self) -> tuple[str, int]:
        """Address and port of the client."""
        return endpoint(self.streams[0].flow)

    @property
    def server(self) -> tuple[str, int]:
        """Address and port of the server."""
        return endpoint(self.streams[1].flow)

    def __str__(self) -> str:
        (client, client_port), (server, server_port) = self.client, self.server
        return f"connection {self.number} ({client}:{client_port} -> {server}:{server_port})"

    def take_over(self, later: CapturedConnection, offsets: tuple[int, int]) -> None:
        """Go on where another connection is, that was read on from where this one is now.

        Args:
            later: It has the same roles.
            offsets: How much larger the offsets are here, by direction.
        """
        for stream, other, by in zip(self.streams, later.streams, offsets, strict=True):
            stream.take_over(other, by)
        self.end_mode, self.packets = later.end_mode, later.packets
        self.over_after = later.over_after or self.over_after

    def renumber(self, by: int) -> None:
        """So many packets come before those that were counted."""
        self.packet_no += by
        self.over_after += by if self.over_after else 0
        for stream in self.streams:
            stream.renumber(by)

    def set_roles(self, client: Stream, role_by: str) -> None:
        """From now on it is known who the client is."""
        self.streams = client, client.peer
        self.role_by = role_by
        for direction, stream in zip(Direction, self.streams, strict=True):
            stream.direction = direction


def endpoint(flow: bytes) -> tuple[str, int]:
    """Address and port of the sender."""
    return str(ip_address(flow[: len(flow) // 2 - 2])), int.from_bytes(flow[-4:-2], "big")


def reverse(flow: bytes) -> bytes:
    """The flow of the other direction."""
    half = len(flow) // 2 - 2
    return flow[half : 2 * half] + flow[:half] + flow[-2:] + flow[-4:-2]


def flow_key(flow: bytes) -> bytes:
    """The same for both directions."""
    return min(flow, reverse(flow))
