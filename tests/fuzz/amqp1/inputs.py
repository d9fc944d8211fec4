"""Octets for the decoders of 1.0: those of the suite, changed, and values made at random."""

from __future__ import annotations

import struct
from random import Random
from typing import Any

from tests.fuzz.mutator import mutate
from tests.fuzz.suite_octets import suite_octets

# Constructors by how many octets follow, section 1.2 of the types.
FIXED = {
    0: (0x40, 0x41, 0x42, 0x43, 0x44, 0x45),
    1: (0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56),
    2: (0x60, 0x61),
    4: (0x70, 0x71, 0x72, 0x73, 0x74),
    8: (0x80, 0x81, 0x82, 0x83, 0x84),
    16: (0x94, 0x98),
}
SECTIONS = (0x70, 0x71, 0x72, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78)
DESCRIPTORS = (0x10, 0x14, 0x1D, 0x22, 0x24, 0x28, 0x29, 0x34, 0x40, 0x44, *SECTIONS)


def draw_value(package: str, random: Random) -> bytes:
    """A value of the suite, changed, or one made at random."""
    suite = suite_octets(package)
    octets = suite["value"] + suite["composite"]
    if random.random() < 0.4:
        return mutate(random.choice(octets), random, octets)
    made = value(random, random.choice((1, 3, 6)))
    return made if random.random() < 0.7 else mutate(made, random, octets)


def value(random: Random, depth: int) -> bytes:
    """The octets of a value, most of them right."""
    chance = random.random()
    if depth and chance < 0.45:
        return random.choice((list_of, map_of, array_of, described))(random, depth - 1)
    if chance < 0.75:
        width = random.choice(list(FIXED))
        return bytes((random.choice(FIXED[width]),)) + fixed(random, width)
    return variable(random)


def fixed(random: Random, width: int) -> bytes:
    return random.choice((bytes(width), bytes(width)[1:] + b"\1" if width else b"", random.randbytes(width)))


def variable(random: Random) -> bytes:
    code = random.choice((0xA0, 0xA1, 0xA3, 0xB0, 0xB1, 0xB3))
    octets = random.choice((b"", b"a", b"b", b"amqp:accepted:list", b"\xc3", "\u20ac".encode(), b"$x"))
    return bytes((code,)) + sized(octets, code >= 0xB0)


def sized(octets: bytes, wide: bool) -> bytes:
    return (struct.pack(">I", len(octets)) if wide else bytes((len(octets) & 255,))) + octets


def counted(code: int, count: int, octets: bytes, random: Random) -> bytes:
    """A compound in its long form, or its short one, which ``code`` is."""
    if random.random() < 0.05:
        count = random.choice((0, count + 1, 65_536, 2**32 - 1))
    if len(octets) > 254 or count > 255 or random.random() < 0.3:
        return bytes((code + 0x10,)) + sized(struct.pack(">I", count) + octets, True)
    return bytes((code,)) + sized(bytes((count,)) + octets, False)


def list_of(random: Random, depth: int) -> bytes:
    items = [value(random, depth) for _ in range(random.choice((0, 1, 2, 4)))]
    return counted(0xC0, len(items), b"".join(items), random)


def map_of(random: Random, depth: int) -> bytes:
    items = [value(random, depth) for _ in range(random.choice((0, 2, 2, 4, 5 if depth == 0 else 4)))]
    if random.random() < 0.3:
        items = [*items[:1], b"\x40", *items[:1], b"\x41"][: random.choice((2, 4, 4))]
    return counted(0xC1, len(items), b"".join(items), random)


def array_of(random: Random, depth: int) -> bytes:
    """An array of one constructor, perhaps with a descriptor, of values of one width."""
    head = b"\0" + value(random, 0) if random.random() < 0.2 else b""
    count = random.choice((0, 1, 2, 5))
    if random.random() < 0.7 or not depth:
        width = random.choice(list(FIXED))
        code = random.choice(FIXED[width])
        elements = b"".join(fixed(random, width) for _ in range(count))
    else:
        code = random.choice((0xC0, 0xC1, 0xE0, 0xA1, 0xA3))
        makers = {0xC0: list_of, 0xC1: map_of, 0xE0: array_of}
        made = [makers[code](random, depth - 1) if code in makers else variable(random) for _ in range(count)]
        elements = b"".join(octets[1:] for octets in made)
    return counted(0xE0, count, head + bytes((code,)) + elements, random)


def described(random: Random, depth: int) -> bytes:
    if random.random() < 0.3:
        return b"\0" + value(random, depth) + value(random, depth)
    return b"\0\x53" + bytes((random.choice(DESCRIPTORS),)) + list_of(random, depth)


def draw_message(package: str, random: Random) -> bytes:
    """Sections of the suite, changed, or made at random, not always in order."""
    messages = suite_octets(package)["message"]
    if random.random() < 0.5:
        return mutate(random.choice(messages), random, messages)
    chosen = random.sample(SECTIONS, random.randrange(1, 6))
    if random.random() < 0.8:
        chosen.sort()
    return b"".join(b"\0\x53" + bytes((code,)) + section(code, random) for code in chosen)


def section(code: int, random: Random) -> bytes:
    if code in (0x71, 0x72, 0x74, 0x78):
        return map_of(random, 2)
    if code == 0x75:
        return b"\xa0" + sized(random.randbytes(3), False)
    return value(random, 2) if code == 0x77 else list_of(random, 2)


def draw_stream(package: str, random: Random) -> bytes:
    """A few frames, right or wrong in their body or around it."""
    suite = suite_octets(package)
    parts = [_frame(package, random) for _ in range(random.choice((1, 1, 2, 3)))]
    stream = b"".join(parts)
    return mutate(stream, random, suite["frame"]) if random.random() < 0.3 else stream


def _frame(package: str, random: Random) -> bytes:
    suite = suite_octets(package)
    kind = random.choice(("composite", "composite", "frame", "delivery", "protocol-header", "value"))
    if kind in ("frame", "delivery", "protocol-header"):
        return random.choice(suite[kind])
    body = random.choice(suite["composite"]) if kind == "composite" else draw_value(package, random)
    if random.random() < 0.6:
        body = mutate(body, random, suite["composite"])
    return frame(int(random.random() < 0.2), random.randrange(65536), body)


def frame(kind: int, channel: int, body: bytes) -> bytes:
    return struct.pack(">IBBH", len(body) + 8, 2, kind, channel) + body


def draw_options(package: str, random: Random) -> dict[str, Any]:
    options: dict[str, Any] = {}
    if random.random() < 0.3:
        options["max_depth"] = random.choice((1, 2, 3, 10, 64, 128))
    if random.random() < 0.3:
        options["max_elements"] = random.choice((0, 1, 2, 5, 65536, 2**32 - 1))
    return options


def draw_value_options(package: str, random: Random) -> dict[str, Any]:
    options = draw_options(package, random)
    options["position"] = random.choice((0, 0, 0, 1, 5))
    options["buffer"] = random.choice(("bytes", "bytes", "bytearray", "memoryview"))
    return options


def draw_stream_options(package: str, random: Random) -> dict[str, Any]:
    options = draw_options(package, random)
    options["lossless"] = random.random() < 0.4
    options["max_frame_size"] = random.choice((0, 0, 0, 0, 8, 40, 512))
    options["pieces"] = random.choice((0, random.randrange(1, 2**32)))
    return options
