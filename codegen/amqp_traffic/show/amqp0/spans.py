"""The fields of 0-x methods and content headers, each with its octets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from amqp_codegen.support.resources import load_module, load_package

from ..lines import FieldSpan, short_value

_BITS_PER_OCTET = 8
_FLAGS_PER_WORD = 15
_LAST_FLAG = 15


class MethodSpans:
    """A reader of the spans of payloads of one version.

    Args:
        package: The generated package.
        dialect: The dialect of field tables; empty for the package's own.
    """

    def __init__(self, package: str, dialect: str) -> None:
        amqp = load_package(package)
        self._methods: Any = amqp.METHODS
        self._properties: Any = load_module(package, "content")
        self._walk_field: Any = load_module(package, "fields").walk_value
        self._walk_value: Any = load_module(package, "table_walker").walk_value
        self._plain: Any = load_module(package, "table_walker").plain
        dialects, tables = load_module(package, "dialects"), load_module(package, "table_reader")
        self._tables: Any = tables.table_reader(dialect or dialects.DEFAULT_DIALECT, lenient=True)

    def method(self, payload: bytes) -> Iterator[FieldSpan]:
        """Yield the spans of a method.

        Raises:
            DecodeError: The octets after the last span are invalid.
        """
        method = self._methods.get(int.from_bytes(payload[:4], "big"))
        ids = [int.from_bytes(payload[at : at + 2], "big") for at in (0, 2)]
        yield FieldSpan(0, 4, 0, "method", "", f"{method.NAME if method else 'unknown'} ({ids[0]}, {ids[1]})")
        if method is not None:
            yield from self._fields(method.FIELDS, payload, 4)

    def header(self, payload: bytes) -> Iterator[FieldSpan]:
        """Yield the spans of a content header.

        Raises:
            DecodeError: The octets after the last span are invalid.
        """
        yield FieldSpan(0, 2, 0, "class", "short", str(int.from_bytes(payload[:2], "big")))
        yield FieldSpan(2, 4, 0, "weight", "short", str(int.from_bytes(payload[2:4], "big")))
        yield FieldSpan(4, 12, 0, "body size", "longlong", str(int.from_bytes(payload[4:12], "big")))
        position = 12
        words: list[int] = []
        while True:
            word = int.from_bytes(payload[position : position + 2], "big")
            words.append(word)
            position += 2
            if not word & 1 or position >= len(payload):
                break
        flags = b"".join(word.to_bytes(2, "big") for word in words)
        yield FieldSpan(12, position, 0, "property flags", "", flags.hex(" "))
        kind = type(self._properties.empty_properties(int.from_bytes(payload[:2], "big")))
        present = [
            field
            for index, field in enumerate(kind.FIELDS)
            if index // _FLAGS_PER_WORD < len(words)
            and words[index // _FLAGS_PER_WORD] >> (_LAST_FLAG - index % _FLAGS_PER_WORD) & 1
        ]
        yield from self._fields(present, payload, position)

    def _fields(self, fields: Sequence[Any], payload: bytes, position: int) -> Iterator[FieldSpan]:
        end, index = len(payload), 0
        while index < len(fields):
            field = fields[index]
            if field.type == "bit":
                bits = [each for each in fields[index : index + _BITS_PER_OCTET] if each.type == "bit"]
                octet = payload[position] if position < end else 0
                values = ", ".join(f"{bit.name} {octet >> shift & 1}" for shift, bit in enumerate(bits))
                yield FieldSpan(position, min(position + 1, end), 0, "bits", "bit", values)
                position, index = position + 1, index + len(bits)
                continue
            index += 1
            value, stop = self._walk_field(
                field.type, payload, position, end, self._tables, field.name, False
            )
            if field.type == "table":
                yield FieldSpan(
                    position, position + 4, 0, field.name, "table", f"{stop - position - 4} octets"
                )
                yield from self._entries(payload, position + 4, stop, 1)
            else:
                yield FieldSpan(position, stop, 0, field.name, field.type, short_value(value, long=True))
            position = stop
        if position < end:
            yield FieldSpan(position, end, 0, "left over")

    def _entries(self, payload: bytes, position: int, end: int, depth: int) -> Iterator[FieldSpan]:
        """Yield the spans of the entries of a table."""
        while position < end:
            letter = position + 1 + payload[position]
            name = payload[position + 1 : letter].decode(errors="backslashreplace")
            position = yield from self._value(payload, position, letter, end, depth, name)

    def _items(self, payload: bytes, position: int, end: int, depth: int) -> Iterator[FieldSpan]:
        """Yield the spans of the items of an array."""
        index = 0
        while position < end:
            position = yield from self._value(payload, position, position, end, depth, f"[{index}]")
            index += 1

    def _value(self, payload: bytes, start: int, letter: int, end: int, depth: int, name: str) -> Any:
        """Yield the spans of a value and of the key before it; return where the value ends."""
        value, stop = self._walk_value(payload, letter, end, self._tables, depth, name, True)
        kind = self._tables.kinds[value.letter]
        if kind in ("table", "array"):
            inside = letter + 5
            yield FieldSpan(start, inside, depth, name, kind, f"{stop - inside} octets")
            parts = self._entries if kind == "table" else self._items
            yield from parts(payload, inside, stop, depth + 1)
        else:
            yield FieldSpan(
                start, stop, depth, name, kind, short_value(self._plain(value, self._tables), long=True)
            )
        return stop
