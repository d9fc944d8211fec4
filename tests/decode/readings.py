"""Readings of octets, and what holds for all of them."""

from __future__ import annotations

from functools import cache
from typing import Any

from amqp_codegen.api import load
from amqp_codegen.decode.annotation import ABSENT, Annotation
from amqp_codegen.decode.protocol_headers import ProtocolHeaders, known_headers
from amqp_codegen.decode.reading import Reading, read_as

VERSIONS = {
    "amqp_0_8": "0-8",
    "amqp_0_8_rabbitmq": "0-8-rabbitmq",
    "amqp_0_9": "0-9",
    "amqp_0_9_1": "0-9-1",
    "amqp_0_9_1_rabbitmq": "0-9-1-rabbitmq",
}
SPECS: dict[str, Any] = {}


@cache
def spec_of(version: str) -> Any:
    return load(version).spec


@cache
def headers() -> ProtocolHeaders:
    return known_headers(spec_of("1.0"))


def read(octets: bytes, version: str, kind: str = "frames") -> Reading:
    """The octets as that; every octet is in one leaf, and every range in that of its parent."""
    reading = read_as(octets, spec_of(version), kind, headers())
    check_cover(reading.parts, 0, len(octets))
    return reading


def check_cover(parts: tuple[Annotation, ...], start: int, end: int) -> None:
    position = start
    for part in parts:
        assert part.start == position <= part.end, part
        if part.children:
            check_cover(part.children, part.start, part.end)
        position = part.end
    assert position == end, parts


def part_named(reading: Reading, name: str) -> Annotation:
    """The first annotation of that name."""
    return next(part for whole in reading.parts for part in whole if part.name == name)


def fields_of(part: Annotation) -> dict[str, Any]:
    """Name to value of what is not an id, a size or a count; the bits by their own names."""
    values: dict[str, Any] = {}
    for child in part.children:
        if child.type == "bit":
            values |= {bit.name: bit.value for bit in child.bits}
        elif not child.inline:
            values[child.name] = plain(child)
    return values


def plain(part: Annotation) -> Any:
    """A value as the generated packages return it, tables as dict, arrays as list."""
    if part.value is not ABSENT:
        return part.value
    items = [child for child in part.children if not child.inline]
    if part.type == "array":
        return [plain(item) for item in items]
    return {item.name: plain(item) for item in items}
