"""Values without a Python type: timestamps in whole seconds, values with a chosen letter."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from typing import Any, Final, TypeAlias, TypeGuard, cast

from .errors import EncodeError

Scalar: TypeAlias = (
    "bool | int | float | Decimal | str | bytes | bytearray | memoryview | datetime | Tagged | None"
)
# The values of a field table: what encoding takes, and, of these, what decoding gives.
FieldValue: TypeAlias = "Scalar | Sequence[FieldValue] | Mapping[str, FieldValue]"
FieldTable: TypeAlias = Mapping[str, "FieldValue"]
# What a value that is neither True nor False counts as in an octet of bits, which it makes too large to be written.
NOT_A_BIT: Final = 256
# The most characters of a value that a message shows.
_SHOWN: Final = 40

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=timezone.utc)


class Timestamp(int, metaclass=type):  # noqa: UP050 - naming it keeps this a plain class when compiled
    """Seconds since 1970-01-01 UTC, 0 to 2^64 - 1, as the wire carries them."""

    __slots__ = ()

    @property
    def datetime(self) -> datetime:
        """The moment as an aware datetime; OverflowError after the year 9999."""
        return _EPOCH + timedelta(seconds=int(self))


class Tagged:
    """A value with the letter that announces it: ``Tagged("b", -3)`` is written as a signed octet.

    Attributes:
        letter: A letter of the dialect in use.
        value: The value; it must suit the letter's kind.
    """

    __slots__ = ("letter", "value")

    def __init__(self, letter: str = "V", value: Any = None) -> None:
        self.letter = letter
        self.value = value

    def __repr__(self) -> str:
        return f"Tagged({self.letter!r}, {self.value!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tagged) and (self.letter, self.value) == (other.letter, other.value)

    def __hash__(self) -> int:
        return hash(self.letter)


class SelfWritingTable(Mapping[str, FieldValue]):
    """A table that has its octets already; see ``table.RawTable``."""

    __slots__ = ()

    def checked_octets(self, depth: int) -> bytes:
        """Return the octets of the entries, checked at this depth of nesting; EncodeError if they are invalid."""
        raise NotImplementedError


def shown(value: object) -> str:
    """Return a value for a message: short, and without calling code of its class."""
    if value is None or type(value) in (bool, int, float, str, bytes):
        try:
            text = repr(value)
        except ValueError:  # an int with more digits than the interpreter turns into text
            return "a huge number"
        return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
    return f"a value of the type {type(value).__name__}"


def epoch_seconds(value: Any) -> int:
    """Return the seconds of an ``int`` or an aware ``datetime``; a naive one is an error."""
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise EncodeError("a datetime without a time zone is ambiguous; give it one")
        return (value - _EPOCH) // timedelta(seconds=1)
    if isinstance(value, int):
        return value
    raise EncodeError(f"{shown(value)} is neither int nor datetime")


Octets: TypeAlias = bytes | bytearray | memoryview


def octets(value: Any) -> bytes:
    """Return the octets of any bytes-like value; EncodeError for anything else."""
    if type(value) is bytes:
        return value
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(cast("Octets", value))
    raise EncodeError(f"{shown(value)} is not bytes-like")


def input_octets(buffer: Any, position: int = 0) -> bytes:
    """Return the octets to decode: ``bytes`` as they are, anything bytes-like copied.

    Raises:
        TypeError: It is not bytes-like.
        ValueError: The position lies before its start.
    """
    if position < 0:
        raise ValueError(f"the position {position} lies before the buffer")
    if type(buffer) is bytes:
        return buffer
    if isinstance(buffer, (bytes, bytearray, memoryview)):
        return bytes(cast("Octets", buffer))
    raise TypeError(f"bytes are needed, not {type(buffer).__name__}")


def is_mapping(value: object) -> TypeGuard[Mapping[Any, Any]]:
    """Return whether a value can be written as a table."""
    return isinstance(value, Mapping)
