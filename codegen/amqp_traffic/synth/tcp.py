"""Conversations as TCP segments in IP packets: handshake, segments, acknowledgments, end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from ipaddress import ip_address
from struct import Struct

from ..capture.stream_data import ACK, FIN, PSH, RST, SYN, Direction
from .chance import Chance
from .labels import Labels
from .packet import Packet, Timeline, checksum, number_of
from .setting import Budget
from .utterance import CLIENT, SERVER, HangUp, Mark, Said, Turn

_TCP = Struct(">HHIIBBHHH")
_IPV4 = Struct(">BBHHHBBH")
_IPV6 = Struct(">IHBB")
_TIMESTAMPS = Struct(">BBBBII")  # two octets of padding, then the option
_DO_NOT_FRAGMENT, _TTL, _TCP_PROTOCOL = 0x4000, 64, 6
_IP_HEADER_SIZE = {4: 20, 6: 40}
_WINDOW = 501
_MILLISECOND = 1_000_000
_RECORD_OVERHEAD = 32  # roughly what the link layer and the file add to a packet


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An address and a port."""

    address: str
    port: int


@dataclass(frozen=True, slots=True)
class Segmentation:
    """How streams are cut into segments.

    Attributes:
        mss: The most octets in a segment.
        cut: The rate of writes whose first segment is shorter than it could be, from 0 to 1; even protocol headers are cut.
    """

    mss: int
    cut: float


class _Side:
    """One end of a connection: the constant parts of its packets, and its sequence numbers."""

    def __init__(self, own: Endpoint, peer: Endpoint, sequence: int) -> None:
        source, target = ip_address(own.address).packed, ip_address(peer.address).packed
        self.version = 4 if len(source) == 4 else 6
        self.addresses = source + target
        self.ports = own.port, peer.port
        # The constant parts of both checksums.
        self.pseudo_header = number_of(self.addresses) + _TCP_PROTOCOL
        self.ip_header = number_of(self.addresses) + 0x4500 + _DO_NOT_FRAGMENT + (_TTL << 8 | _TCP_PROTOCOL)
        self.first = sequence
        self.sent = 0  # octets of the stream
        self.control = 0  # sequence numbers taken by SYN and FIN
        self.packets = 0
        self.clock = 0

    @property
    def next(self) -> int:
        """The next sequence number."""
        return self.first + self.control + self.sent & 0xFFFFFFFF


