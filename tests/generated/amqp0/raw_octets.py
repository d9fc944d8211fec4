"""Valid octets that plain Python values cannot express: what lossless decoding must give back unchanged.

Duplicate keys, keys and strings that are no UTF-8, every letter and width, booleans other than 0 and 1, NaN
payloads, reserved fields that are not zero, spare bits, weights, flag words that stand for nothing.
"""

from __future__ import annotations

import struct
from decimal import Decimal
from functools import cache
from typing import Any, NamedTuple

from hypothesis import strategies as st

from .letters import INTEGERS, KINDS
from .packages import dialect_of
from .reference_codec import longstr
from .values import WIDTHS

_FIXED = {
    "boolean": 1,
    "float": 4,
    "double": 8,
    "decimal": 5,
    "decimal-unsigned": 5,
    "timestamp": 8,
    "void": 0,
}
_KEYS = st.one_of(
    st.sampled_from([b"", b"a", b"a", b"b", b"\xff", b"x" * 255]),
    st.binary(max_size=4),
    st.text(max_size=2).map(lambda text: text.encode("utf-8", "replace")),
)


class Value(NamedTuple):
    """Octets of a table value, letter first, and the plain Python value that they stand for."""

    octets: bytes
    plain: Any


def read_plain(kind: str, data: bytes, amqp: Any) -> Any:
    """The plain value of a fixed-size kind, by ``struct`` alone."""
    if kind in INTEGERS:
        return struct.unpack(INTEGERS[kind][0], data)[0]
    if kind in ("float", "double"):
        return struct.unpack(">f" if kind == "float" else ">d", data)[0]
    if kind in ("decimal", "decimal-unsigned"):
        scale, number = struct.unpack(">Bi" if kind == "decimal" else ">BI", data)
        return Decimal((number < 0, tuple(map(int, str(abs(number)))), -scale))
    if kind == "timestamp":
        return amqp.Timestamp(struct.unpack(">Q", data)[0])
    return data != b"\0" if kind == "boolean" else None


def text_or_octets(data: bytes) -> str | bytes:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


@cache
def raw_values(amqp: Any, dialect: str, depth: int) -> st.SearchStrategy[Value]:
    """Any valid value of a dialect."""
    options: list[st.SearchStrategy[Value]] = []
    for letter, kind in KINDS[dialect].items():
        code = letter.encode()
        if kind in INTEGERS or kind in _FIXED:
            size = struct.calcsize(INTEGERS[kind][0]) if kind in INTEGERS else _FIXED[kind]
            options.append(_fixed(code, kind, size, amqp))
        elif kind in ("longstr", "bytes", "shortstr"):
            options.append(_string(code, kind))
        elif depth and kind == "array":
            items = st.lists(raw_values(amqp, dialect, depth - 1), max_size=3)
            options.append(items.map(lambda items, code=code: _array(code, items)))
        elif depth and kind == "table":
            entries = raw_tables(amqp, dialect, depth - 1)
            options.append(entries.map(lambda table, code=code: Value(code + table.octets, table.plain)))
    return st.one_of(options)


def _fixed(code: bytes, kind: str, size: int, amqp: Any) -> st.SearchStrategy[Value]:
    octets = st.binary(min_size=size, max_size=size)
    if kind in ("float", "double"):
        special = (
            ["7fc00001", "ff800000", "80000000"] if size == 4 else ["7ff0000000000001", "8000000000000000"]
        )
        octets |= st.sampled_from([bytes.fromhex(text) for text in special])
    return octets.map(lambda data: Value(code + data, read_plain(kind, data, amqp)))


def _string(code: bytes, kind: str) -> st.SearchStrategy[Value]:
    width = ">B" if kind == "shortstr" else ">I"
    data = st.binary(max_size=6) | st.text(max_size=4).map(lambda text: text.encode("utf-8", "replace"))
    return data.map(
        lambda data: Value(
            code + struct.pack(width, len(data)) + data, data if kind == "bytes" else text_or_octets(data)
        )
    )


def _array(code: bytes, items: list[Value]) -> Value:
    return Value(code + longstr(b"".join(item.octets for item in items)), [item.plain for item in items])


@cache
def raw_tables(amqp: Any, dialect: str, depth: int = 2) -> st.SearchStrategy[Value]:
    """Any valid table of a dialect: its octets, length included, and the dict of the last of equal keys."""

    def table(entries: list[tuple[bytes, Value]]) -> Value:
        octets = b"".join(bytes((len(key),)) + key + value.octets for key, value in entries)
        plain = {key.decode("utf-8", "surrogateescape"): value.plain for key, value in entries}
        return Value(longstr(octets), plain)

    return st.lists(st.tuples(_KEYS, raw_values(amqp, dialect, depth)), max_size=4).map(table)


