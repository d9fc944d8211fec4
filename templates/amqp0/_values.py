"""Values without a Python type: timestamps in whole seconds, values with a chosen letter."""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeGuard

from ._arguments import whole_number
from ._texts import shown
from ._wire import PER_SECOND
from .errors import EncodeError, TimestampOutOfRange

# What a value that is neither True nor False counts as in an octet of bits, which it makes too large to be written.
NOT_A_BIT: Final = 256

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_UNIT: Final = timedelta(seconds=1) / PER_SECOND
TIMESTAMP_RANGE: Final = "a timestamp, 0 to 2^64 - 1 seconds since 1970"


class Timestamp(int):
    """Seconds since 1970-01-01 UTC, 0 to 2^64 - 1, as the wire carries them."""

    __slots__ = ()

    @property
    def datetime(self) -> datetime:
        """The moment as an aware datetime; TimestampOutOfRange after the year 9999."""
        try:
            return _EPOCH + int(self) * _UNIT
        except OverflowError:
            raise TimestampOutOfRange(
                f"{shown(int(self))} seconds from 1970 are beyond the years 1 to 9999 of a datetime; "
                "some peers send milliseconds"
            ) from None


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


# The values of a field table: what encoding takes, and, of these, what decoding gives.
Scalar: TypeAlias = (
    bool | int | float | Decimal | str | bytes | bytearray | memoryview | datetime | Tagged | None
)
if TYPE_CHECKING:
    FieldValue: TypeAlias = Scalar | Sequence["FieldValue"] | Mapping[str, "FieldValue"]
else:  # typing.get_type_hints would look for a name in quotes in the module of its caller
    FieldValue = Scalar | Sequence[Any] | Mapping[str, Any]
FieldTable: TypeAlias = Mapping[str, FieldValue]


class SelfWritingTable(Mapping[str, FieldValue], ABC):
    """A table that has its octets already; see ``table.RawTable``."""

    __slots__ = ()

    def checked_octets(self, depth: int) -> bytes:
        """Return the octets of the entries, checked at this depth of nesting; EncodeError if they are invalid."""
        raise NotImplementedError


def epoch_seconds(value: Any) -> int:
    """Return the seconds of an ``int`` or an aware ``datetime``; a naive one is an error."""
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise EncodeError("a datetime without a time zone is ambiguous; give it one")
        return (value - _EPOCH) // _UNIT
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise EncodeError(f"{shown(value)} is neither int nor datetime")


def decimal_parts(value: Any, low: int, high: int) -> tuple[int, int]:
    """Return a decimal as the number of digits after the point and an integer."""
    if not isinstance(value, (Decimal, int)):
        raise EncodeError(f"{shown(value)} is not a Decimal")
    sign, digits, exponent = Decimal(whole_number(value)).as_tuple()
    if not isinstance(exponent, int):
        raise EncodeError(f"{shown(value)} is not finite")
    if exponent > 10 or len(digits) > 10:
        raise EncodeError("the digits of the decimal do not fit 32 bits")
    number = 0
    for digit in digits:
        number = 10 * number + digit
    if exponent > 0:
        number, exponent = number * 10**exponent, 0
    if sign:
        number = -number
    if not low <= number <= high:
        raise EncodeError(f"the digits of the decimal, {number}, are not in {low} to {high}")
    if exponent < -255:
        raise EncodeError(
            f"{-exponent} digits after the point are too many for a decimal, which has 255", code="too-large"
        )
    return -exponent, number


def is_mapping(value: object) -> TypeGuard[Mapping[Any, Any]]:
    """Return whether a value can be written as a table."""
    return isinstance(value, Mapping)
