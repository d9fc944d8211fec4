"""Captures made octet by octet: packets of any link type, files of both formats, and what is read out of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from ipaddress import ip_address
from struct import pack

from amqp_traffic.capture.formats import recognise_capture
from amqp_traffic.capture.ledgers import FileLedger
from amqp_traffic.capture.quarantine import Quarantine, Reason
from amqp_traffic.capture.segments import read_segments
from amqp_traffic.capture.stream_data import StreamPiece
from amqp_traffic.streams.connection import CapturedConnection
from amqp_traffic.streams.connections import ConnectionTracker
from amqp_traffic.synth import capture_writer, link_headers
from amqp_traffic.synth.capture_writer import enhanced_packet, obsolete_packet, simple_packet

FIN, SYN, RST, PSH, ACK = 1, 2, 4, 8, 16
CLIENT, SERVER = ("10.0.0.1", 40000), ("10.0.0.2", 5672)
START_NS = 1_700_000_000_000_000_000


@dataclass(frozen=True)
class Tcp:
    """A TCP segment in an IP packet. ``ip_*`` are octets that are put into the IP header."""

    sequence: int
    payload: bytes = b""
    acknowledgment: int = 0
    flags: int = ACK
    source: tuple[str, int] = CLIENT
    target: tuple[str, int] = SERVER
    options: bytes = b""
    ip_options: bytes = b""
    fragment: int = 0
    extensions: tuple[tuple[int, bytes], ...] = ()
    ip_length: int | None = None

    def octets(self) -> bytes:
        tcp = pack(
            ">HHIIBBHHH",
            self.source[1],
            self.target[1],
            self.sequence % 2**32,
            self.acknowledgment % 2**32,
            (20 + len(self.options)) // 4 << 4,
            self.flags,
            65535,
            0,
            0,
        )
        segment = tcp + self.options + self.payload
        source, target = ip_address(self.source[0]), ip_address(self.target[0])
        if source.version == 6:
            kinds = [kind for kind, _ in self.extensions] + [6]
            for (_, content), following in zip(reversed(self.extensions), reversed(kinds), strict=False):
                segment = bytes([following]) + content + segment
            length = len(segment) if self.ip_length is None else self.ip_length
            return (
                pack(">IHBB", 6 << 28, length & 0xFFFF, kinds[0], 64)
                + source.packed
                + target.packed
                + segment
            )
        size = 20 + len(self.ip_options)
        length = size + len(segment) if self.ip_length is None else self.ip_length
        head = pack(">BBHHHBBH", 0x40 | size // 4, 0, length & 0xFFFF, 7, self.fragment, 64, 6, 0)
        return head + source.packed + target.packed + self.ip_options + segment


# --- Link layers ---


def ethernet(packet: bytes, *tags: int, padding: int = 0) -> bytes:
    """With VLAN tags of these ethertypes."""
    return link_headers.ethernet(*tags)(packet[0] >> 4, "<") + packet + bytes(padding)


def linux_cooked(packet: bytes) -> bytes:
    return link_headers.linux_cooked(packet[0] >> 4, "<") + packet


def linux_cooked_2(packet: bytes) -> bytes:
    return link_headers.linux_cooked_2(packet[0] >> 4, "<") + packet


def null(packet: bytes) -> bytes:
    return link_headers.null(packet[0] >> 4, "<") + packet


def loop(packet: bytes) -> bytes:
    return link_headers.loop(packet[0] >> 4, "<") + packet


def raw(packet: bytes) -> bytes:
    return packet


LINK_LAYERS = {
    1: ethernet,
    113: linux_cooked,
    276: linux_cooked_2,
    0: null,
    108: loop,
    101: raw,
    12: raw,
    228: raw,
    229: raw,
}


def exported_pdu(packet: Tcp) -> bytes:
    """Wireshark's link type 252: tags, then the payload."""
    tags = [
        (12, b"amqp"),
        (20, ip_address(packet.source[0]).packed),
        (21, ip_address(packet.target[0]).packed),
        (24, pack(">I", 2)),
        (25, pack(">I", packet.source[1])),
        (26, pack(">I", packet.target[1])),
        (0, b""),
    ]
    return b"".join(pack(">HH", tag, len(value)) + value for tag, value in tags) + packet.payload


# --- Files ---

block, option = capture_writer.block, capture_writer.option
section, interface = capture_writer.section_header, capture_writer.interface_description


@dataclass(frozen=True)
class Captured:
    """A packet as a capture has it."""

    octets: bytes
    ns: int = START_NS
    original: int | None = None
    interface: int = 0

    @property
    def length(self) -> int:
        return len(self.octets) if self.original is None else self.original

    def cut(self, snaplen: int) -> Captured:
        return replace(self, octets=self.octets[:snaplen], original=self.length)


def captured(packets: Iterable[Tcp], link_type: int = 1) -> list[Captured]:
    """A millisecond apart."""
    return [
        Captured(LINK_LAYERS[link_type](packet.octets()), START_NS + number * 1_000_000)
        for number, packet in enumerate(packets)
    ]


def pcap(
    packets: Sequence[Captured],
    order: str = "<",
    nano: bool = False,
    link_type: int = 1,
    snaplen: int = 262_144,
) -> bytes:
    form = capture_writer.Pcap(link_type, order, 1 if nano else 1_000, snaplen)
    return form.head() + b"".join(form.record(it.ns, it.octets, it.length) for it in packets)


def enhanced(packet: Captured, order: str = "<", units: int | None = None, options: bytes = b"") -> bytes:
    """``units`` is the timestamp; by default in microseconds."""
    units = packet.ns // 1000 if units is None else units
    return enhanced_packet(units, packet.octets, packet.length, order, packet.interface, options)


