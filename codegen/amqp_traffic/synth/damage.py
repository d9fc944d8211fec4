"""Damage to a capture: lost, duplicated, reordered, overlapping and altered packets.

Each stage turns packets into packets and has random choices of its own: one kind of damage does not change where
another strikes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .chance import Chance
from .packet import Packet, checksum, number_of

GARBAGE_SIZE = 4096


@dataclass(frozen=True, slots=True)
class Damage:
    """The damage of a capture. Rates are of packets, from 0 to 1.

    Attributes:
        skip: The number of packets before the capture begins.
        drop: The rate of packets that are not captured.
        duplicate: The rate of packets captured twice, the copy up to ``reorder_within`` packets later.
        reorder: The rate of packets captured late.
        reorder_within: The most packets by which a packet is late.
        overlap: The rate of packets that become two which share some octets.
        flip: The rate of packets with one wrong bit in the payload.
        conflict: The rate of packets followed by a copy with another payload.
        garbage: The number of pieces of garbage, 4 KiB each, between records.
        truncate: Whether the file ends within its last record.
    """

    skip: int = 0
    drop: float = 0.0
    duplicate: float = 0.0
    reorder: float = 0.0
    reorder_within: int = 8
    overlap: float = 0.0
    flip: float = 0.0
    conflict: float = 0.0
    garbage: int = 0
    truncate: bool = False

    @property
    def horizon(self) -> int:
        """The number of packets after which an earlier packet has been captured, or never will be."""
        return 2 * self.reorder_within + 2


def damaged(packets: Iterable[Packet], damage: Damage, seed: str) -> Iterator[Packet]:
    """Return the packets as they are captured. Loss and alteration come last, so that ``horizon`` holds."""
    stream = iter(packets)
    if damage.skip:
        stream = (packet for packet in stream if packet.number >= damage.skip)
    if damage.overlap:
        stream = overlapping(stream, damage.overlap, Chance(f"{seed}/overlap"))
    if damage.duplicate:
        stream = _late(stream, damage.duplicate, damage.reorder_within, Chance(f"{seed}/duplicate"), True)
    if damage.reorder:
        stream = _late(stream, damage.reorder, damage.reorder_within, Chance(f"{seed}/reorder"), False)
    if damage.drop:
        stream = _drop(stream, damage.drop, Chance(f"{seed}/drop"))
    if damage.flip:
        stream = _flip(stream, damage.flip, Chance(f"{seed}/flip"))
    if damage.conflict:
        stream = _contradict(stream, damage.conflict, Chance(f"{seed}/conflict"))
    return stream


def _late(
    packets: Iterator[Packet], rate: float, within: int, chance: Chance, also_in_time: bool
) -> Iterator[Packet]:
    """Yield some packets late: instead of in time, or in addition."""
    waiting: list[tuple[int, Packet]] = []  # packets with the place before which they must come
    for place, packet in enumerate(packets):
        if waiting:
            yield from (late for due, late in waiting if due <= place)
            waiting = [(due, late) for due, late in waiting if due > place]
        is_late = chance.draw() < rate
        if is_late:
            waiting.append((place + chance.between(1, within) + 1, packet))
        if also_in_time or not is_late:
            yield packet
    yield from (late for _, late in waiting)


def _drop(packets: Iterator[Packet], rate: float, chance: Chance) -> Iterator[Packet]:
    return (packet for packet in packets if chance.draw() >= rate)


def _flip(packets: Iterator[Packet], rate: float, chance: Chance) -> Iterator[Packet]:
    for packet in packets:
        if packet.payload and chance.draw() < rate:
            payload, place = bytearray(packet.payload), chance.below(len(packet.payload))
            payload[place] ^= 1 << chance.below(8)
            yield packet._replace(payload=bytes(payload), altered=place)
        else:
            yield packet


def _contradict(packets: Iterator[Packet], rate: float, chance: Chance) -> Iterator[Packet]:
    for packet in packets:
        yield packet
        if packet.payload and chance.draw() < rate:
            yield packet._replace(payload=bytes(octet ^ 0xFF for octet in packet.payload), is_contrary=True)


def garbage_places(damage: Damage, size: int) -> list[int]:
    """Return the offsets in the file where garbage is inserted, the last first."""
    return [size * place // (damage.garbage + 1) for place in range(damage.garbage, 0, -1)]


_IP_HEADER_SIZE = {4: 20, 6: 40}
_PROTOCOL = 6


def overlapping(packets: Iterator[Packet], rate: float, chance: Chance) -> Iterator[Packet]:
    """Yield the packets; some become two that share octets, as after a retransmission that begins elsewhere."""
    for packet in packets:
        size = len(packet.payload)
        if size > 2 and chance.draw() < rate:
            end = chance.between(2, size - 1)
            yield part_of(packet, 0, end)
            yield part_of(packet, chance.between(1, end - 1), size)
        else:
            yield packet


def part_of(packet: Packet, start: int, end: int) -> Packet:
    """Return a packet with only the payload octets from ``start`` to ``end``."""
    version = packet.ip_version
    ip_size = _IP_HEADER_SIZE[version]
    ip, tcp = bytearray(packet.headers[:ip_size]), bytearray(packet.headers[ip_size:])
    payload = packet.payload[start:end]
    length = len(tcp) + len(payload)
    sequence = int.from_bytes(tcp[4:8], "big") + start & 0xFFFFFFFF
    tcp[4:8] = sequence.to_bytes(4, "big")
    if version == 4:
        ip[2:4] = (ip_size + length).to_bytes(2, "big")
        ip[10:12] = b"\0\0"
        ip[10:12] = checksum(number_of(ip)).to_bytes(2, "big")
    else:
        ip[4:6] = length.to_bytes(2, "big")
    addresses = ip[12:20] if version == 4 else ip[8:40]
    tcp[16:18] = b"\0\0"
    total = number_of(addresses) + _PROTOCOL + length + number_of(tcp) + number_of(payload)
    tcp[16:18] = checksum(total).to_bytes(2, "big")
    return packet._replace(offset=packet.offset + start, headers=bytes(ip + tcp), payload=payload)
