"""The fast reader of scalars: one function for each encoding, called with the position after the format code.

Lengths are not checked against the end of the buffer one by one. Reading past it raises IndexError or
``struct.error``, or returns a string that is too short; then the compound around it, or the reader of the
outermost value, detects that it does not end where it should.
"""

from collections.abc import Callable, Sequence
from struct import Struct
from typing import Any, Final
from uuid import UUID

from ._basics import unpack_H, unpack_h, unpack_I, unpack_i, unpack_Q, unpack_q, unpack_QQ
from ._decimals import Decimal32, Decimal64, Decimal128
from ._limits import Limits, ValueReader
from .errors import Malformed
from .types import Byte, Char, Float, Int, Short, Symbol, Timestamp, UByte, UInt, ULong, UShort

# Making a number or string of a type that checks its range, without the check: the octets cannot exceed it.
_int: Final = int.__new__
_float: Final = float.__new__
_str: Final = str.__new__

_LONGS: Final = (*range(128), *range(-128, 0))

_unpack_f: Final = Struct(">f").unpack_from
_unpack_d: Final = Struct(">d").unpack_from

# Symbols seen so far: there are few different ones, and looking one up is faster than making it.
_SYMBOLS: Final[dict[bytes, Symbol]] = {}
_MAX_SYMBOLS: Final = 4096
_MAX_SYMBOL_SIZE: Final = 128


def symbol_of(octets: bytes) -> Symbol:
    """Return the symbol that octets spell; UnicodeDecodeError when they are not ASCII."""
    found = _SYMBOLS.get(octets)
    if found is None:
        found = _str(Symbol, octets.decode("ascii"))
        if len(_SYMBOLS) < _MAX_SYMBOLS and len(octets) <= _MAX_SYMBOL_SIZE:
            _SYMBOLS[octets] = found
    return found


def _constant(value: Any) -> ValueReader:
    """Return the reader of an encoding without data."""

    def read(buffer: bytes, position: int, limits: Limits) -> tuple[Any, int]:
        return value, position

    return read


def _octet(values: Sequence[Any]) -> ValueReader:
    """Return the reader of an encoding of one octet, from the values of all octets."""

    def read(buffer: bytes, position: int, limits: Limits) -> tuple[Any, int]:
        return values[buffer[position]], position + 1

    return read


def _integer(kind: type[int], unpack: Callable[[bytes, int], tuple[int, ...]], size: int) -> ValueReader:
    """Return the reader of an encoding of all octets of an integer."""

    def read(buffer: bytes, position: int, limits: Limits) -> tuple[Any, int]:
        return _int(kind, unpack(buffer, position)[0]), position + size

    return read


value_null: Final = _constant(None)
value_boolean_true: Final = _constant(True)
value_boolean_false: Final = _constant(False)
value_uint_uint0: Final = _constant(UInt(0))
value_ulong_ulong0: Final = _constant(ULong(0))

value_ubyte: Final = _octet([UByte(number) for number in range(256)])
value_uint_smalluint: Final = _octet([UInt(number) for number in range(256)])
value_ulong_smallulong: Final = _octet([ULong(number) for number in range(256)])
value_byte: Final = _octet([Byte(number) for number in _LONGS])
value_int_smallint: Final = _octet([Int(number) for number in _LONGS])
value_long_smalllong: Final = _octet(_LONGS)

value_ushort: Final = _integer(UShort, unpack_H, 2)
value_uint: Final = _integer(UInt, unpack_I, 4)
value_ulong: Final = _integer(ULong, unpack_Q, 8)
value_short: Final = _integer(Short, unpack_h, 2)
value_int: Final = _integer(Int, unpack_i, 4)
value_timestamp_ms64: Final = _integer(Timestamp, unpack_q, 8)


def value_boolean(buffer: bytes, position: int, limits: Limits) -> tuple[Any, int]:
    octet = buffer[position]
    if octet > 1:
        raise Malformed("boolean")
    return octet == 1, position + 1


def value_long(buffer: bytes, position: int, limits: Limits) -> tuple[Any, int]:
    return unpack_q(buffer, position)[0], position + 8


def value_double_ieee_754(buffer: bytes, position: int, limits: Limits) -> tuple[Any, int]:
    return _unpack_d(buffer, position)[0], position + 8


def value_float_ieee_754(buffer: bytes, position: int, limits: Limits) -> tuple[Any, int]:
    return _float(Float, _unpack_f(buffer, position)[0]), position + 4


def value_decimal32_ieee_754(buffer: bytes, position: int, limits: Limits) -> tuple[Any, int]:
    return Decimal32(bits=unpack_I(buffer, position)[0]), position + 4


def value_decimal64_ieee_754(buffer: bytes, position: int, limits: Limits) -> tuple[Any, int]:
    return Decimal64(bits=unpack_Q(buffer, position)[0]), position + 8


def value_decimal128_ieee_754(buffer: bytes, position: int, limits: Limits) -> tuple[Any, int]:
    high, low = unpack_QQ(buffer, position)
    return Decimal128(bits=high << 64 | low), position + 16


def value_char_utf32(buffer: bytes, position: int, limits: Limits) -> tuple[Any, int]:
    (point,) = unpack_I(buffer, position)
    if 0xD800 <= point <= 0xDFFF:
        raise Malformed("surrogate")
    return _str(Char, chr(point)), position + 4


def value_uuid(buffer: bytes, position: int, limits: Limits) -> tuple[Any, int]:
    return UUID(bytes=buffer[position : position + 16]), position + 16


def value_binary_vbin8(buffer: bytes, position: int, limits: Limits) -> tuple[Any, int]:
    start = position + 1
    stop = start + buffer[position]
    return buffer[start:stop], stop


def value_binary_vbin32(buffer: bytes, position: int, limits: Limits) -> tuple[Any, int]:
    start = position + 4
    stop = start + unpack_I(buffer, position)[0]
    return buffer[start:stop], stop


def value_string_str8_utf8(buffer: bytes, position: int, limits: Limits) -> tuple[Any, int]:
    start = position + 1
    stop = start + buffer[position]
    return buffer[start:stop].decode(), stop


def value_string_str32_utf8(buffer: bytes, position: int, limits: Limits) -> tuple[Any, int]:
    start = position + 4
    stop = start + unpack_I(buffer, position)[0]
    return buffer[start:stop].decode(), stop


def value_symbol_sym8(buffer: bytes, position: int, limits: Limits) -> tuple[Any, int]:
    start = position + 1
    stop = start + buffer[position]
    return symbol_of(buffer[start:stop]), stop


def value_symbol_sym32(buffer: bytes, position: int, limits: Limits) -> tuple[Any, int]:
    start = position + 4
    stop = start + unpack_I(buffer, position)[0]
    return symbol_of(buffer[start:stop]), stop
