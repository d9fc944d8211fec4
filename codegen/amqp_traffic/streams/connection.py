"""The state of a captured TCP connection and its two streams, and which side is the client.

A SYN or the server's port tells client and server; otherwise the first data does, see ``client_sent``.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cache
from ipaddress import ip_address

from amqp_codegen.support.resources import load_package

from ..capture.ledgers import StreamLedger
from ..capture.quarantine import Reason
from ..capture.stream_data import SEQUENCE_MASK, SYN, Direction, Segment, StreamPiece
from .reassembly import LARGEST_WINDOW, Held, distance

# Of what was given up as there was too much of its kind: connections, messages, requests. What follows it is not known.
NOT_FOLLOWED = Reason.NOT_FOLLOWED.value

_METHOD_FRAME = 1
_SASL_FRAME = b"\x02\x01"  # of AMQP 1.0, at offset 4: the header is two words long, the type is SASL
# Descriptor code of a SASL frame to whether the client sends it: mechanisms, init, challenge, response, outcome.
_SASL_SENT_BY_CLIENT = {0x40: False, 0x41: True, 0x42: False, 0x43: True, 0x44: False}


# The protocol header of AMQP, and the headers of the PROXY protocol.
_CLIENT_BEGINNINGS = (b"AMQP", b"PROXY ", b"\r\n\r\n\x00\r\nQUIT\n")


def client_by_port(flow: bytes, server_ports: Collection[int]) -> bool | None:
    """Return whether this is the flow from the client, if exactly one of its ports is a server's; else None."""
    from_server, to_server = (
        int.from_bytes(port, "big") in server_ports for port in (flow[-4:-2], flow[-2:])
    )
    return None if from_server == to_server else to_server


def client_sent(data: bytes) -> tuple[bool, str] | None:
    """Tell by the first octets of a segment whether the client sent it.

    Returns:
        Whether it is from the client, and the evidence, as in ``CapturedConnection.role_by``; None if nothing tells.
    """
    if data.startswith(_CLIENT_BEGINNINGS):
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
    """Return the methods that only one side sends, by key, and that side."""
    methods = load_package("amqp_0_9_1_rabbitmq").METHODS
    return {key: next(iter(method.SENT_BY)) for key, method in methods.items() if len(method.SENT_BY) == 1}


# A segment further away, before or after the end, belongs to another connection of the same addresses and ports.
_WINDOW = LARGEST_WINDOW
_WINDOW_AFTER_END = 1 << 20


