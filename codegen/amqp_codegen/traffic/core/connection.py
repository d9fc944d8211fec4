"""A TCP connection and its two streams: what is known of them so far."""

from __future__ import annotations

from dataclasses import dataclass, field
from ipaddress import ip_address

from .ledger import StreamLedger
from .reassembly import LARGEST_WINDOW, Held, distance
from .stream import Direction, Segment


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
    """

    connection: Connection
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
class Connection:
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
    streams: tuple[Stream, Stream] = field(init=False)

    @property
    def end_ns(self) -> int:
        """When the last packet was captured."""
        return max([self.start_ns, *(it.last[-1] for it in self.streams if it.last is not None)])

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
