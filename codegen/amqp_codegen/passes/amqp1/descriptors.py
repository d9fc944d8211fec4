"""Descriptors: each symbol and each number stands for one type only."""

from __future__ import annotations

from collections.abc import Iterable

from ...model.problem import Problem
from ...model.raw1 import RawDescriptor
from ...model.types1 import Descriptor
from ..names import duplicates
from .types import KnownType


def check_descriptors(types: Iterable[KnownType]) -> list[Problem]:
    """Problems for symbols and numbers that occur twice in the whole specification."""
    found = [(known.raw.name, each) for known in types for each in known.raw.descriptors]
    by_symbol = duplicates(
        [each for each in found if each[1].name],
        lambda each: each[1].name,
        lambda each: each[1].position,
        "name",
        "duplicate-descriptor",
        lambda each: f"descriptor {each[1].name!r} of type {each[0]!r}",
    )
    by_code = duplicates(
        [each for each in found if each[1].code is not None],
        lambda each: each[1].code,
        lambda each: each[1].position,
        "code",
        "duplicate-descriptor",
        lambda each: f"descriptor {show_code(each[1].code or 0)} of type {each[0]!r}",
    )
    return by_symbol + by_code


def resolve_descriptors(raw: Iterable[RawDescriptor]) -> tuple[Descriptor, ...]:
    """The descriptors of one type."""
    return tuple(Descriptor(each.name, each.code, each.position) for each in raw)


def show_code(code: int) -> str:
    """A descriptor's number as files write it: ``0x00000000:0x00000010``."""
    return f"0x{code >> 32:08x}:0x{code & 0xFFFF_FFFF:08x}"
