"""Finds what is wrong with a value that could not be encoded, and where in it.

Slow and exact: it finds the innermost value that fails by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, cast

from ._array_writer import SCALARS_BY_NAME, write_descriptors, write_element
from ._basics import entry_path, is_mapping, shown
from ._containers import TYPE_NAMES, Array, Described, Map, Repeated, with_article
from ._field_writer import several, write_described, write_mapping, write_primitive, write_required
from ._layout import FieldLayout, TypeLayout
from ._scalar_writer import ENCODE_FAULTS, boolean_choice
from ._value_writer import write_value
from .constants import ENCODINGS
from .errors import EncodeError
from .types import Byte, Int, Short, Timestamp, UByte, UInt, ULong, UShort

_RANGES: Final = {
    **{
        TYPE_NAMES[kind]: (kind.LOW, kind.HIGH)
        for kind in (UByte, UShort, UInt, ULong, Byte, Short, Int, Timestamp)
    },
    "long": (-(1 << 63), (1 << 63) - 1),
}
_TYPES: Final = frozenset(encoding.type for encoding in ENCODINGS.values())
_CONTAINERS: Final = (TypeLayout, Described, list, tuple, Mapping, Map, Array)


def encode_error(value: Any, fault: Exception, depth: int, path: str = "") -> EncodeError:
    """Return the error of a value that could not be encoded.

    Args:
        value: The value.
        fault: What writing it raised.
        depth: The levels of nesting that were allowed.
        path: Where it is.
    """
    try:
        error = _first_error(value, depth, path)
    except ENCODE_FAULTS:  # its parts cannot be listed either
        error = None
    if error is None and isinstance(value, TypeLayout):
        path = path or value.NAME
    return error or _named(value, fault, path)


def _first_error(value: Any, depth: int, path: str) -> EncodeError | None:
    """Return the first thing that is wrong with a value or in it."""
    if not isinstance(value, _CONTAINERS):
        return _scalar_error(value, path)
    if depth < 1:
        return EncodeError("nested too deep", path, code="too-deep")
    if isinstance(value, TypeLayout):
        return _first_field_error(value, depth - 1, path or value.NAME)
    if isinstance(value, Array):
        return _array_error(value, depth - 1, path)
    for item, place in _parts(value, path):
        error = _first_error(item, depth - 1, place)
        if error is not None:
            return error
    return _write_error(value, depth, path) if isinstance(value, (Map, Mapping)) else None  # a key twice


def _scalar_error(value: Any, path: str) -> EncodeError | None:
    if type(value) is int and not -(1 << 63) <= value < 1 << 64:
        message = f"{shown(value)} cannot be encoded: it is not in {-1 << 63} to {(1 << 64) - 1}"
        return EncodeError(message, path)
    return _write_error(value, 0, path)


def _write_error(value: Any, depth: int, path: str) -> EncodeError | None:
    """Return how writing a value fails, if nothing in it does."""
    try:
        write_value(value, depth)
    except ENCODE_FAULTS as fault:
        return _named(value, fault, path)
    return None


def _named(value: Any, fault: Exception, path: str) -> EncodeError:
    if isinstance(fault, EncodeError):
        return EncodeError(fault.message, path, code=fault.code)
    if isinstance(fault, UnicodeEncodeError):  # of a key that was to become a symbol, perhaps
        value = fault.object
    return EncodeError(f"{shown(value)} cannot be encoded: {_reason('', value, fault)}", path)


def _array_error(array: Array, depth: int, path: str) -> EncodeError | None:
    for descriptor in array.descriptors:
        error = _first_error(descriptor, depth, entry_path(path, "descriptor"))
        if error is not None:
            return error
    if array.type not in _TYPES:
        return EncodeError(f"there is no AMQP type {shown(array.type)}", path)
    prefix = write_descriptors(array, depth)
    items = [array.items.value] if isinstance(array.items, Repeated) else array.items
    for index, item in enumerate(items):
        place = f"{path}[{index}]"
        try:
            write_element(item, array.type, prefix, depth)
        except ENCODE_FAULTS as fault:
            error = _first_error(item, depth, place) if isinstance(item, _CONTAINERS) else None
            return error or EncodeError(
                f"{shown(item)} is not {with_article(array.type)}: {_reason(array.type, item, fault)}", place
            )
    return None


def _parts(value: Any, path: str) -> Iterator[tuple[Any, str]]:
    """Return the values in a value, with their paths."""
    if isinstance(value, Described):
        yield value.descriptor, entry_path(path, "descriptor")
        yield value.value, path
        return
    if is_mapping(value):
        yield from _entries(value.items(), path)
    elif isinstance(value, Map):
        yield from _entries(value.pairs, path)
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(cast("Sequence[Any]", value)):
            yield item, f"{path}[{index}]"


def _entries(pairs: Iterable[tuple[Any, Any]], path: str) -> Iterator[tuple[Any, str]]:
    for key, item in pairs:
        place = entry_path(path, key)
        yield key, place
        yield item, place


def _first_field_error(value: TypeLayout, depth: int, path: str) -> EncodeError | None:
    if value.SOURCE:  # a restricted type
        any_type = value.SOURCE == "*"
        field = FieldLayout("value", "value", value.SOURCE, "" if any_type else value.SOURCE, not any_type)
        return _field_error(field, getattr(value, "value", None), depth, path)
    for field in value.FIELDS:
        error = _field_error(field, getattr(value, field.attribute, None), depth, f"{path}.{field.name}")
        if error is not None:
            return error
    return None


def _field_error(field: FieldLayout, value: Any, depth: int, path: str) -> EncodeError | None:
    if not field.multiple:
        if value is None:
            return _missing_error(field, path)
        return _value_error(field, value, depth, path)
    items = several(value)
    if not items and field.mandatory:
        return EncodeError("is mandatory, but has no value", path, code="missing-field")
    for index, item in enumerate(items):
        error = _value_error(field, item, depth, f"{path}[{index}]")
        if error is not None:
            return error
    return _array_error(Array(items, field.primitive), depth, path) if len(items) > 1 else None


def _missing_error(field: FieldLayout, path: str) -> EncodeError | None:
    """Return what is wrong with None: an attribute whose field has a default is never without a value."""
    if field.mandatory:
        return EncodeError("is mandatory, but has no value", path, code="missing-field")
    if field.default is not None:
        return EncodeError(f"is None; to send no value, set its default {field.default!r}", path)
    return None


def _value_error(field: FieldLayout, value: Any, depth: int, path: str) -> EncodeError | None:
    try:
        _write_field(field, value, depth)
    except ENCODE_FAULTS as fault:
        if isinstance(value, _CONTAINERS):
            return encode_error(value, fault, depth, path)
        what = "does not fit" if field.type == "*" else f"is not {with_article(field.type)}"
        return EncodeError(f"{shown(value)} {what}: {_reason(field.primitive, value, fault)}", path)
    return None


# What a field of a primitive type takes, for values of another one.
_TAKES: Final = {
    **dict.fromkeys(_RANGES, "an int"),
    "float": "a float of 32 bits",
    "double": "a float",
    **dict.fromkeys(("decimal32", "decimal64", "decimal128"), "a Decimal"),
    "char": "a str of one character",
    "timestamp": "an int or an aware datetime",
    "uuid": "a UUID",
    "binary": "bytes",
    "string": "a str",
    "symbol": "a str",
}


def _reason(primitive: str, value: object, fault: Exception) -> str:
    """Return why a value was refused, in words of ours: the interpreter's speak of its own functions."""
    if isinstance(fault, EncodeError):
        return fault.message
    if isinstance(fault, RecursionError):
        return "it is nested deeper than the call stack allows"
    if primitive in _RANGES and isinstance(value, int):
        low, high = _RANGES[primitive]
        return f"it is not in {low} to {high}"
    if isinstance(fault, UnicodeEncodeError):
        ascii_only = fault.encoding == "ascii"
        return (
            "a symbol has ASCII characters only"
            if ascii_only
            else "half of a surrogate pair is not a character"
        )
    return f"it is not {_TAKES.get(primitive, 'of a type that fits here')}"


def _write_field(field: FieldLayout, value: Any, depth: int) -> None:
    """Write a value as the class does, and ignore the octets."""
    if field.values is not None:
        if field.primitive == "boolean":
            member: Any = next(iter(field.values))
            boolean_choice(value, member.__class__)
        elif value not in field.values or field.primitive in _RANGES and isinstance(value, bool):
            raise EncodeError(f"it is not one of {field.choices()}")
    elif field.primitive in SCALARS_BY_NAME:
        SCALARS_BY_NAME[field.primitive](value)
    elif field.primitive == "map":
        write_mapping(value, depth)
    elif field.primitive == "list":
        write_primitive(value, depth, (list, tuple))
    elif field.primitive == "array":
        write_primitive(value, depth, Array)
    elif field.archetype is not None:
        write_required(value, depth, field.archetype)
    elif field.type == "*":
        write_value(value, depth)
    else:
        write_described(value, depth, field.type)