def simple(packet: Captured, order: str = "<") -> bytes:
    return simple_packet(packet.octets, packet.length, order)


def obsolete(packet: Captured, order: str = "<") -> bytes:
    return obsolete_packet(packet.ns // 1000, packet.octets, packet.length, order, packet.interface)


def pcapng(packets: Iterable[Captured], order: str = "<", link_type: int = 1) -> bytes:
    return (
        section(order) + interface(link_type, order) + b"".join(enhanced(packet, order) for packet in packets)
    )


# --- Conversations ---


@dataclass
class Conversation:
    """Both sides of a TCP connection, packet by packet.

    Directions are 0 (from the client) and 1.
    """

    client: tuple[str, int] = CLIENT
    server: tuple[str, int] = SERVER
    sequences: list[int] = field(default_factory=lambda: [1000, 7_000_000])
    packets: list[Tcp] = field(default_factory=list)

    def packet(self, direction: int, payload: bytes = b"", flags: int = ACK, **more) -> Tcp:
        source, target = (self.client, self.server)[:: -1 if direction else 1]
        packet = Tcp(
            self.sequences[direction], payload, self.sequences[1 - direction], flags, source, target, **more
        )
        self.sequences[direction] += len(payload) + (1 if flags & (SYN | FIN) else 0)
        self.packets.append(packet)
        return packet

    def open(self) -> Conversation:
        self.packet(0, flags=SYN)
        self.packet(1, flags=SYN | ACK)
        self.packet(0)
        return self

    def send(self, direction: int, data: bytes, size: int = 100, ack: bool = True) -> Conversation:
        """In segments of this size; each is acknowledged."""
        for start in range(0, len(data), size):
            self.packet(direction, data[start : start + size], PSH | ACK)
            if ack:
                self.packet(1 - direction)
        return self

    def close(self) -> Conversation:
        self.packet(0, flags=FIN | ACK)
        self.packet(1, flags=FIN | ACK)
        self.packet(0)
        return self


def octets(length: int, start: int = 0) -> bytes:
    """Octets of which no two stretches are alike."""
    return b"".join(pack(">I", 0x01000193 * number & 0xFFFFFFFF) for number in range(start, start + length))[
        :length
    ]


# --- Reading ---


@dataclass
class Reading:
    """What came out of a capture."""

    connections: list[CapturedConnection] = field(default_factory=list)
    ended: list[CapturedConnection] = field(default_factory=list)
    pieces: dict[tuple[int, int], list[StreamPiece]] = field(default_factory=dict)
    quarantine: Quarantine = field(default_factory=Quarantine)
    ledger: FileLedger | None = None
    stray: int = 0
    order: list[tuple[int, int, StreamPiece]] = field(default_factory=list)

    def on_pieces(
        self, connection: CapturedConnection, direction: int, pieces: Sequence[StreamPiece]
    ) -> None:
        assert pieces and (len(pieces) == 1 or not any(piece.gap for piece in pieces))
        for piece in pieces:
            self._on_piece(connection, direction, piece)

    def _on_piece(self, connection: CapturedConnection, direction: int, piece: StreamPiece) -> None:
        assert connection.role_by
        assert bool(piece.data) != bool(piece.gap)
        assert connection not in self.ended
        if connection not in self.connections:
            self.connections.append(connection)
        pieces = self.pieces.setdefault((connection.number, int(direction)), [])
        before = pieces[-1] if pieces else None
        assert piece.offset == (before.offset + len(before.data) + before.gap if before else 0)
        pieces.append(piece)
        self.order.append((connection.number, int(direction), piece))

    def on_end(self, connection: CapturedConnection) -> None:
        assert connection not in self.ended
        self.ended.append(connection)
        for direction, stream in enumerate(connection.streams):
            ledger = stream.ledger()
            ledger.check(str(connection))
            pieces = self.pieces.get((connection.number, direction), [])
            assert ledger.delivered == sum(len(piece.data) for piece in pieces)
            assert ledger.gap == sum(piece.gap for piece in pieces)

    def stream(self, direction: int, number: int = 1, lost: bytes = b"?") -> bytes:
        """A whole stream, with ``lost`` for each octet of a gap."""
        return b"".join(piece.data or lost * piece.gap for piece in self.pieces.get((number, direction), []))

    def gaps(self, direction: int, number: int = 1) -> list[tuple[int, int]]:
        return [(it.offset, it.gap) for it in self.pieces.get((number, direction), []) if it.gap]

    def count(self, reason: Reason) -> int:
        total = self.quarantine.totals.get(reason)
        return total.count if total else 0

    def octets(self, reason: Reason) -> int:
        total = self.quarantine.totals.get(reason)
        return total.octets if total else 0


def read(file: bytes, one_by_one: bool = False, **options) -> Reading:
    """Read a capture; check every ledger."""
    reading = Reading()
    capture = recognise_capture(file, reading.quarantine)
    connections = ConnectionTracker(
        reading.on_pieces, reading.on_end, quarantine=reading.quarantine, **options
    )
    if one_by_one:
        for segment in read_segments(capture):
            connections.add(segment)
    else:
        connections.read(read_segments(capture))
    connections.flush()
    capture.ledger.check()
    assert len(reading.ended) == connections._count
    reading.ledger, reading.stray = capture.ledger, connections.stray
    return reading


def read_packets(packets: Iterable[Tcp], **options) -> Reading:
    return read(pcap(captured(packets)), **options)
