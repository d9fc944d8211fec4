"""The annotated view as JSON data; ``docs/decode.md`` describes the format."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from .annotation import ABSENT, Annotation, BitValue, Element
from .guess import BestReading

FORMAT = 1
Link = Callable[[Element], str]


def view_document(guess: BestReading, link: Link) -> dict[str, Any]:
    """Return the view as JSON data; ``link`` returns the address of an element in the reference guide."""
    reading = guess.reading
    return {
        "format": FORMAT,
        "version": reading.spec.version,
        "as": reading.kind,
        "also": [{"version": version, "as": kind} for version, kind in guess.also],
        "size": len(reading.octets),
        "errors": len(reading.errors),
        "parts": [_part(part, reading.octets, link) for part in reading.parts],
    }


def _part(part: Annotation, octets: bytes, link: Link) -> dict[str, Any]:
    data: dict[str, Any] = {"name": part.name, "offset": part.start, "size": part.end - part.start}
    if not part.children:
        data["octets"] = octets[part.start : part.end].hex()
    if part.type:
        data["type"] = part.type
    if part.value is not ABSENT:
        data["value"] = _json_value(part.value)
    if part.meaning:
        data["meaning"] = part.meaning
    if part.error:
        data["error"] = part.error
    if part.element is not None:
        data["guide"] = link(part.element)
    if part.bits:
        data["bits"] = [_bit(bit, link) for bit in part.bits]
    if part.children:
        data["parts"] = [_part(child, octets, link) for child in part.children]
    return data


def _bit(bit: BitValue, link: Link) -> dict[str, Any]:
    data = {"name": bit.name, "place": bit.place, "value": bit.value}
    return data if bit.element is None else {**data, "guide": link(bit.element)}


def _json_value(value: object) -> Any:
    if isinstance(value, bytes):
        return {"hex": value.hex()}
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value
