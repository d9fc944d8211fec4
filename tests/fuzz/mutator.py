"""Changes of octets: of bits, octets, numbers and pieces, as a random generator says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

Change = Callable[[bytearray, Random], None]

# The edges of an octet and of its sign, and what means something in one of the families: letters, constructors, ends.
OCTETS = bytes.fromhex("00 01 02 3f 40 41 43 45 53 7f 80 81 c0 ce d1 e0 f0 ff") + b"tbBsUuIiLlfdDSxATFV"
NUMBERS = (0, 1, 2, 3, 4, 7, 8, 255, 256, 65535, 65536, 2**31 - 1, 2**31, 2**32 - 9, 2**32 - 1)


def mutate(octets: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    """Return the octets with a few changes; ``others`` are what pieces are taken from."""
    data = bytearray(octets)
    for _ in range(1 + int(random.expovariate(0.7))):
        if random.random() < 0.1 and others:
            splice(data, random, random.choice(others))
        else:
            random.choice(CHANGES)(data, random)
    return bytes(data)


def flip_bit(data: bytearray, random: Random) -> None:
    if data:
        data[random.randrange(len(data))] ^= 1 << random.randrange(8)


def set_octet(data: bytearray, random: Random) -> None:
    if data:
        data[random.randrange(len(data))] = random.choice(OCTETS)


def add_to_octet(data: bytearray, random: Random) -> None:
    if data:
        place = random.randrange(len(data))
        data[place] = (data[place] + random.choice((-2, -1, 1, 2))) & 255


def set_number(data: bytearray, random: Random) -> None:
    """Overwrite a length or a count, perhaps."""
    width = random.choice((1, 2, 4, 8))
    place = random.randrange(len(data) + 1)
    number = random.choice((*NUMBERS, len(data) - place, len(data) - place - width))
    data[place : place + width] = (number % 256**width).to_bytes(width, "big")


def remove(data: bytearray, random: Random) -> None:
    place = random.randrange(len(data) + 1)
    del data[place : place + random.randrange(1, 9)]


def truncate(data: bytearray, random: Random) -> None:
    del data[random.randrange(len(data) + 1) :]


def insert(data: bytearray, random: Random) -> None:
    place = random.randrange(len(data) + 1)
    data[place:place] = bytes(random.choice(OCTETS) for _ in range(random.randrange(1, 5)))


def insert_random(data: bytearray, random: Random) -> None:
    place = random.randrange(len(data) + 1)
    data[place:place] = random.randbytes(random.randrange(1, 9))


def repeat(data: bytearray, random: Random) -> None:
    """Repeat a piece in place, a few times."""
    start = random.randrange(len(data) + 1)
    piece = data[start : start + random.randrange(1, 17)]
    data[start:start] = piece * random.randrange(1, 9)


def move(data: bytearray, random: Random) -> None:
    """Copy a piece over another place."""
    start, place = random.randrange(len(data) + 1), random.randrange(len(data) + 1)
    piece = data[start : start + random.randrange(1, 17)]
    data[place : place + len(piece)] = piece


def splice(data: bytearray, random: Random, other: bytes) -> None:
    """Put a piece of other octets in, or go on with them."""
    place, start = random.randrange(len(data) + 1), random.randrange(len(other) + 1)
    if random.random() < 0.5:
        data[place:] = other[start:]
    else:
        data[place:place] = other[start : start + random.randrange(1, 33)]


CHANGES: tuple[Change, ...] = (
    flip_bit,
    set_octet,
    set_octet,
    add_to_octet,
    set_number,
    remove,
    truncate,
    insert,
    insert_random,
    repeat,
    move,
)
