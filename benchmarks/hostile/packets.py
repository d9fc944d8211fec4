"""Packets of hostile captures: connections without an end, and segments that cannot be put in order.

A shape takes the size that its capture will have and a source of chance, and yields the octets of a file until nobody wants more.
Packets are without a link layer (link type 101), so that as many as possible fit into a size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, count, repeat
from random import Random
from struct import Struct
from typing import TypeAlias

from amqp_traffic.capture.flow_buckets import bucket_of
from amqp_traffic.synth.capture_writer import Pcap, enhanced_packet, interface_description, section_header

Shape: TypeAlias = Callable[[int, Random], Iterator[bytes]]
# Direction, from the client (0) or to it (1), and octets.
Turn: TypeAlias = tuple[int, bytes]

FIN, SYN, RST, ACK = 1, 2, 4, 16
START_SECOND = 1_700_000_000
PORT = 5672
SERVER = bytes([10, 0, 0, 2])
RAW_IP = 101
FILE_HEAD: bytes = Pcap(RAW_IP, "<", 1_000, 262_144).head()
HEADER = b"AMQP\0\0\x09\x01"
SEGMENT = 1400

_RECORD = Struct("<IIII")
_IP4 = Struct(">BBHHHBBH4s4s")
_IP6 = Struct(">IHBB16s16s")
_TCP = Struct(">HHIIBBHHH")
_NUMBERS = 1 << 32


@dataclass(frozen=True, slots=True)
class Flow:
    """One direction of a connection: addresses of 4 or 16 octets, and ports."""

    source: bytes
    target: bytes
    source_port: int
    target_port: int = PORT

    @property
    def reverse(self) -> Flow:
        return Flow(self.target, self.source, self.target_port, self.source_port)

    @property
    def key(self) -> bytes:
        """As the readers of captures name it."""
        ports = self.source_port.to_bytes(2, "big") + self.target_port.to_bytes(2, "big")
        return self.source + self.target + ports


def numbered_flow(number: int) -> Flow:
    """A flow for each number below 2^40: most have an address of their own."""
    return Flow((0x0B000000 + number % (1 << 24)).to_bytes(4, "big"), SERVER, 1024 + (number >> 24))


def packet(
    flow: Flow, sequence: int = 0, data: bytes = b"", flags: int = ACK, acknowledgment: int = 0
) -> bytes:
    """A packet of IP with a segment."""
    tcp = _TCP.pack(
        flow.source_port,
        flow.target_port,
        sequence % _NUMBERS,
        acknowledgment % _NUMBERS,
        5 << 4,
        flags,
        65535,
        0,
        0,
    )
    if len(flow.source) == 16:
        head = _IP6.pack(6 << 28, len(tcp) + len(data), 6, 64, flow.source, flow.target)
    else:
        head = _IP4.pack(0x45, 0, 40 + len(data), 7, 0, 64, 6, 0, flow.source, flow.target)
    return head + tcp + data


def record(octets: bytes) -> bytes:
    """A packet in a pcap file."""
    return _RECORD.pack(START_SECOND, 0, len(octets), len(octets)) + octets


def capture(packets: Iterable[bytes]) -> Iterator[bytes]:
    """A pcap file."""
    yield FILE_HEAD
    yield from map(record, packets)


def conversation(turns: Iterable[Turn], flow: Flow | None = None, segment: int = SEGMENT) -> Iterator[bytes]:
    """Packets of a connection from its SYN on, without an end; each side says as much at once as fits into a segment."""
    there = numbered_flow(0) if flow is None else flow
    flows, sequences = (there, there.reverse), [1001, 7_000_001]
    yield packet(flows[0], 1000, flags=SYN)
    yield packet(flows[1], 7_000_000, flags=SYN | ACK, acknowledgment=1001)
    yield packet(flows[0], 1001, acknowledgment=7_000_001)

    def segments(direction: int, octets: bytearray, least: int) -> Iterator[bytes]:
        while len(octets) >= least:
            data = bytes(octets[:segment])
            del octets[:segment]
            yield packet(flows[direction], sequences[direction], data, ACK, sequences[1 - direction])
            sequences[direction] += len(data)

    held, speaker = bytearray(), 0
    for direction, octets in turns:
        if direction != speaker:
            yield from segments(speaker, held, 1)
            speaker = direction
        held += octets
        yield from segments(speaker, held, segment)
    yield from segments(speaker, held, 1)


def numbered_turns(direction: int, octets: Callable[[int], bytes]) -> Iterator[Turn]:
    """A side says without end what a function makes of the numbers from 1 on."""
    return ((direction, octets(number)) for number in count(1))


def again(direction: int, octets: bytes) -> Iterator[Turn]:
    """A side says the same without end."""
    return repeat((direction, octets))


def largest_segment(size: int) -> int:
    """The octets of segments of which a capture of this size has some."""
    return min(65_000, max(100, size // 20))


# --- Connections without an end


def mid_stream(size: int, random: Random) -> Iterator[bytes]:
    """A packet of each connection, from its middle."""
    return capture(packet(numbered_flow(number), 5, b"x") for number in count())


def syn_alone(size: int, random: Random) -> Iterator[bytes]:
    return capture(packet(numbered_flow(number), 5, flags=SYN) for number in count())


def syn_payload(size: int, random: Random) -> Iterator[bytes]:
    return capture(packet(numbered_flow(number), 5, HEADER, SYN) for number in count())


def protocol_header_each(size: int, random: Random) -> Iterator[bytes]:
    """Connections of which something is decoded."""
    return capture(packet(numbered_flow(number), 5, HEADER) for number in count())


def port_reused(size: int, random: Random) -> Iterator[bytes]:
    """The same flow begins again and again."""
    flow = numbered_flow(0)
    return capture(packet(flow, 100_000 * number, HEADER, SYN) for number in count())


def one_bucket(size: int, random: Random) -> Iterator[bytes]:
    """Connections that are always read together, whatever the number of shares."""
    # The bucket is made of a CRC: a change of the port changes it by the same bits whatever the address is.
    address = numbered_flow(0).source
    wanted = bucket_of(Flow(address, SERVER, 0).key)
    ports = {bucket_of(Flow(address, SERVER, port).key) ^ wanted: port for port in range(1 << 16)}

    def packets() -> Iterator[bytes]:
        for number in count():
            source = numbered_flow(number).source
            port = ports[bucket_of(Flow(source, SERVER, 0).key) ^ wanted]
            yield packet(Flow(source, SERVER, port), 5, b"x")

    return capture(packets())


def like_flows(size: int, random: Random) -> Iterator[bytes]:
    """Addresses of IPv6 that differ in bits at their ends, twice with each pair of ports exchanged."""
    there = (Flow(number.to_bytes(16, "little"), bytes(15) + b"\1", PORT, PORT) for number in count())
    both = ((flow, Flow(flow.target, flow.source, 1, 1)) for flow in there)
    return capture(packet(flow, 5, b"x") for flow in chain.from_iterable(both))


def high_bits(size: int, random: Random) -> Iterator[bytes]:
    """Flows that differ in the bits of their first octets alone: of each 64 bits, the upper ones."""
    return capture(
        packet(Flow(number.to_bytes(3, "big") + bytes(13), bytes(16), PORT, PORT), 5, b"x")
        for number in count()
    )


def resets(size: int, random: Random) -> Iterator[bytes]:
    """A connection begins and is reset, and so does the next one."""

    said = ((5, b"", SYN), (6, HEADER, ACK), (14, b"", RST))
    return capture(packet(numbered_flow(number), *segment) for number in count() for segment in said)


# --- What cannot be put in order


def _one_sided(segments: Iterable[tuple[int, bytes]]) -> Iterator[bytes]:
    """A capture of one stream: its SYN, then these octets at these places."""
    flow = numbered_flow(0)
    later = (packet(flow, place, octets) for place, octets in segments)
    return capture(chain([packet(flow, 1000, flags=SYN)], later))


def held_segments(size: int, random: Random) -> Iterator[bytes]:
    """Every second segment of one stream, none of which the peer acknowledges."""
    return _one_sided((place, b"x") for place in count(1002, 4))


def held_backwards(size: int, random: Random) -> Iterator[bytes]:
    """Segments of one stream, the last one first, again and again."""
    places = (block + place for block in count(1001, 5001) for place in range(5000, 0, -1))
    return _one_sided((place, b"x") for place in places)


def held_everywhere(size: int, random: Random) -> Iterator[bytes]:
    """Segments behind a gap in each of very many connections."""

    def packets() -> Iterator[bytes]:
        for turn in count():
            for number in range(1000):
                flow = numbered_flow(number)
                if not turn:
                    yield packet(flow, 1000, flags=SYN)
                yield packet(flow, 2000 + turn * SEGMENT, bytes(SEGMENT))

    return capture(packets())


def gaps(size: int, random: Random) -> Iterator[bytes]:
    """Every second octet is lost, and the peer acknowledges it."""
    flow = numbered_flow(0)

    def packets() -> Iterator[bytes]:
        yield packet(flow, 1000, flags=SYN)
        for place in count(1002, 2):
            yield packet(flow, place, b"x")
            yield packet(flow.reverse, 1, b"", ACK, place + 1)

    return capture(packets())


def overlaps(size: int, random: Random) -> Iterator[bytes]:
    """Segments that repeat octets of those before, with other contents."""
    return _one_sided((place - random.randrange(200), random.randbytes(210)) for place in count(1001, 10))


def held_overlaps(size: int, random: Random) -> Iterator[bytes]:
    """The same behind a gap, where all of it is held."""
    return _one_sided((1100 + random.randrange(100_000), random.randbytes(40)) for _ in count())


def one_octet(size: int, random: Random) -> Iterator[bytes]:
    """Heartbeats, one octet a segment."""
    beats = chain([HEADER], repeat(b"\x08\0\0\0\0\0\0\xce"))
    return capture(conversation(((0, octets) for octets in beats), segment=1))


def interfaces(size: int, random: Random) -> Iterator[bytes]:
    """Descriptions of interfaces of a pcapng file, and a packet of the last one after each."""
    yield section_header()
    description = interface_description(RAW_IP)
    for number in count():
        yield description
        yield enhanced_packet(1, packet(numbered_flow(0), number, b"x"), 41, "<", number, b"")


def interfaces_alone(size: int, random: Random) -> Iterator[bytes]:
    """A million of them are 32 MB."""
    return chain([section_header()], repeat(interface_description(RAW_IP)))


def cut_to(pieces: Iterator[bytes], size: int) -> Iterator[bytes]:
    """As many of the pieces as make a file of this size."""
    left = size
    for piece in pieces:
        yield piece
        left -= len(piece)
        if left <= 0:
            break
