"""Message bodies: text, random octets, or octets that a reader may take for frames or captures."""

from __future__ import annotations

from collections.abc import Callable
from struct import pack

from amqp_codegen.support.resources import load_package

from .chance import Chance

_BODIES_PER_LARGE_ONE = 64  # a large one needs several frames
_LEAST_USUAL_SIZE = 16


class BodyMaker:
    """A source of message bodies.

    Args:
        chance: Decides about sizes and places.
        contents: One of ``CONTENTS``.
        usual: The largest usual size, in octets.
        largest: The largest size of all, in octets.
    """

    def __init__(self, chance: Chance, contents: str, usual: int, largest: int) -> None:
        self._chance = chance
        self._usual = usual
        self._largest = max(usual, largest)
        self._stock = CONTENTS[contents](chance, 2 * self._largest)
        self._sizes = max(1, (self._usual // _LEAST_USUAL_SIZE).bit_length())

    def next(self) -> bytes:
        """Return a body of usual size; each power of two is equally frequent."""
        size = min(_LEAST_USUAL_SIZE << self._chance.below(self._sizes), self._usual)
        return self._cut(self._chance.between((size + 1) // 2, size))

    def large(self) -> bytes:
        """Return a body that does not fit into a frame, unless the capture is too small for it."""
        return self._cut(self._chance.between(self._largest // 2, self._largest))

    def any(self) -> bytes:
        """Return a body of usual size, sometimes a large one."""
        return self.large() if self._chance.once_in(_BODIES_PER_LARGE_ONE) else self.next()

    def _cut(self, size: int) -> bytes:
        start = self._chance.below(len(self._stock) - size)
        return self._stock[start : start + size]


def _fill(size: int, make: Callable[[int], bytes]) -> bytes:
    """Return ``size`` octets, from pieces that are made one by one."""
    pieces: list[bytes] = []
    number = length = 0
    while length < size:
        pieces.append(make(number))
        length += len(pieces[-1])
        number += 1
    return b"".join(pieces)[:size]


def _text(chance: Chance, size: int) -> bytes:
    words = ("order", "payment", "shipment", "refund", "invoice", "stock", "customer", "warehouse")

    def line(number: int) -> bytes:
        subject, amount = chance.pick(words), chance.between(1, 99_999)
        return b'{"id": %d, "kind": "%s", "amount": %d, "open": true}\n' % (number, subject.encode(), amount)

    return _fill(size, line)


def _random(chance: Chance, size: int) -> bytes:
    return _fill(size, lambda number: chance.octets(4096))


def _frames(chance: Chance, size: int) -> bytes:
    """Return frames of AMQP 0-9-1, like a message that reports on another connection."""
    amqp = load_package("amqp_0_9_1")

    def message(number: int) -> bytes:
        publish = amqp.methods.BasicPublish(exchange="", routing_key="not-a-frame")
        octets: bytes = amqp.encode_message(
            chance.between(1, 4), publish, amqp.BasicProperties(), chance.octets(chance.between(8, 400))
        )
        return octets

    return _fill(size, message)


def _capture(chance: Chance, size: int) -> bytes:
    """Return records of a pcap file."""

    def record(number: int) -> bytes:
        packet = chance.octets(chance.between(60, 1500))
        return (
            pack("<IIII", 1_700_000_000 + number // 64, chance.below(1_000_000), len(packet), len(packet))
            + packet
        )

    head = pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262_144, 1)
    return _fill(size, lambda number: head if number % 256 == 0 else record(number))


CONTENTS: dict[str, Callable[[Chance, int], bytes]] = {
    "text": _text,
    "random": _random,
    "frames": _frames,
    "capture": _capture,
}
