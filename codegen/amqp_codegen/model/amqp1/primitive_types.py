"""The primitive types of AMQP 1.0 (part 1, 1.6): a row for each, which everything that depends on a type reads."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PrimitiveFacts:
    """What depends on a primitive type. Source is that of generated packages.

    Attributes:
        python: The type of an attribute; plain types suffice, as the field states the wire type.
        class_name: The class of its values where no field states the type; empty where that is ``python``.
        bits: Of an integer: its bits; else 0.
        is_signed: Whether an integer may be negative.
        letter: Of a floating-point number: its letter in format strings of ``struct``.
        choices: The base of an enum of choices; empty for types whose choices have no enum.
        column: The Arrow name of the narrowest SQL type for all values that occur; else a column has variants.
        misfit: The test whether a value ``{}`` does not fit its column, as source; empty if all fit.
        per_second: Of a moment: its units in a second; else 0.
        reader: How fields read it: by a ``function`` of its own, ``in place`` where it has its commonest constructor, or
            by the reader of all primitive types; then empty.
        written_as: What stands for a value in suites, unless it is an integer: a type of JSON, or ``octets``; empty for
            lists, maps and arrays.
    """

    python: str
    class_name: str = ""
    bits: int = 0
    is_signed: bool = False
    letter: str = ""
    choices: str = ""
    column: str = "variant"
    misfit: str = ""
    per_second: int = 0
    reader: str = ""
    written_as: str = ""

    @property
    def form(self) -> str:
        """What stands for a value in suites: ``written_as``, of integers ``integer`` or, as a text, ``integer64``."""
        return self.written_as or ("integer64" if self.is_wide else "integer" if self.bits else "")

    @property
    def is_wide(self) -> bool:
        """Whether it is an integer with values above 2^53, up to which JSON numbers are exact in all languages."""
        return self.bits > 53

    @property
    def low(self) -> int:
        """The lowest value of an integer."""
        return -(1 << self.bits - 1) if self.is_signed else 0

    @property
    def high(self) -> int:
        """The highest value of an integer."""
        return (1 << self.bits - self.is_signed) - 1


_CHOICE = "IntegerChoice"

PRIMITIVE_TYPES = {
    "null": PrimitiveFacts("None", written_as="null"),
    "boolean": PrimitiveFacts(
        "bool", choices=_CHOICE, column="bool", reader="in place", written_as="boolean"
    ),
    "ubyte": PrimitiveFacts("int", "UByte", 8, choices=_CHOICE, column="int16", reader="in place"),
    "ushort": PrimitiveFacts("int", "UShort", 16, choices=_CHOICE, column="int32", reader="function"),
    "uint": PrimitiveFacts("int", "UInt", 32, choices=_CHOICE, column="int64", reader="in place"),
    "ulong": PrimitiveFacts(
        "int", "ULong", 64, choices=_CHOICE, column="int64", misfit="{} > LARGEST", reader="function"
    ),
    "byte": PrimitiveFacts("int", "Byte", 8, is_signed=True, choices=_CHOICE, column="int8"),
    "short": PrimitiveFacts("int", "Short", 16, is_signed=True, choices=_CHOICE, column="int16"),
    "int": PrimitiveFacts("int", "Int", 32, is_signed=True, choices=_CHOICE, column="int32"),
    "long": PrimitiveFacts("int", "", 64, is_signed=True, choices=_CHOICE, column="int64"),
    "float": PrimitiveFacts("float", "Float", letter="f", column="float", written_as="octets"),
    "double": PrimitiveFacts("float", letter="d", column="double", written_as="octets"),
    "decimal32": PrimitiveFacts("Decimal32", "Decimal32", written_as="octets"),
    "decimal64": PrimitiveFacts("Decimal64", "Decimal64", written_as="octets"),
    "decimal128": PrimitiveFacts("Decimal128", "Decimal128", written_as="octets"),
    "char": PrimitiveFacts("str", "Char", choices="TextChoice", written_as="integer"),
    "timestamp": PrimitiveFacts(
        "int | datetime",
        "Timestamp",
        bits=64,
        is_signed=True,
        choices=_CHOICE,
        column="timestamp[us]",
        misfit="not FIRST_MOMENT <= {} <= LAST_MOMENT",
        per_second=1000,
        reader="function",
    ),
    "uuid": PrimitiveFacts("UUID", written_as="octets"),
    "binary": PrimitiveFacts("bytes", column="binary", reader="in place", written_as="octets"),
    "string": PrimitiveFacts(
        "str", choices="TextChoice", column="string", reader="in place", written_as="string"
    ),
    "symbol": PrimitiveFacts(
        "str", "Symbol", choices="SymbolChoice", column="string", reader="in place", written_as="string"
    ),
    "list": PrimitiveFacts("Sequence[Value]"),
    # A mapping is invariant in its keys: no other type takes all.
    "map": PrimitiveFacts("Mapping[Any, Value]"),
    "array": PrimitiveFacts("Array"),
}
# The integers, in this order.
INTEGERS = {name: facts for name, facts in PRIMITIVE_TYPES.items() if facts.bits}
