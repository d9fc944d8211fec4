"""Class and method ids that the version has not."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.spec0 import Spec
from ..case import Case, refused_octets

_HIGHEST = 0xFFFF


def unknown_cases(spec: Spec) -> Iterator[Case]:
    """An unknown class, and for each class unknown methods beside those it has."""
    classes = {entry.index for entry in spec.classes}
    for index in _beside(classes):
        yield _unknown("class-id", f"{index}", index, 10, "method")
    for entry in spec.classes:
        for index in _beside({method.index for method in entry.methods}):
            yield _unknown(entry.name, f"method-{index}", entry.index, index, "method")
    content = {entry.index for entry in spec.content_classes}
    for index in sorted((classes | set(_beside(content))) - content):
        yield _unknown("content-class-id", f"{index}", index, 0, "header")


def _beside(known: set[int]) -> list[int]:
    """Numbers next to those known that are not known, and the ends of the range."""
    near = {0, _HIGHEST, *(index + step for index in known for step in (-1, 1))}
    return sorted(index for index in near - known if 0 <= index <= _HIGHEST)


def _unknown(element: str, what: str, class_id: int, second: int, kind: str) -> Case:
    # Enough octets behind the ids for any fixed part: that they are few must not be the reason.
    octets = class_id.to_bytes(2, "big") + second.to_bytes(2, "big") + bytes(12)
    part = octets[:14] if kind == "header" else octets
    return refused_octets(element, f"unknown-{what}", kind, part, "unknown")