@dataclass(slots=True, eq=False)
class Stream:
    """One direction of a connection. Sequence numbers are those of the wire, offsets count from its first octet.

    Attributes:
        connection: The connection of the stream.
        flow: Its addresses and ports, as in ``Segment``.
        peer: The other direction, set when the connection is made.
        direction: Known when the first piece is delivered.
        expected: The sequence number of the next octet; None if nothing is known of this direction yet.
        offset: The offset of the next octet: the octets delivered so far, gaps included.
        settled: Whether the beginning is certain: by a SYN, an acknowledgment, or after enough packets.
        held: Chunks out of order.
        plain: Whether nothing is held in either direction, so that the next octets can be delivered at once.
        first_sequence: The sequence number of offset 0.
        first_seen: Packets of the connection when the first of this direction came.
        first_acknowledged: The lowest of the peer's first acknowledgments; None if there was none yet.
        acknowledged: The peer's highest acknowledgment, if there was one.
        acknowledged_at: The value of ``offset`` at that time.
        lost_since: Packets of the connection when the peer first acknowledged what is missing.
        end: The offset of its FIN.
        finished: Whether all octets up to the FIN are delivered.
        last: The last segment of this direction.
        gap: Octets delivered as gaps.
        duplicate: Octets that came again.
        discarded: Octets that are not part of the stream.
        run: Pieces that are delivered together with the next ones.
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
        """Return the offset of a sequence number. ``expected`` must be known."""
        assert self.expected is not None
        return self.offset + distance(self.expected, sequence)

    def acknowledged_offset(self) -> int:
        """Return the offset up to which the peer has everything; ``offset`` if it never acknowledged."""
        if self.first_acknowledged is None:
            return self.offset
        return self.acknowledged_at + distance(self.first_sequence + self.acknowledged_at, self.acknowledged)

    def settle(self) -> None:
        """Decide where a stream begins whose SYN was not captured, once enough packets out of order had time to come.

        It begins with the first octet held; but octets before that which the peer acknowledged during the capture are
        lost, and part of the stream.
        """
        first = self.held.chunks[0].offset
        if self.first_acknowledged is not None:
            acknowledged = distance(self.first_sequence, self.first_acknowledged)
            certain = self.connection.start_mode == "syn" or self.acknowledged_offset() >= first
            if certain and first - LARGEST_WINDOW < acknowledged < first:
                first = acknowledged
        self.move_beginning(-first)

    def move_beginning(self, by: int) -> None:
        """Move the beginning ``by`` octets back; it is certain then. Nothing may have been delivered yet.

        Octets before it are not part of the stream: its receiver drops them.
        """
        self.expected = self.first_sequence = (self.first_sequence - by) % (1 << 32)
        self.held.move(by)
        self.discarded += self.held.drop_before(0)
        if self.end is not None:
            self.end += by
        self.settled = True

    def advance(self, length: int) -> None:
        """Count ``length`` octets as delivered."""
        assert self.expected is not None
        self.offset += length
        self.expected = (self.expected + length) % (1 << 32)

    def continues(self, segment: Segment) -> bool:
        """Return whether a segment is of this connection, not of a new one with the same addresses and ports."""
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
        """Take a SYN: the beginning is certain; with an acknowledgment, so is the beginning of the peer."""
        if not self.settled:
            self.set_beginning(first)
        if acknowledgment is not None and not self.peer.settled:
            self.peer.set_beginning(acknowledgment)

    def acknowledge(self, acknowledgment: int) -> None:
        """Take an acknowledgment of the peer: it has all octets before this one."""
        if self.first_acknowledged is None:
            self.first_acknowledged = self.acknowledged = acknowledgment
        elif 0 < acknowledgment - self.acknowledged & SEQUENCE_MASK < _WINDOW:  # as in ConnectionTracker.read
            self.acknowledged = acknowledgment
            self.acknowledged_at = self.offset
        elif (
            self.held.chunks
            and not self.settled
            and 0 < self.first_acknowledged - acknowledgment & SEQUENCE_MASK < _WINDOW
        ):
            self.first_acknowledged = acknowledgment

    def set_beginning(self, first: int) -> None:
        """Set the certain sequence number of the first octet."""
        if self.expected is None:
            self.expected = self.first_sequence = first
            self.settled = True
        elif distance(first, self.first_sequence) > -_WINDOW:
            self.move_beginning(distance(first, self.first_sequence))

    def ledger(self) -> StreamLedger:
        """Return where the octets of this direction went.

        ``wire`` comes from sequence numbers, the other side from what was delivered. A stream may be longer than 2^32
        octets; how often sequence numbers wrapped around is taken from the octets delivered.
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
        end_mode: ``fin`` if both sides have closed, ``rst`` if one has reset it before, else ``open``: the end was not
            captured. Or ``NOT_FOLLOWED``: there were too many connections without an end.
        role_by: The evidence for client and server: ``port`` (one of the server ports given), ``syn``, ``header`` (the
            protocol header), ``method`` (a method that only one side sends), ``lower-port``. Empty until it is known.
        packets: Packets seen, except those delivered on the fast path.
        over_after: The last packet that may belong to this connection, if it ``is_over`` then.
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
    def place(self) -> tuple[int, int, int]:
        """The place of the first packet."""
        return self.packet_no, self.packet_offset, self.start_ns

    @property
    def end_ns(self) -> int:
        """When the last packet was captured."""
        return max([self.start_ns, *(stream.last[-1] for stream in self.streams if stream.last is not None)])

    @property
    def is_usual(self) -> bool:
        """Whether its roles are known and it cannot be over: it has not ended, and both sides or data were seen."""
        known = bool(self.role_by) and self.end_mode == "open"
        return known and (self.streams[1].expected is not None or self._has_data)

    def is_over(self, packet_no: int) -> bool:
        """Return whether it had ended, or was never answered, long before this packet."""
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

    def set_roles(self, client: Stream, role_by: str) -> None:
        """Set which stream is the client's, and the evidence."""
        self.streams = client, client.peer
        self.role_by = role_by
        for direction, stream in zip(Direction, self.streams, strict=True):
            stream.direction = direction

    def choose_roles(self) -> None:
        """Choose the client by the data held, else by the ports."""
        one, other = self.streams
        held = [(chunk, stream) for stream in (one, other) for chunk in stream.held.chunks]
        for chunk, stream in sorted(held, key=lambda chunk_of: chunk_of[0].packet_no):
            sent = client_sent(chunk.data)
            if sent is not None:
                by_client, role_by = sent
                self.set_roles(stream if by_client else stream.peer, role_by)
                return
        own_port, peer_port = one.flow[-4:-2], one.flow[-2:]
        self.set_roles(one if own_port >= peer_port else other, "lower-port")


def endpoint(flow: bytes) -> tuple[str, int]:
    """Return address and port of the sender."""
    return str(ip_address(flow[: len(flow) // 2 - 2])), int.from_bytes(flow[-4:-2], "big")


def reverse(flow: bytes) -> bytes:
    """Return the flow of the other direction."""
    half = len(flow) // 2 - 2
    return flow[half : 2 * half] + flow[:half] + flow[-2:] + flow[-4:-2]


def flow_key(flow: bytes) -> bytes:
    """Return a key that both directions share."""
    return min(flow, reverse(flow))
