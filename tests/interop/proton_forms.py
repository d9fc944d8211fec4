"""Neutral forms in and out of ``proton.Data``."""

from __future__ import annotations

import struct
import uuid
from typing import Any

from proton import Data

NAMES: dict[int, str] = {getattr(Data, name): name.lower() for name in (
    "NULL", "UBYTE", "BYTE", "USHORT", "SHORT", "UINT", "INT", "CHAR", "ULONG", "LONG", "TIMESTAMP", "FLOAT",
    "DOUBLE", "DECIMAL32", "DECIMAL64", "DECIMAL128", "UUID", "BINARY", "STRING", "SYMBOL", "DESCRIBED", "ARRAY",
    "LIST", "MAP",
)} | {Data.BOOL: "boolean"}  # fmt: skip
CODES = {name: code for code, name in NAMES.items()}


def encode(form: list[Any]) -> bytes:
    """What proton makes of it."""
    data = Data()
    put(data, form)
    return bytes(data.encode())


def decode(octets: bytes) -> list[list[Any]]:
    """All values that proton finds in the octets."""
    found = []
    while octets:
        data = Data()
        octets = octets[data.decode(octets) :]
        data.rewind()
        assert data.next() is not None
        found.append(get(data))
    return found


def put(data: Data, form: list[Any]) -> None:
    name = form[0]
    if name == "null":
        data.put_null()
    elif name == "boolean":
        data.put_bool(form[1])
    elif name == "float":
        data.put_float(struct.unpack(">f", bytes.fromhex(form[1]))[0])
    elif name == "double":
        data.put_double(struct.unpack(">d", bytes.fromhex(form[1]))[0])
    elif name in ("decimal32", "decimal64"):
        getattr(data, f"put_{name}")(int(form[1], 16))
    elif name == "decimal128":
        data.put_decimal128(bytes.fromhex(form[1]))
    elif name == "char":
        data.put_char(chr(int(form[1])))
    elif name == "uuid":
        data.put_uuid(uuid.UUID(form[1]))
    elif name == "binary":
        data.put_binary(bytes.fromhex(form[1]))
    elif name in ("string", "symbol"):
        getattr(data, f"put_{name}")(form[1])
    elif name == "described":
        data.put_described()
        put_all(data, form[1:])
    elif name == "list":
        data.put_list()
        put_all(data, form[1])
    elif name == "map":
        data.put_map()
        put_all(data, [item for pair in form[1] for item in pair])
    elif name == "array":
        data.put_array(bool(form[2]), CODES[form[1]])
        put_all(data, [*form[2], *form[3]])
    else:
        getattr(data, f"put_{name}")(int(form[1]))


def put_all(data: Data, forms: list[list[Any]]) -> None:
    data.enter()
    for form in forms:
        put(data, form)
    data.exit()


def get(data: Data) -> list[Any]:
    name = NAMES[data.type()]
    if name == "null":
        return ["null"]
    if name == "boolean":
        return ["boolean", data.get_bool()]
    if name == "float":
        return ["float", struct.pack(">f", data.get_float()).hex()]
    if name == "double":
        return ["double", struct.pack(">d", data.get_double()).hex()]
    if name in ("decimal32", "decimal64"):
        width = 8 if name == "decimal32" else 16
        return [name, f"{getattr(data, f'get_{name}')():0{width}x}"]
    if name == "decimal128":
        return [name, bytes(data.get_decimal128()).hex()]
    if name == "char":
        return ["char", str(ord(data.get_char()))]
    if name == "uuid":
        found = data.get_uuid()
        assert found is not None
        return ["uuid", found.hex]
    if name == "binary":
        return ["binary", bytes(data.get_binary()).hex()]
    if name in ("string", "symbol"):
        return [name, str(getattr(data, f"get_{name}")())]
    if name == "described":
        return ["described", *get_all(data)]
    if name == "list":
        return ["list", get_all(data)]
    if name == "map":
        forms = get_all(data)
        return ["map", [list(pair) for pair in zip(forms[::2], forms[1::2], strict=True)]]
    if name == "array":
        _, described, kind = data.get_array()
        forms = get_all(data)
        return ["array", NAMES[kind], forms[:described], forms[described:]]
    return [name, str(int(getattr(data, f"get_{name}")()))]


def get_all(data: Data) -> list[list[Any]]:
    forms = []
    data.enter()
    while data.next() is not None:
        forms.append(get(data))
    data.exit()
    return forms
