"""The elementary types of the 0-x protocols: a row for each, which everything that depends on a type reads.

Resolving, generated readers, writers and columns, ``decode``, ``encode``, vectors and their schema ask the row, not
for the name of a type: a new number is a row here. docs/architecture.md, "A new field type", has the whole way.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from struct import calcsize


@dataclass(frozen=True, slots=True)
class FieldFacts:
    """What depends on an elementary type. Source is that of generated packages.

    Attributes:
        range: Its name and its values, for people.
        letter: The letter of a number in format strings of ``struct``; empty for other types.
        length: The octets of the length before a string or a table.
        python: The type of the attribute that has a value.
        taken: What constructors take besides, as source to append.
        zero: The value of a reserved field that has none, as source.
        is_mutable: Whether each object needs a zero of its own, for which None stands in constructors.
        column: The Arrow name of the narrowest SQL type for all values that occur. Content has two columns.
        misfit: The test whether a value ``{}`` does not fit its column, as source; empty if all fit.
        per_second: Of a moment: its units in a second; else 0.
    """

    range: str
    letter: str = ""
    length: int = 0
    python: str = "int"
    taken: str = ""
    zero: str = "0"
    is_mutable: bool = False
    column: str = ""
    misfit: str = ""
    per_second: int = 0


class WireType(Enum):
    """The elementary types of the 0-x protocols (0-9-1 section 4.2.1); the value is the specification's name.

    0-9 uses ``content`` without declaring it: an octet that says how to read what follows (0 the data itself, 1 the name
    of a reference), then a long string.
    """

    _value_: str
    facts: FieldFacts

    def __new__(cls, name: str, facts: FieldFacts) -> WireType:
        """Return a member: its value is the name, its row an attribute."""
        member = object.__new__(cls)
        member._value_ = name
        member.facts = facts
        return member

    BIT = "bit", FieldFacts("bit", python="bool", zero="False", column="bool")
    OCTET = "octet", FieldFacts("octet, 0 to 255", "B", column="int16")
    SHORT = "short", FieldFacts("short, 0 to 65535", "H", column="int32")
    LONG = "long", FieldFacts("long, 0 to 2^32 - 1", "I", column="int64")
    LONGLONG = (
        "longlong",
        FieldFacts("longlong, 0 to 2^64 - 1", "Q", column="int64", misfit="{} > LARGEST"),
    )
    SHORTSTR = (
        "shortstr",
        FieldFacts("shortstr, at most 255 octets", length=1, python="str", zero='""', column="string"),
    )
    LONGSTR = (
        "longstr",
        FieldFacts("longstr, at most 2^32 - 1 octets", length=4, python="bytes", zero='b""', column="binary"),
    )
    TIMESTAMP = (
        "timestamp",
        FieldFacts(
            "timestamp, seconds since 1970-01-01 UTC",
            "Q",
            taken=" | datetime",
            column="timestamp[us]",
            misfit="{} > LAST_MOMENT",
            per_second=1,
        ),
    )
    TABLE = (
        "table",
        FieldFacts(
            "field table", length=4, python="FieldTable", zero="{}", is_mutable=True, column="variant"
        ),
    )
    CONTENT = (
        "content",
        FieldFacts(
            "content, an octet and a longstr", length=4, python="Content", zero="Content()", is_mutable=True
        ),
    )

    @property
    def width(self) -> int | None:
        """Octets of a number; None for bits, strings, tables and content."""
        return calcsize(f">{self.facts.letter}") if self.facts.letter else None

    @property
    def octets(self) -> int:
        """Octets of a value that is zero or empty; none for a bit, which shares its octet."""
        return self.width or self.facts.length + (self is WireType.CONTENT)

    @property
    def is_signed(self) -> bool:
        """Whether it is a number that may be negative."""
        return self.facts.letter.islower()

    @property
    def low(self) -> int:
        """The lowest value of a number."""
        return -(1 << 8 * (self.width or 0) - 1) if self.is_signed else 0

    @property
    def high(self) -> int:
        """The highest value of a number."""
        return (1 << 8 * (self.width or 0) - self.is_signed) - 1

    @property
    def form(self) -> str:
        """The form of its values in JSON; numbers of 64 bits are text, as JSON readers keep only 53 bits."""
        if self.width is not None:
            return "integer64" if self.width == 8 else "integer"
        forms = {
            "bool": "boolean",
            "str": "text",
            "bytes": "octets",
            "FieldTable": "entries",
            "Content": "content",
        }
        return forms[self.facts.python]


WIRE_TYPES = {kind.value: kind for kind in WireType}

# The numbers of field tables, by the kind of value: their letters in format strings of ``struct``.
TABLE_NUMBERS = {
    **{"int8": "b", "uint8": "B", "int16": "h", "uint16": "H", "int32": "i", "uint32": "I"},
    **{"int64": "q", "uint64": "Q", "float": "f", "double": "d"},
    "timestamp": WireType.TIMESTAMP.facts.letter,
}
TABLE_FLOATS = {kind: letter for kind, letter in TABLE_NUMBERS.items() if letter in "fd"}
