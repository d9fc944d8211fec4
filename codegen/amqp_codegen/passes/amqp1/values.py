"""Values as 1.0 files write them, of choices and defaults, to values in Python."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from ...model.spec1 import Value

# The number of bits of each integral type, and whether it is signed.
_INTEGERS: Mapping[str, tuple[int, bool]] = {
    "ubyte": (8, False),
    "ushort": (16, False),
    "uint": (32, False),
    "ulong": (64, False),
    "byte": (8, True),
    "short": (16, True),
    "int": (32, True),
    "long": (64, True),
    "timestamp": (64, True),
}
_INTEGER = re.compile(r"-?[0-9]{1,20}|0[xX][0-9a-fA-F]{1,16}")
_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,40}(?:\.[0-9]{0,40})?|\.[0-9]{1,40})(?:[eE][+-]?[0-9]{1,4})?")
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_LARGEST = {"float": 3.4028234663852886e38, "double": 1.7976931348623157e308}


def parse_value(primitive: str, text: str) -> tuple[Value | None, str]:
    """Reads a value.

    Args:
        primitive: The name of the primitive type it is of; empty for any type.
        text: As written.

    Returns:
        The value, and what is wrong with it, to follow "value 'x'"; one of the two is there.
    """
    if primitive in _INTEGERS:
        return _integer(primitive, text)
    parser = _PARSERS.get(primitive)
    if parser is None:
        return None, f"cannot be read: values of type {primitive or '*'} cannot be written down"
    value = parser(text)
    return value, "" if value is not None else f"is no {primitive}"


def _integer(primitive: str, text: str) -> tuple[Value | None, str]:
    bits, signed = _INTEGERS[primitive]
    lowest = -(1 << bits - 1) if signed else 0
    highest = (1 << bits - signed) - 1
    if not _INTEGER.fullmatch(text):
        return None, f"is no {primitive}"
    value = int(text, 16) if text[1:2] in ("x", "X") else int(text)
    if not lowest <= value <= highest:
        return None, f"is out of the range of {primitive}: {lowest} to {highest}"
    return value, ""


def _boolean(text: str) -> bool | None:
    return {"true": True, "false": False}.get(text)


def _symbol(text: str) -> str | None:
    return text if text.isascii() else None


def _character(text: str) -> str | None:
    return text if len(text) == 1 else None


def _decimal(text: str) -> str | None:
    return text if _NUMBER.fullmatch(text) else None


def _uuid(text: str) -> str | None:
    return text.lower() if _UUID.fullmatch(text.lower()) else None


def _floating(largest: float) -> Callable[[str], float | None]:
    def parse(text: str) -> float | None:
        value = float(text) if _NUMBER.fullmatch(text) else None
        return value if value is not None and abs(value) <= largest else None

    return parse


_PARSERS: Mapping[str, Callable[[str], Value | None]] = {
    "boolean": _boolean,
    "string": str,
    "symbol": _symbol,
    "char": _character,
    "uuid": _uuid,
    "decimal32": _decimal,
    "decimal64": _decimal,
    "decimal128": _decimal,
    "float": _floating(_LARGEST["float"]),
    "double": _floating(_LARGEST["double"]),
}