def _field_octets(kind: str, amqp: Any) -> st.SearchStrategy[bytes]:
    if kind in WIDTHS:
        return st.binary(min_size=WIDTHS[kind], max_size=WIDTHS[kind])
    if kind == "shortstr":
        data = st.binary(max_size=6) | st.text("aä€", max_size=2).map(str.encode)
        return data.map(lambda data: bytes((len(data),)) + data)
    if kind == "longstr":
        return st.binary(max_size=6).map(longstr)
    if kind == "content":
        return st.tuples(st.binary(min_size=1, max_size=1), st.binary(max_size=6).map(longstr)).map(b"".join)
    if kind == "table":
        return raw_tables(amqp, dialect_of(amqp), 1).map(lambda table: table.octets)
    raise AssertionError(kind)


@cache
def raw_methods(amqp: Any, cls: Any) -> st.SearchStrategy[bytes]:
    """Any valid payload of a method, with reserved values, spare bits and strings that are no UTF-8."""
    parts: list[st.SearchStrategy[bytes]] = [st.just(struct.pack(">HH", cls.CLASS_ID, cls.METHOD_ID))]
    bits = 0
    for field in cls.FIELDS:
        bits = bits + 1 if field.type == "bit" else 0
        if bits % 8 == 1:
            parts.append(st.binary(min_size=1, max_size=1))
        elif not bits:
            parts.append(_field_octets(field.type, amqp))
    return st.tuples(*parts).map(b"".join)


@cache
def raw_headers(amqp: Any, cls: Any, *, tidy: bool = False) -> st.SearchStrategy[bytes]:
    """Any payload of a content header that keeps the form: any weight, any flags, up to three words of them.

    Tidy ones have no weight and only flags that stand for a property.
    """

    def header(weight: int, size: int, words: list[int], values: dict[str, bytes]) -> bytes:
        # Every word but the last says that another one follows.
        flags = [word | 1 for word in words[:-1]] + [words[-1] & ~1]
        present = [field for index, field in enumerate(cls.FIELDS) if flags[0] & 0x8000 >> index]
        return (
            struct.pack(">HHQ", cls.CLASS_ID, weight, size)
            + b"".join(struct.pack(">H", word) for word in flags)
            + b"".join(values[field.name] for field in present)
        )

    weights = st.just(0) if tidy else st.integers(0, 0xFFFF)
    words = st.lists(st.integers(0, 0xFFFF), min_size=1, max_size=3)
    if tidy:
        known = 0x10000 - (1 << 16 - len(cls.FIELDS))
        words = st.integers(0, 0xFFFF).map(lambda word: [word & known])
    values = st.fixed_dictionaries({field.name: _field_octets(field.type, amqp) for field in cls.FIELDS})
    return st.builds(header, weights, st.integers(0, 2**64 - 1), words, values)


def any_raw_method(amqp: Any) -> st.SearchStrategy[bytes]:
    return st.sampled_from(list(amqp.METHODS.values())).flatmap(lambda cls: raw_methods(amqp, cls))


def any_raw_header(amqp: Any, *, tidy: bool = False) -> st.SearchStrategy[bytes]:
    return st.sampled_from(list(amqp.content.PROPERTIES.values())).flatmap(
        lambda cls: raw_headers(amqp, cls, tidy=tidy)
    )


@cache
def raw_streams(amqp: Any) -> st.SearchStrategy[bytes]:
    """Any valid stream of frames of all types that the version names."""
    c = amqp.constants
    other = [getattr(c, name) for name in ("FRAME_OOB_METHOD", "FRAME_TRACE") if hasattr(c, name)]
    frame = st.one_of(
        st.tuples(st.just(c.FRAME_METHOD), any_raw_method(amqp)),
        st.tuples(st.just(c.FRAME_HEADER), any_raw_header(amqp)),
        st.tuples(st.sampled_from([c.FRAME_BODY, *other]), st.binary(max_size=20)),
        st.just((c.FRAME_HEARTBEAT, b"")),
    )
    numbered = st.tuples(st.integers(0, 0xFFFF), frame).map(
        lambda item: struct.pack(">BHI", item[1][0], item[0], len(item[1][1])) + item[1][1] + b"\xce"
    )
    return st.lists(numbered, max_size=5).map(b"".join)
