"""Descriptors: each symbol and each number stands for one type only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ...model.position import Position
from ...model.problem import Problem
from ...model.raw1 import RawDescriptor
from ...model.types1 import Descriptor
from ..names import duplicates
from .types import KnownType


class _Owned(NamedTuple):
    """A descriptor and the name of its type."""

    type: str
    raw: RawDescriptor

    @property
    def name(self) -> str:
        return self.raw.name

    @property
    def position(self) -> Position:
        return self.raw.position


def check_descriptors(types: Iterable[KnownType]) -> Iterator[Problem]:
    """Problems for symbols and numbers that occur twice in the whole specification."""
    owned = [_Owned(known.name, each) for known in types for each in known.raw.descriptors]
    yield from duplicates(
        [each for each in owned if each.name],
        "name",
        lambda each: each.name,
        "duplicate-descriptor",
        lambda each: f"descriptor {each.name!r} of type {each.type!r}",
    )
    yield from duplicates(
        [each for each in owned if each.raw.code is not None],
        "code",
        lambda each: each.raw.code,
        "duplicate-descriptor",
        lambda each: f"descriptor {show_code(each.raw.code or 0)} of type {each.type!r}",
    )


def resolve_descriptors(raw: Iterable[RawDescriptor]) -> tuple[Descriptor, ...]:
    """The descriptors of one type."""
    return tuple(Descriptor(each.name, each.code, each.position) for each in raw)


def show_code(code: int) -> str:
    """A descriptor's number as files write it: ``0x00000000:0x00000010``."""
    return f"0x{code >> 32:08x}:0x{code & 0xFFFF_FFFF:08x}"
