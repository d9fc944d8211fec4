"""The fast reader of scalars: one function for each encoding, called with the position after the format code.

Lengths are not checked against the end of the buffer one by one. Reading past it raises IndexError or
``struct.error``, or returns a string that is too short; then the compound around it, or the reader of the
outermost value, detects that it does not end where it should.
"""

from struct import Struct
from typing import Any, Final
from uuid import UUID

from ._decimals import Decimal32, Decimal64, Decimal128
from ._limits import Limits
from ._wire import unpack_H, unpack_h, unpack_I, unpack_i, unpack_Q, unpack_q, unpack_QQ
from .errors import Malformed
from .types import Byte, Char, Float, Int, Short, Symbol, Timestamp, UByte, UInt, ULong, UShort

# Making a number or string of a type that checks its range, without the check: the octets cannot exceed it.
_int: Final = int.__new__
_float: Final = float.__new__
_str: Final = str.__new__

_UBYTES: Final = tuple(UByte(number) for number in range(256))
_UINTS: Final = tuple(UInt(number) for number in range(256))
_ULONGS: Final = tuple(ULong(number) for number in range(256))
_BYTES: Final = tuple(Byte(number) for number in (*range(128), *range(-128, 0)))
_INTS: Final = tuple(Int(number) for number in (*range(128), *range(-128, 0)))
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


def value_null(buffer: bytes, position: int, limits: Limits) -> tuple[Any, int]:
    return None, position


def value_boolean(buffer: bytes, position: int, limits: Limits) -> tuple[Any, int]:
    octet = buffer[position]
    if octet > 1:
        raise Malformed("boolean")
    return octet == 1, position + 1


def value_boolean_true(buffer: bytes, position: int, limits: Limits) -> tuple[Any, int]:
    return True, position


def value_boolean_false(buffer: bytes, position: int, limits: Limits) -> tuple[Any, int]:
    return False, position


def value_ubyte(buffer: bytes, position: int, limits: Limits) -> tuple[Any, int]:
    return _UBYTES[buffer[position]], position + 1


def value_ushort(buffer: bytes, position: int, limits: Limits) -> tuple[Any, int]:
    return _int(UShort, unpack_H(buffer, position)[0]), position + 2


def value_uint(buffer: bytes, position: int, limits: Limits) -> tuple[Any, int]:
    return _int(UInt, unpack_I(buffer, position)[0]), position + 4


def value_uint_smalluint(buffer: bytes, position: int, limits: Limits) -> tuple[Any, int]:
    return _UINTS[buffer[position]], position + 1


def value_uint_uint0(buffer: bytes, position: int, limits: Limits) -> tuple[Any, int]:
    return _UINTS[0], position


def value_ulong(buffer: bytes, position: int, limits: Limits) -> tuple[Any, int]:
    return _int(ULong, unpack_Q(buffer, position)[0]), position + 8


def value_ulong_smallulong(buffer: bytes, position: int, limits: Limits) -> tuple[Any, int]:
    return _ULONGS[buffer[position]], position + 1


def value_ulong_ulong0(buffer: bytes, position: int, limits: Limits) -> tuple[Any, int]:
    return _ULONGS[0], position


def value_byte(buffer: bytes, position: int, limits: Limits) -> tuple[Any, int]:
    return _BYTES[buffer[position]], position + 1


def value_short(buffer: bytes, position: int, limits: Limits) -> tuple[Any, int]:
    return _int(Short, unpack_h(buffer, position)[0]), position + 2


def value_int(buffer: bytes, position: int, limits: Limits) -> tuple[Any, int]:
    return _int(Int, unpack_i(buffer, position)[0]), position + 4


def value_int_smallint(buffer: bytes, position: int, limits: Limits) -> tuple[Any, int]:
    return _INTS[buffer[position]], position + 1


def value_long(buffer: bytes, position: int, limits: Limits) -> tuple[Any, int]:
    return unpack_q(buffer, position)[0], position + 8


def value_long_smalllong(buffer: bytes, position: int, limits: Limits) -> tuple[Any, int]:
    return _LONGS[buffer[position]], position + 1


def value_float_ieee_754(buffer: bytes, position: int, limits: Limits) -> tuple[Any, int]:
    return _float(Float, _unpack_f(buffer, position)[0]), position + 4


def value_double_ieee_754(buffer: bytes, position: int, limits: Limits) -> tuple[Any, int]:
    return _unpack_d(buffer, position)[0], position + 8


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


def value_timestamp_ms64(buffer: bytes, position: int, limits: Limits) -> tuple[Any, int]:
    return _int(Timestamp, unpack_q(buffer, position)[0]), position + 8


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
