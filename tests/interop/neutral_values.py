"""Values in a form that has a name for every type and that JSON carries: ``["uint", "5"]``.

Numbers are decimal texts, octets and floating point patterns are hexadecimal ones; ``["list", [...]]``,
``["map", [[key, value], ...]]``, ``["array", type, [descriptor, ...], [...]]``, ``["described", descriptor, value]``.
"""

from __future__ import annotations

import struct
import uuid
from typing import Any

import amqp_1_0 as amqp
from amqp_1_0 import types

INTEGERS: dict[str, type] = {
    "ubyte": types.UByte,
    "ushort": types.UShort,
    "uint": types.UInt,
    "ulong": types.ULong,
    "byte": types.Byte,
    "short": types.Short,
    "int": types.Int,
    "long": int,
    "timestamp": types.Timestamp,
}
INTEGER_NAMES = {kind: name for name, kind in INTEGERS.items()}
DECIMALS: dict[str, Any] = {
    "decimal32": types.Decimal32,
    "decimal64": types.Decimal64,
    "decimal128": types.Decimal128,
}
DECIMAL_NAMES = {kind: name for name, kind in DECIMALS.items()}


def neutral(value: Any) -> list[Any]:
    """The neutral form of a value of ``amqp_1_0``; a class that is not exactly one of its own is an error."""
    kind = type(value)
    if value is None:
        return ["null"]
    if kind is bool:
        return ["boolean", value]
    if kind in INTEGER_NAMES:
        return [INTEGER_NAMES[kind], str(int(value))]
    if kind is types.Float:
        return ["float", struct.pack(">f", value).hex()]
    if kind is float:
        return ["double", struct.pack(">d", value).hex()]
    if kind in DECIMAL_NAMES:
        return [DECIMAL_NAMES[kind], value.to_bytes().hex()]
    if kind is types.Char:
        return ["char", str(ord(value))]
    if kind is uuid.UUID:
        return ["uuid", value.hex]
    if kind is bytes:
        return ["binary", value.hex()]
    if kind is str:
        return ["string", value]
    if kind is types.Symbol:
        return ["symbol", str(value)]
    if kind is list:
        return ["list", [neutral(item) for item in value]]
    if kind in (dict, amqp.Map):
        pairs = value.items() if kind is dict else value
        return ["map", [[neutral(key), neutral(item)] for key, item in pairs]]
    if kind is amqp.Array:
        items = [neutral(item) for item in value]
        for _ in value.descriptors:
            items = [item[2] for item in items]
        return ["array", value.type, [neutral(descriptor) for descriptor in value.descriptors], items]
    assert kind is amqp.Described, f"{kind} is not a class that decode() gives"
    return ["described", neutral(value.descriptor), neutral(value.value)]


def value_of(form: list[Any]) -> Any:
    """The value of ``amqp_1_0`` that has this neutral form."""
    name = form[0]
    if name == "null":
        return None
    if name in ("boolean", "string"):
        return form[1]
    if name in INTEGERS:
        return INTEGERS[name](int(form[1]))
    if name == "float":
        return types.Float(struct.unpack(">f", bytes.fromhex(form[1]))[0])
    if name == "double":
        return struct.unpack(">d", bytes.fromhex(form[1]))[0]
    if name in DECIMALS:
        return DECIMALS[name](bits=int(form[1], 16))
    if name == "char":
        return types.Char(chr(int(form[1])))
    if name == "uuid":
        return uuid.UUID(form[1])
    if name == "binary":
        return bytes.fromhex(form[1])
    if name == "symbol":
        return types.Symbol(form[1])
    if name == "list":
        return [value_of(item) for item in form[1]]
    if name == "map":
        pairs = [(value_of(key), value_of(item)) for key, item in form[1]]
        try:
            plain = dict(pairs)
        except TypeError:
            return amqp.Map(pairs)
        return plain if len(plain) == len(pairs) else amqp.Map(pairs)
    if name == "array":
        descriptors = [value_of(item) for item in form[2]]
        items = [value_of(item) for item in form[3]]
        for descriptor in reversed(descriptors):
            items = [amqp.Described(descriptor, item) for item in items]
        return amqp.Array(items, form[1], tuple(descriptors))
    return amqp.Described(value_of(form[1]), value_of(form[2]))


def same(one: Any, other: Any) -> bool:
    """Equal in value and type: ``1 == True`` is not enough."""
    return type(one) is type(other) and one == other
