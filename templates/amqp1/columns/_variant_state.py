"""The state that the readers of variants share, and keep for the next variant."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._layout import RequiredArchetype
from .._limits import Limits
from ..errors import LimitExceeded
from .variant_octets import Layouts, Names, Variant


class VariantState:
    """The state of reading variants.

    Attributes:
        readers: By format code: the function that reads what follows it.
        names: The names in the variant at hand, with their numbers.
        checked: Whether what is read now is part of a value of a known type, which has been checked as a whole.
        layouts: The layouts used before.
        small: Small composites read before, by their octets and the archetype they had to provide.
        native: The core in C, which reads what is plain; None without one.
    """

    __slots__ = ("checked", "layouts", "names", "native", "readers", "small")

    def __init__(self, readers: tuple[VariantReader, ...], native: Any) -> None:
        self.readers = readers
        self.native = native
        self.layouts = Layouts()
        self.names: Names = {}
        self.checked = False
        self.small: dict[tuple[bytes, RequiredArchetype], Variant] = {}

    def start(self) -> None:
        """Start another variant."""
        self.names = {}
        self.checked = False

    def deeper(self, limits: Limits, count: int) -> Limits:
        """Return the limits inside of a compound. What has been checked is within them, however it is read here."""
        inner = limits.deeper
        if not self.checked and (count > limits.elements or inner is None):
            raise LimitExceeded("compound")
        return inner or limits


# (buffer, position, limits, state) -> (octets of the value, position after it)
VariantReader = Callable[[bytes, int, Limits, VariantState], tuple[bytes, int]]
