"""What values should become as VARIANT, worked out from what decoding gives; by hand. See ``tests.generated.amqp0.variants``."""

from __future__ import annotations

import struct
from typing import Any

from amqp_1_0.described import DescribedType

from tests.generated.amqp0.variants import Value, integer, tagged

from .packages import amqp

types = amqp.types
_NUMBERS = {
    types.UByte: "int16",
    types.UShort: "int32",
    types.UInt: "int64",
    types.Byte: "int8",
    types.Short: "int16",
    types.Int: "int32",
    int: "int64",
}
# Types over maps whose keys are symbols: 2.8.13, 3.2.10, 3.5.8 and what is derived from them.
_SYMBOL_KEYED = {
    *("fields", "annotations", "filter-set", "node-properties"),
    *("delivery-annotations", "message-annotations", "footer"),
}
_DIGITS = {"decimal32": 9, "decimal64": 18, "decimal128": 38}
_COLUMNS = {"decimal32": "decimal4", "decimal64": "decimal8", "decimal128": "decimal16"}
FIRST_SECOND, LAST_SECOND = -62_135_596_800, 253_402_300_799


def text(value: str) -> Value:
    return ("string", str(value))


def expected(value: Any, keyed: bool = False) -> Value:
    """What a value should become; ``keyed`` where maps usually have symbols for keys."""
    kind = type(value)
    if value is None:
        return ("null", None)
    if kind is bool:
        return ("boolean", value)
    if kind in _NUMBERS:
        return (_NUMBERS[kind], int(value))
    if kind is types.ULong:
        return integer(int(value))
    if kind is types.Float or kind is float:
        return (
            ("float", struct.pack(">f", value))
            if kind is types.Float
            else ("double", struct.pack(">d", value))
        )
    if kind in (types.Decimal32, types.Decimal64, types.Decimal128):
        return _decimal(value)
    if kind is types.Timestamp:
        if FIRST_SECOND <= value // 1000 <= LAST_SECOND:
            return ("timestamp", int(value) * 1000)
        return tagged("timestamp", ("int64", int(value)))
    if kind is types.Char or kind.__name__ == "UUID":
        return tagged(kind.__name__.lower(), text(value))
    if kind is bytes:
        return ("binary", value)
    if isinstance(value, types.Symbol):
        return tagged("symbol", text(value))
    if isinstance(value, str):
        return text(value)
    if kind is list:
        return ("array", [expected(item) for item in value])
    if kind in (dict, amqp.Map):
        return _map(list(value.items() if kind is dict else value), keyed)
    return _described(value)


def _described(value: Any) -> Value:
    if type(value) is amqp.Array:
        return _array(value)
    if type(value) is amqp.Described:
        return ("object", {"$described": expected(value.descriptor), "value": expected(value.value)})
    assert isinstance(value, DescribedType)
    fields: dict[str, Value] = {"$type": text(value.NAME)}
    if value.SOURCE:
        fields["value"] = typed(value.value, value.SOURCE, value.NAME)
    for field in value.FIELDS:
        item = getattr(value, field.attribute)
        if field.multiple and item:
            fields[field.attribute] = ("array", [typed(one, field.primitive, field.type) for one in item])
        elif not field.multiple and item is not None:
            fields[field.attribute] = typed(item, field.primitive, field.type)
    return ("object", dict(sorted(fields.items())))


def typed(value: Any, primitive: str, name: str) -> Value:
    """The same for a value whose type is known: the name of the primitive one, and its own."""
    if primitive in ("symbol", "string", "char"):
        return tagged("char", text(value)) if primitive == "char" else text(value)
    if primitive == "boolean":
        return ("boolean", bool(value))
    number = {"ubyte": "UByte", "ushort": "UShort", "uint": "UInt", "ulong": "ULong"}.get(primitive)
    if number is not None:
        return expected(getattr(types, number)(int(value)))
    return expected(value, keyed=name in _SYMBOL_KEYED)


def _decimal(value: Any) -> Value:
    name = type(value).__name__.lower()
    sign, digits, exponent = value.decimal.as_tuple()
    fits = isinstance(exponent, int) and -_DIGITS[name] <= exponent <= 0 and (any(digits) or not sign)
    if fits and type(value)(value.decimal) == value:
        significand = int("".join(map(str, digits)))
        return (_COLUMNS[name], (-exponent, -significand if sign else significand))
    return tagged(name, ("binary", value.to_bytes()))


def _map(pairs: list[tuple[Any, Any]], keyed: bool) -> Value:
    kinds = {types.Symbol if isinstance(key, types.Symbol) else type(key) for key, _ in pairs}
    plain = all(not key.startswith("$") for key, _ in pairs) if kinds <= {str, types.Symbol} else False
    if plain and len(kinds) < 2:
        found: Value = ("object", {str(key): expected(value) for key, value in sorted(pairs, key=by_octets)})
        if not kinds or kinds == {types.Symbol if keyed else str}:
            return found
        return tagged("strings" if keyed else "symbols", found)
    return tagged("map", ("array", [("array", [expected(key), expected(value)]) for key, value in pairs]))


def by_octets(pair: tuple[str, Any]) -> bytes:
    return str(pair[0]).encode()


def _array(value: Any) -> Value:
    items = list(value)
    for _ in value.descriptors:
        items = [inside(item) for item in items]
    plain = [
        expected(item)[1][f"${value.type}"] if value.type in ("symbol", "char", "uuid") else expected(item)
        for item in items
    ]
    fields: dict[str, Value] = {"$array": ("array", plain), "type": text(value.type)}
    if value.descriptors:
        fields["descriptors"] = ("array", [expected(descriptor) for descriptor in value.descriptors])
    return ("object", dict(sorted(fields.items())))


def inside(item: Any) -> Any:
    """What an element with a descriptor describes."""
    assert type(item) is amqp.Described or item.SOURCE, item
    return item.value


def without_counts(value: Value, repeated: bool = True) -> Value:
    """A value in which items that were repeated are there as often, and descriptors are numbers or symbols."""
    kind, inner = value
    if kind == "array":
        return kind, [without_counts(item) for item in inner]
    if kind != "object":
        return value
    fields = {key: without_counts(item) for key, item in inner.items()}
    if "$array" in fields and "count" in fields:
        (_, count), (_, items) = fields.pop("count"), fields["$array"]
        fields["$array"] = ("array", items * count)
    return kind, fields