class TcpConnection:
    """A connection.

    Args:
        number: The number of the connection, from 0.
        client: The endpoint of the client.
        server: The endpoint of the server.
        segmentation: How streams are cut.
        chance: Decides about sequence numbers and acknowledgments.
        timeline: The numbers and times of packets.
        budget: Spent by every packet.
        labels: Takes the marks that are sent.
    """

    def __init__(
        self,
        number: int,
        client: Endpoint,
        server: Endpoint,
        segmentation: Segmentation,
        chance: Chance,
        timeline: Timeline,
        budget: Budget,
        labels: Labels,
    ) -> None:
        self._number = number
        self._segmentation = segmentation
        self._chance = chance
        self._timeline = timeline
        self._budget = budget
        self._labels = labels
        ends = (client, server), (server, client)
        self._sides = [_Side(own, peer, self._first_sequence()) for own, peer in ends]

    def _first_sequence(self) -> int:
        """Return an initial sequence number, often one that wraps around soon."""
        return (
            0xFFFFFFFF - self._chance.below(100_000)
            if self._chance.once_in(4)
            else self._chance.below(1 << 32)
        )

    @property
    def sequences(self) -> list[int]:
        """The initial sequence numbers of client and server."""
        return [side.first for side in self._sides]

    def packets(self, turns: Iterable[Turn]) -> Iterator[Packet]:
        """Yield all packets of the connection; the caller may interleave those of other connections."""
        yield self._packet(CLIENT, SYN)
        yield self._packet(SERVER, SYN | ACK)
        yield self._packet(CLIENT, ACK)
        for turn in turns:
            if isinstance(turn, HangUp):
                yield from self._hang_up(turn)
            else:
                yield from self._say(turn)
        for direction in Direction:
            last = self._timeline.number - 1
            self._labels.ended(last, self._number, direction, self._sides[direction].sent)

    def _say(self, said: Said) -> Iterator[Packet]:
        direction, octets, marks, pause = said
        self._timeline.ns += pause
        other = SERVER if direction == CLIENT else CLIENT
        side, chance = self._sides[direction], self._chance
        marked = side.sent  # the offset up to which marks are labelled
        upcoming = iter(marks)
        mark: Mark | None = next(upcoming)
        since_acknowledged = 0
        for start, end in self._cut(len(octets)):
            is_last = end == len(octets)
            packet = self._packet(direction, ACK | PSH if is_last else ACK, octets[start:end])
            side.sent += end - start
            while mark and marked + mark.size <= side.sent:
                self._labels.sent(packet.number, self._number, direction, marked, mark)
                marked += mark.size
                mark = next(upcoming, None)
            yield packet
            since_acknowledged += 1
            if since_acknowledged == 2 or (is_last and chance.once_in(2)):
                yield self._packet(other, ACK)
                since_acknowledged = 0

    def _cut(self, size: int) -> Iterator[tuple[int, int]]:
        """Yield start and end of each segment."""
        mss = self._segmentation.mss
        start = 0
        if size > 1 and self._chance.draw() < self._segmentation.cut:
            start = self._chance.between(1, min(mss, size - 1))
            yield 0, start
        for position in range(start, size, mss):
            yield position, min(position + mss, size)

    def _hang_up(self, turn: HangUp) -> Iterator[Packet]:
        direction = turn.direction
        other = SERVER if direction == CLIENT else CLIENT
        if turn.reset:
            yield self._packet(direction, RST | ACK)
            return
        yield self._packet(direction, FIN | ACK)
        yield self._packet(other, FIN | ACK)
        yield self._packet(direction, ACK)

    # --- Packets ---

    def _packet(self, direction: Direction, flags: int, payload: bytes = b"") -> Packet:
        """Return the next packet of a side, with its acknowledgment."""
        timeline, side, peer = self._timeline, self._sides[direction], self._sides[1 - direction]
        timeline.advance()
        side.clock = timeline.ns // _MILLISECOND & 0xFFFFFFFF
        options = _TIMESTAMPS.pack(1, 1, 8, 10, side.clock, peer.clock)
        if flags & SYN:  # MSS, SACK permitted, timestamps, window scale
            size = self._segmentation.mss + len(options) & 0xFFFF
            options = b"\x02\x04" + size.to_bytes(2, "big") + b"\x04\x02" + options[2:] + b"\x01\x03\x03\x07"
        acknowledgment = peer.next if flags & ACK else 0
        length = 20 + len(options)
        fields = (*side.ports, side.next, acknowledgment, length << 2, flags, _WINDOW)
        headers = _TCP.pack(*fields, 0, 0) + options
        total = side.pseudo_header + length + len(payload) + number_of(headers) + number_of(payload)
        headers = _TCP.pack(*fields, checksum(total), 0) + options
        headers = _ip_header(side, length + len(payload)) + headers
        packet = Packet(
            timeline.number - 1,
            timeline.ns,
            self._number,
            direction,
            bool(flags & SYN),
            side.sent,
            headers,
            payload,
        )
        side.packets += 1
        side.control += 1 if flags & (SYN | FIN) else 0
        self._budget.spend(len(headers) + len(payload) + _RECORD_OVERHEAD)
        return packet


def _ip_header(side: _Side, length: int) -> bytes:
    if side.version == 6:
        return _IPV6.pack(6 << 28, length, _TCP_PROTOCOL, _TTL) + side.addresses
    total, identification = length + _IP_HEADER_SIZE[4], side.packets & 0xFFFF
    fields = (0x45, 0, total, identification, _DO_NOT_FRAGMENT, _TTL, _TCP_PROTOCOL)
    return _IPV4.pack(*fields, checksum(side.ip_header + total + identification)) + side.addresses


def largest_mss(ip_version: int) -> int:
    """Return the most octets in a segment that IP can carry."""
    return 0xFFFF - 20 - 12 - (_IP_HEADER_SIZE[4] if ip_version == 4 else 0)
