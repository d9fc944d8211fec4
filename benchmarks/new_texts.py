"""Units of work whose texts repeat, and units whose texts are all new.

A codec may keep texts that it has seen. Real traffic repeats most of them: names of exchanges and queues, content types, keys
of headers. So both are measured. There are enough new ones that none is still kept when it comes again in the next round.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

_Unit = TypeVar("_Unit")

STRINGS = ("repeated", "new")
REPEATED_UNITS = 50
NEW_UNITS = 200

# Shorter texts grow, so that those of different fields stay different.
_REPLACED = 4
_KEPT = 8


def units(strings: str, make: Callable[[int | None], _Unit]) -> list[_Unit]:
    """The same unit many times, or as many that have no text in common.

    Args:
        strings: ``repeated`` or ``new``.
        make: Makes a unit; it gets the number for ``renewed``.
    """
    if strings == "repeated":
        return [make(None)] * REPEATED_UNITS
    return [make(number) for number in range(NEW_UNITS)]


def renewed(value: Any, number: int | None) -> Any:
    """A value with other texts, keys included, for each number; the value itself for None."""
    if number is None:
        return value
    if isinstance(value, str):
        return f"{value[:-_REPLACED] if len(value) > _KEPT else value}{number:0{_REPLACED}x}"
    if isinstance(value, list):
        return [renewed(item, number) for item in value]
    if isinstance(value, dict):
        return {renewed(key, number): renewed(item, number) for key, item in value.items()}
    return value
