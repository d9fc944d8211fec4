"""Limits of decoding: depth of nesting, number of elements, known types."""

from __future__ import annotations

from collections.abc import Callable
from struct import error as struct_error
from typing import Any, Final

MAX_DEPTH: Final = 64
MAX_ELEMENTS: Final = 65536
DEEPEST: Final = 128  # a level costs up to four calls, and the interpreter allows about a thousand

# Raised by the fast readers if the octets are invalid; the walkers report what is wrong and where.
DECODE_FAULTS: Final = (
    IndexError,
    KeyError,
    OverflowError,
    RecursionError,
    TypeError,
    ValueError,
    struct_error,
)


class KnownKeys:
    """Keys of maps that were already read, checked and written, so that the maps around them need not do it again.

    Attributes:
        buffer: The octets in which they are.
        at: By position: the stand-in of the key, and the position after it.
    """

    __slots__ = ("at", "buffer")

    def __init__(self, buffer: bytes) -> None:
        self.buffer = buffer
        self.at: dict[int, tuple[Any, int]] = {}


NO_KEYS: Final = KnownKeys(b"")


class Limits:
    """The limits at one level of nesting.

    Attributes:
        deeper: The limits of the next level; None if there may be none.
        elements: The most elements of a list, map or array.
        known: Set inside of a key: the reader of the key writes it, too, and that fails if a map in it has a
            key twice. Were the maps checked one by one, each level of nesting would be written again by all
            levels around it.
    """

    __slots__ = ("_of_key", "deeper", "elements", "known")

    def __init__(self, deeper: Limits | None, elements: int, known: KnownKeys | None = None) -> None:
        self.deeper = deeper
        self.elements = elements
        self.known = known
        self._of_key: Limits | None = None

    def of_key(self) -> Limits:
        """Return these limits for the inside of a key."""
        if self.known is not None:
            return self
        if self._of_key is None:
            deeper = None if self.deeper is None else self.deeper.of_key()
            self._of_key = Limits(deeper, self.elements, NO_KEYS)
        return self._of_key


# (buffer, position, limits) -> (value, position after it)
ValueReader = Callable[[bytes, int, Limits], tuple[Any, int]]

# The types with descriptors that the specification defines: descriptor, as ``int`` or ``str``, to the function that
# reads what follows it. ``described`` fills it.
READERS: Final[dict[Any, ValueReader]] = {}


def make_limits(
    max_depth: int = MAX_DEPTH, max_elements: int = MAX_ELEMENTS, known: KnownKeys | None = None
) -> Limits:
    """Return limits for a value and all that is in it.

    Args:
        max_depth: How deep described values, lists, maps and arrays may nest, 1 to 128. A composite
            is one level, the list in it included.
        max_elements: How many elements a list, map or array may have; the fields of a composite do not count.
        known: Keys that need not be read again, for a caller that checks maps in another way.

    Raises:
        ValueError: A limit is out of range.
    """
    if not 1 <= max_depth <= DEEPEST:
        raise ValueError(f"max_depth is {max_depth}, not 1 to {DEEPEST}")
    if max_elements < 0:
        raise ValueError(f"max_elements is {max_elements}, less than 0")
    limits = Limits(None, max_elements, known)
    for _ in range(max_depth):
        limits = Limits(limits, max_elements, known)
    return limits


DEFAULT_LIMITS: Final = make_limits()
