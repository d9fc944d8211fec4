"""Octets for the decoders of the 0-x packages: those of the suites, changed, and tables made at random."""

from __future__ import annotations

from importlib import import_module
from random import Random
from typing import Any

from tests.fuzz.mutator import mutate
from tests.fuzz.suite_octets import suite_octets

LETTERS = b"tbBsUuIiLlfdDSxATFV\0"
SIZES = {b"t": 1, b"b": 1, b"B": 1, b"s": 2, b"U": 2, b"u": 2, b"I": 4, b"i": 4, b"f": 4, b"D": 5}
FRAME_TYPES = {"method": 1, "header": 2}


def draw_table(package: str, random: Random) -> bytes:
    """A table of the suites, changed, or one made at random."""
    if random.random() < 0.4:
        return mutate(random.choice(suite_octets(package)["table"]), random, suite_octets(package)["table"])
    octets = longstr(_entries(random, random.choice((1, 3, 6))))
    return octets if random.random() < 0.7 else mutate(octets, random, ())


def _entries(random: Random, depth: int) -> bytes:
    parts: list[bytes] = []
    for _ in range(random.choice((0, 1, 1, 2, 3))):
        key = random.choice((b"", b"k", b"k", b"key", b"\xc3", "\u20ac".encode(), b"$x", b"a.b\n"))
        parts += (bytes((len(key),)), key, _value(random, depth))
    return b"".join(parts)


def _value(random: Random, depth: int) -> bytes:
    code = random.choice(LETTERS) if random.random() < 0.98 else random.randrange(256)
    letter = bytes((code,))
    if letter == b"F" and depth:
        return letter + longstr(_entries(random, depth - 1))
    if letter == b"A" and depth:
        items = b"".join(_value(random, depth - 1) for _ in range(random.choice((0, 1, 2, 4))))
        return letter + longstr(items)
    if letter in b"SxFA":
        return letter + longstr(random.choice((b"", b"text", b"\xff", "\u20ac".encode(), bytes(5))))
    if letter in b"V\0":
        return letter
    size = SIZES.get(letter, 8)
    return letter + random.choice((bytes(size), b"\xff" * size, random.randbytes(size)))


def longstr(octets: bytes) -> bytes:
    return len(octets).to_bytes(4, "big") + octets


def draw_method(package: str, random: Random) -> bytes:
    """The payload of a method, changed, or with another table at its end."""
    methods = suite_octets(package)["method"]
    payload = random.choice(methods)
    if random.random() < 0.3:
        return with_table(payload, draw_table(package, random))
    return mutate(payload, random, methods)


def with_table(payload: bytes, table: bytes) -> bytes:
    """A payload that ends with a table, perhaps, with another one in its place."""
    for size in range(len(payload) - 8):
        start = len(payload) - 4 - size
        if payload[start : start + 4] == size.to_bytes(4, "big"):
            return payload[:start] + table
    return payload + table


def draw_stream(package: str, random: Random) -> bytes:
    """A few frames, right or wrong in their payload or around it."""
    parts = [_frame(package, random) for _ in range(random.choice((1, 1, 2, 3)))]
    stream = b"".join(parts)
    return mutate(stream, random, suite_octets(package)["frame"]) if random.random() < 0.3 else stream


def _frame(package: str, random: Random) -> bytes:
    suite = suite_octets(package)
    kind = random.choice(("method", "method", "header", "frame", "message", "properties"))
    if kind in ("frame", "message"):
        return random.choice(suite[kind])
    if kind == "properties":
        payload = b"\0\x3c\0\0" + random.randbytes(8) + b"\x20\0" + draw_table(package, random)
        return frame(2, random.randrange(65536), payload)
    payload = draw_method(package, random) if kind == "method" else random.choice(suite["header"])
    if kind == "header" and random.random() < 0.6:
        payload = mutate(payload, random, suite["header"])
    return frame(FRAME_TYPES[kind], random.randrange(65536), payload)


def frame(kind: int, channel: int, payload: bytes) -> bytes:
    return bytes((kind,)) + channel.to_bytes(2, "big") + longstr(payload) + b"\xce"


def draw_options(package: str, random: Random) -> dict[str, Any]:
    """Dialect, leniency and limits; the defaults half the time."""
    options: dict[str, Any] = {}
    if random.random() < 0.5:
        options["dialect"] = random.choice(sorted(import_module(package).dialects.DIALECTS))
    if random.random() < 0.3:
        options["lenient"] = True
    if random.random() < 0.2:
        options["max_depth"] = random.choice((1, 2, 3, 10, 64, 200))
    if random.random() < 0.2:
        options["max_elements"] = random.choice((1, 2, 5, 65536))
    return options


def draw_stream_options(package: str, random: Random) -> dict[str, Any]:
    options = draw_options(package, random)
    options["lossless"] = random.random() < 0.4
    options["lazy_properties"] = random.random() < 0.2
    options["max_frame_size"] = random.choice((0, 0, 0, 0, 8, 40, 100, 4096))
    options["pieces"] = random.choice((0, random.randrange(1, 2**32)))
    return options


def draw_table_options(package: str, random: Random) -> dict[str, Any]:
    options = draw_options(package, random)
    options["position"] = random.choice((0, 0, 0, 1, 5))
    options["buffer"] = random.choice(("bytes", "bytes", "bytearray", "memoryview"))
    return options
