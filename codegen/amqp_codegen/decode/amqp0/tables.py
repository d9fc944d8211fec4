"""Annotates field tables, entry by entry, in any dialect (0-9-1 section 4.2.5.5)."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from ...model.amqp0.wire import Dialect
from ...support.wording import counted
from ..annotation import Annotation, Value, cut_off, ends_early, number

MAX_DEPTH = 64
MAX_ENTRIES = 65_536
_INTEGERS = {
    **{f"int{8 * width}": (width, True) for width in (1, 2, 4, 8)},
    **{f"uint{8 * width}": (width, False) for width in (1, 2, 4, 8)},
}
_WIDTHS = {
    **{kind: width for kind, (width, _) in _INTEGERS.items()},
    **{"boolean": 1, "float": 4, "double": 8, "timestamp": 8, "void": 0},
    **{"decimal": 5, "decimal-unsigned": 5},
}
_LENGTH_WIDTHS = {"shortstr": 1, "longstr": 4, "bytes": 4}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def moment(seconds: float) -> str:
    """Return a time as text; empty if no calendar has it."""
    try:
        return (_EPOCH + timedelta(seconds=seconds)).isoformat().replace("+00:00", "Z")
    except OverflowError:
        return ""


def utf8(octets: bytes) -> str | None:
    """Return the text of octets in UTF-8, None for other octets."""
    try:
        return octets.decode()
    except UnicodeDecodeError:
        return None


def sized(octets: bytes, name: str, position: int, end: int, width: int, limit: int) -> Annotation:
    """Return a length of ``width`` octets and mark one that exceeds ``limit``, where the octets end that it counts."""
    if end - position < width:
        return replace(cut_off(name, position, end, width), inline=True)
    length = number(octets, position, width, name)
    left = limit - length.end
    if isinstance(length.value, int) and length.value > left:
        error = f"the {name} is {length.value:,}, but {counted(left, 'octet')} follow"
        return replace(length, error=error)
    return length


def string(
    octets: bytes, name: str, kind: str, position: int, end: int, width: int, text: bool
) -> Annotation:
    """Return a string with its length; ``text`` for one that must be UTF-8."""
    length = sized(octets, "length", position, end, width, end)
    if not isinstance(length.value, int):
        return Annotation(position, end, name, kind, children=(length,))
    stop = min(length.end + length.value, end)
    content = octets[length.end : stop]
    value: Value = content
    error = ""
    if text:
        decoded = utf8(content)
        value = content if decoded is None else decoded
        error = "" if decoded is not None or length.error else "the text is not UTF-8"
    data = Annotation(length.end, stop, "text" if text else "octets", inline=True, error=error)
    return Annotation(position, stop, name, kind, value, children=(length, data))


class AnnotatedTableReader:
    """Reads the tables of some octets.

    Args:
        octets: All octets.
        dialect: The letters.
        lenient: The letters that other peers use; a value with one is read, and marked.
    """

    def __init__(self, octets: bytes, dialect: Dialect, lenient: Mapping[str, str]) -> None:
        self._octets = octets
        self._dialect = dialect
        self._lenient = lenient

    def table(self, name: str, position: int, end: int, depth: int = 1) -> Annotation:
        """Return a table: its size, and its entries."""
        parts, stop = self._entries(position, end, depth, is_array=False)
        entries = sum(not part.inline for part in parts)
        return Annotation(position, stop, name, "table", meaning=_count(entries, "entry"), children=parts)

    def value(self, name: str, position: int, end: int, depth: int = 1) -> Annotation:
        """Return a letter and the value that it announces."""
        if position >= end:
            return cut_off(name, position, end, 1, "letter")
        letter = chr(self._octets[position])
        kind = self._dialect.read.get(letter)
        error = ""
        if kind is None:
            kind = self._lenient.get(letter, "")
            error = f"dialect {self._dialect.name} has no letter {letter!r}"
            error += f"; read as {kind}" if kind else ""
        head = Annotation(position, position + 1, "letter", value=letter, inline=True, error=error)
        if not kind:
            rest = (Annotation(position + 1, end, "value"),) if position + 1 < end else ()
            return Annotation(position, end, name, "unknown", children=(head, *rest))
        value = self._content(name, kind, position + 1, end, depth)
        return replace(value, start=position, children=(head, *value.children))

    def _content(self, name: str, kind: str, position: int, end: int, depth: int) -> Annotation:
        """Return what follows the letter."""
        if kind in ("table", "array"):
            parts, stop = self._entries(position, end, depth + 1, kind == "array")
            count = sum(not part.inline for part in parts)
            noun = "item" if kind == "array" else "entry"
            return Annotation(position, stop, name, kind, meaning=_count(count, noun), children=parts)
        if kind in _LENGTH_WIDTHS:
            found = string(self._octets, name, kind, position, end, _LENGTH_WIDTHS[kind], text=False)
            if kind != "bytes" and isinstance(found.value, bytes):
                decoded = utf8(found.value)
                return found if decoded is None else replace(found, value=decoded)
            return found
        width = _WIDTHS[kind]
        if end - position < width:
            rest = replace(cut_off("value", position, end, width), inline=True)
            return Annotation(position, end, name, kind, children=(rest,))
        content = self._octets[position : position + width]
        data = (Annotation(position, position + width, "value", inline=True),) if width else ()
        value = _scalar(kind, content)
        meaning = moment(value) if kind == "timestamp" and isinstance(value, int) else ""
        return Annotation(position, position + width, name, kind, value, meaning, children=data)

    def _entries(
        self, position: int, end: int, depth: int, is_array: bool
    ) -> tuple[tuple[Annotation, ...], int]:
        """Return the size and the entries or items, and where they end."""
        size = sized(self._octets, "size", position, end, 4, end)
        if not isinstance(size.value, int):
            return (size,), end
        stop = min(size.end + size.value, end)
        if depth > MAX_DEPTH:
            deep = Annotation(size.end, stop, "not shown", error=f"nested deeper than {MAX_DEPTH}")
            return (size, deep), stop
        parts = [size]
        position = size.end
        while position < stop:
            if len(parts) > MAX_ENTRIES:
                parts.append(
                    Annotation(position, stop, "not shown", error=f"more than {MAX_ENTRIES:,} entries")
                )
                break
            name = f"[{len(parts) - 1}]"
            part = (
                self.value(name, position, stop, depth)
                if is_array
                else self._entry(name, position, stop, depth)
            )
            parts.append(part)
            position = part.end
            if ends_early(part, stop):
                break
        return tuple(parts), stop

    def _entry(self, name: str, position: int, end: int, depth: int) -> Annotation:
        """Return a key and its value as one part, named after the key."""
        key = string(self._octets, "key", "shortstr", position, end, 1, text=True)
        key = replace(key, inline=True)
        name = key.value if isinstance(key.value, str) else name
        if ends_early(key, end):
            return Annotation(position, key.end, name, "entry", children=(key,))
        value = self.value(name, key.end, end, depth)
        parts = value.children or (replace(value, name="letter", inline=True),)
        error = value.error if value.children else ""  # else that of the child
        return replace(value, start=position, error=error, children=(key, *parts))


def _scalar(kind: str, octets: bytes) -> Value:
    if kind in _INTEGERS:
        return int.from_bytes(octets, "big", signed=_INTEGERS[kind][1])
    if kind == "boolean":
        return octets != b"\0"
    if kind == "float":
        return float(struct.unpack(">f", octets)[0])
    if kind == "double":
        return float(struct.unpack(">d", octets)[0])
    if kind == "timestamp":
        return int.from_bytes(octets, "big")
    if kind == "void":
        return None
    digits = int.from_bytes(octets[1:], "big", signed=kind == "decimal")
    return str(Decimal(digits).scaleb(-octets[0]))


def _count(number_of: int, noun: str) -> str:
    if noun == "entry" and number_of != 1:
        return f"{number_of:,} entries"
    return counted(number_of, noun)
