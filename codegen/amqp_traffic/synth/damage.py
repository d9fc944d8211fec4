"""What a capture loses, has twice, has out of order, or has wrong.

Each stage takes packets and hands on packets, with a chance of its own: one kind of damage does not change where
another strikes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .chance import Chance
from .overlap import overlapping
from .packet import Packet

GARBAGE_SIZE = 4096


@dataclass(frozen=True, slots=True)
class Damage:
    """What is to go wrong. Rates are of packets, from 0 to 1.

    Attributes:
        skip: So many packets come before the capture begins.
        drop: Not captured.
        duplicate: Captured once more, up to ``reorder_within`` packets later.
        reorder: Captured late.
        reorder_within: How many packets late at most.
        overlap: Become two which share some octets.
        flip: One bit of the payload is wrong.
        conflict: Followed by a copy with another payload.
        garbage: So many times there are 4 KiB between two records that are none.
        truncate: The file ends within its last record.
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
        """When a packet comes, all that were sent so many packets before it have come, or never will."""
        return 2 * self.reorder_within + 2


def damaged(packets: Iterable[Packet], damage: Damage, seed: str) -> Iterator[Packet]:
    """The packets as they are captured. What is lost or altered comes last, so that no packet is later than promised."""
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
    """Some packets come late: instead, or once more."""
    waiting: list[tuple[int, Packet]] = []  # before which packet they come at the latest
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
    """Behind which octet of the file garbage comes, last place first."""
    return [size * place // (damage.garbage + 1) for place in range(damage.garbage, 0, -1)]
