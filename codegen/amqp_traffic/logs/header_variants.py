"""Headers of logged messages as VARIANT, built with the functions of the generated packages."""

from __future__ import annotations

from functools import cache
from struct import pack
from typing import Any, TypeAlias

from amqp_codegen.support.resources import load_module

from ..variant_redaction import redacted_variant
from .erlang_terms import ErlangAtom, Term

Variant: TypeAlias = "tuple[bytes, bytes]"
Names: TypeAlias = "dict[bytes, int]"

_DEEPEST = 64
_INT64 = 1 << 63
_TRUE, _FALSE = ErlangAtom("true"), ErlangAtom("false")


@cache
def _octets() -> Any:
    return load_module("amqp_0_9_1_rabbitmq", "columns.variant_octets")


# --- JSON: types are lost, integers become the widest ---


def json_variant(value: Any) -> Variant:
    """Return the VARIANT of a value that ``json.loads`` made.

    Raises:
        ValueError: The value is nested too deep, too large, or does not fit a VARIANT.
    """
    names: Names = {}
    octets = _json(value, names, _DEEPEST)
    return _finished(octets, names)


def _json(value: Any, names: Names, depth: int) -> bytes:
    make = _octets()
    found: bytes
    if value is None:
        found = make.NULL
    elif isinstance(value, bool):
        found = make.TRUE if value else make.FALSE
    elif isinstance(value, str):
        found = make.text(value.encode())
    elif isinstance(value, int):
        found = make.integer(value)
        if not found:
            raise ValueError("a number of more than 38 digits")
    elif isinstance(value, float):
        found = make.DOUBLE + pack("<d", value)
    elif not depth:
        raise ValueError("nested too deep")
    elif isinstance(value, list):
        found = make.array([_json(item, names, depth - 1) for item in value])
    else:
        keys = [key.encode() for key in value]
        found = _object(keys, [_json(item, names, depth - 1) for item in value.values()], names)
    return found


# --- Erlang terms: each value has its type beside it ---


def table_variant(table: Term) -> Variant:
    """Return the VARIANT of a field table as RabbitMQ has it: a list of triples of key, type and value.

    Raises:
        ValueError: The term is not a field table, or too large.
    """
    names: Names = {}
    return _finished(_table(table, names), names)


def _table(table: Term, names: Names) -> bytes:
    if not isinstance(table, list):
        raise ValueError("no table")
    keys: list[bytes] = []
    values: list[bytes] = []
    for entry in table:
        if not (isinstance(entry, tuple) and len(entry) == 3):
            raise ValueError("no entry of a table")
        key, kind, value = entry
        if not isinstance(key, bytes):
            raise ValueError("no key of a table")
        keys.append(key)
        values.append(_value(kind, value, names))
    return _object(keys, values, names)


def _value(kind: Term, value: Term, names: Names) -> bytes:
    make = _octets()
    name = kind.name if isinstance(kind, ErlangAtom) else ""
    found: bytes
    if name in _INTEGERS and isinstance(value, int):
        header, size = _INTEGERS[name]
        try:
            found = getattr(make, header) + value.to_bytes(size, "little", signed=True)
        except OverflowError:
            raise ValueError(f"no {name}") from None
    elif name in ("longstr", "binary") and isinstance(value, bytes):
        if name == "binary":
            found = make.binary(value)
        elif make.is_text(value):
            found = make.text(value)
        else:
            found = make.tagged(b"$longstr", make.binary(value), names)
    elif name == "bool" and value in (_TRUE, _FALSE):
        found = make.TRUE if value == _TRUE else make.FALSE
    elif name == "void":
        found = make.NULL
    elif name in ("float", "double") and isinstance(value, (int, float)):
        found = make.FLOAT + pack("<f", value) if name == "float" else make.DOUBLE + pack("<d", value)
    elif name == "timestamp" and isinstance(value, int) and value < _INT64:
        found = make.timestamp(value, 1) or make.tagged(b"$timestamp", make.integer(value), names)
    elif name == "table":
        found = _table(value, names)
    elif name == "array":
        found = _array(value, names)
    elif name == "decimal":
        found = _decimal(value, names)
    else:
        raise ValueError("no value of a table")
    return found


# As in the generated packages: an unsigned integer becomes a signed one of twice the width.
_INTEGERS = {
    "byte": ("INT8", 1),
    "unsignedbyte": ("INT16", 2),
    "short": ("INT16", 2),
    "unsignedshort": ("INT32", 4),
    "signedint": ("INT32", 4),
    "unsignedint": ("INT64", 8),
    "long": ("INT64", 8),
}


def _array(value: Term, names: Names) -> bytes:
    if not isinstance(value, list):
        raise ValueError("no array")
    items = []
    for item in value:
        if not (isinstance(item, tuple) and len(item) == 2):
            raise ValueError("no item of an array")
        items.append(_value(*item, names))
    found: bytes = _octets().array(items)
    return found


def _decimal(value: Term, names: Names) -> bytes:
    make = _octets()
    if not (isinstance(value, tuple) and len(value) == 2):
        raise ValueError("no decimal")
    scale, significand = value
    if not (isinstance(scale, int) and isinstance(significand, int) and 0 <= scale <= 255):
        raise ValueError("no decimal")
    if 1 << 31 <= significand < 1 << 32:
        significand -= 1 << 32  # RabbitMQ logs it without its sign, and clients write it with one
    found: bytes = make.decimal(significand, scale)
    if not found:
        found = make.tagged(b"$decimal", make.array((make.integer(scale), make.integer(significand))), names)
    return found


# --- Both ---


def _object(keys: list[bytes], values: list[bytes], names: Names) -> bytes:
    """Return an object, or an array of pairs if the keys do not allow one, as the generated packages do."""
    make = _octets()
    layout = make.Layouts().new_object(keys)
    found: bytes
    if layout is not None:
        found = layout.nested(values, names)
        return found
    entries = [
        make.array((make.text(key) if make.is_text(key) else make.binary(key), value))
        for key, value in zip(keys, values, strict=True)
    ]
    found = make.tagged(b"$table", make.array(entries), names)
    return found


def _finished(octets: bytes, names: Names) -> Variant:
    make = _octets()
    found: Variant = make.finished(octets, make.metadata(tuple(names)) if names else make.EMPTY_METADATA)
    return redacted_variant(found)
