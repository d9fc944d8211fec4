"""The classes of the generated ``types.py``: primitive types in Python where no field states the type."""

from __future__ import annotations

from ...model.amqp1.primitive_types import PRIMITIVE_TYPES
from ...model.amqp1.spec import Spec
from ...model.problem import Problem

# Primitive type to the Python type that its values are decoded to.
_ROWS = (
    ("null", "``None``"),
    ("boolean", "``bool``"),
    ("ubyte, ushort, uint, ulong", "``UByte``, ``UShort``, ``UInt``, ``ULong``"),
    ("byte, short, int", "``Byte``, ``Short``, ``Int``"),
    ("long", "``int``, also called ``Long``"),
    ("float", "``Float``"),
    ("double", "``float``, also called ``Double``"),
    ("decimal32, decimal64, decimal128", "``Decimal32``, ``Decimal64``, ``Decimal128``"),
    ("char", "``Char``"),
    ("timestamp", "``Timestamp``"),
    ("uuid", "``uuid.UUID``"),
    ("binary", "``bytes``"),
    ("string", "``str``"),
    ("symbol", "``Symbol``"),
    ("list", "``list``"),
    ("map", "``dict``, or ``Map`` where a ``dict`` cannot hold it"),
    ("array", "``Array``"),
    ("any described value", "the class of its type, or ``Described``"),
)

_OTHER_EXPORTS = (
    *(
        "Array",
        "Described",
        "Double",
        "Integer",
        "IntegerChoice",
        "Long",
        "Map",
        "SymbolChoice",
        "TextChoice",
    ),
    "milliseconds",
)
TYPE_EXPORTS = sorted(
    {*_OTHER_EXPORTS, *(facts.class_name for facts in PRIMITIVE_TYPES.values() if facts.class_name)}
)


def hex_literal(number: int) -> str:
    """Return a format code as source: ``0xA1``."""
    return f"0x{number:02X}"


def type_rows() -> list[str]:
    """Return the lines of a list of primitive types and their Python types."""
    return [f"- {names}: {python}." for names, python in _ROWS]


# The encodings that the codec can read and write, by their identifier in the model.
_ENCODINGS = frozenset(
    {
        *("NULL", "BOOLEAN", "BOOLEAN_FALSE", "BOOLEAN_TRUE", "CHAR_UTF32", "TIMESTAMP_MS64", "UUID"),
        *(
            "UBYTE",
            "USHORT",
            "UINT",
            "UINT_SMALLUINT",
            "UINT_UINT0",
            "ULONG",
            "ULONG_SMALLULONG",
            "ULONG_ULONG0",
        ),
        *("BYTE", "SHORT", "INT", "INT_SMALLINT", "LONG", "LONG_SMALLLONG"),
        *("FLOAT_IEEE_754", "DOUBLE_IEEE_754"),
        *("DECIMAL32_IEEE_754", "DECIMAL64_IEEE_754", "DECIMAL128_IEEE_754"),
        *(
            "BINARY_VBIN8",
            "BINARY_VBIN32",
            "STRING_STR8_UTF8",
            "STRING_STR32_UTF8",
            "SYMBOL_SYM8",
            "SYMBOL_SYM32",
        ),
        *(
            "LIST_LIST0",
            "LIST_LIST8",
            "LIST_LIST32",
            "MAP_MAP8",
            "MAP_MAP32",
            "ARRAY_ARRAY8",
            "ARRAY_ARRAY32",
        ),
    }
)


def missing_encodings(spec: Spec) -> list[Problem]:
    """Return a problem for each encoding of the standard that is missing, and for each additional encoding."""
    present = {encoding.identifier: encoding for encoding in spec.encodings}
    problems = [
        Problem(
            "missing-encoding", f"there is no encoding {name}", None, "give types.xml of the standard, too"
        )
        for name in sorted(_ENCODINGS - set(present))
    ]
    return problems + [
        Problem("unknown-encoding", f"no codec is known for the encoding {name}", present[name].position)
        for name in sorted(set(present) - _ENCODINGS)
    ]
