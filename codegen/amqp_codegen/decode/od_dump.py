"""Octets of dumps of ``od`` and ``hexdump``, whose offsets have seven digits: words, characters, octal and decimal numbers.

Without options both print words of two octets in the order of the machine: the first octet of the file is the last of the
word. Machines that write the first octet first are rare, and nothing in a dump tells them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

_ROW = re.compile(r"[ \t]*(?P<offset>[0-9a-f]{6,7})(?P<cells>(?:[ \t].*)?)")
_TEXT_COLUMN = re.compile(r"\s{2}>.*<$")
_REPEATED = "*"
_OWN_WIDTH = 16  # octets in a row of od and hexdump, if not told otherwise
_SHORT = 6  # digits of the offsets of od -A x: a number of octets, so that only the last line tells a dump
_MAX_REPEATED = 1 << 24
_ESCAPES = {r"\0": 0, r"\a": 7, r"\b": 8, r"\t": 9, r"\n": 10, r"\v": 11, r"\f": 12, r"\r": 13}


class _Row(NamedTuple):
    """A row: its offset as written, what follows, and whether rows like the one before were left out ahead of it."""

    offset: str
    cells: str
    repeats: bool


class _Unit(NamedTuple):
    """How the numbers of a dump are written: a pattern, their base, and the octets of each."""

    pattern: str
    base: int
    width: int


_UNITS = (
    _Unit(r"[0-9a-f]{2}", 16, 1),
    _Unit(r"[0-7]{3}", 8, 1),
    _Unit(r"[0-9a-f]{4}", 16, 2),
    _Unit(r"[0-7]{6}", 8, 2),
    _Unit(r"[0-9a-f]{8}", 16, 4),
    _Unit(r"[0-9a-f]{16}", 16, 8),
    _Unit(r"[0-7]{11}", 8, 4),
    _Unit(r"\d{5}", 10, 2),
)
# The columns of decimal numbers: their width, and the octets of a number.
_DECIMAL_COLUMNS = {4: 1, 5: 1, 6: 2, 7: 2, 11: 4, 12: 4}


def od_octets(text: str) -> bytes:
    """Return the octets of a dump; none if a text is not one."""
    rows = _rows(text)
    if not rows or not rows[0].cells.strip() or (len(rows[0].offset) == _SHORT and rows[-1].cells.strip()):
        return b""
    read = _reader(rows)
    if read is None:
        return b""
    reader, width = read
    try:
        contents = [reader(row.cells) if row.cells.strip() else b"" for row in rows]
    except (KeyError, OverflowError, ValueError):
        return b""
    for base in (16, 8, 10):
        octets = _joined(rows, contents, base, width)
        if octets:
            return octets
    return b""


def _rows(text: str) -> list[_Row]:
    """Return the rows; none if there is a line that is not a row."""
    rows: list[_Row] = []
    repeats = False
    for line in text.splitlines():
        if not line.strip():
            continue
        if line.strip() == _REPEATED:
            repeats = True
            continue
        found = _ROW.fullmatch(line)
        if not found:
            return []
        rows.append(_Row(found["offset"], _TEXT_COLUMN.sub("", found["cells"]).rstrip("\r"), repeats))
        repeats = False
    return rows


def _reader(rows: Sequence[_Row]) -> tuple[Callable[[str], bytes], int] | None:
    """Return a function that reads a row, and the octets of each of its numbers; None if the rows have no form."""
    cells = [cell for row in rows for cell in row.cells.split()]
    first = rows[0].cells
    for unit in _UNITS:
        if unit.width == 4 and len(first) != len(first.split()) * (len(first.split()[0]) + 1):
            continue  # decimal numbers
        if all(re.fullmatch(unit.pattern, cell) for cell in cells):
            return partial(_numbers, base=unit.base, width=unit.width), unit.width
    if all(re.fullmatch(r"-?\d{1,10}", cell) for cell in cells):
        column, left = divmod(len(first), len(first.split()))
        width = 0 if left else _DECIMAL_COLUMNS.get(column, 0)
        return (partial(_numbers, base=10, width=width), width) if width else None
    return _characters, _OWN_WIDTH  # hexdump -c fills the last row with blanks


def _numbers(row: str, base: int, width: int) -> bytes:
    octets = b""
    for cell in row.split():
        octets += (int(cell, base) % (1 << 8 * width)).to_bytes(width, "little")
    return octets


def _characters(row: str) -> bytes:
    """Return the octets of a row of ``od -c``: columns of four, each a character, an escape or three octal digits."""
    octets = bytearray()
    for start in range(0, len(row), 4):
        cell = row[start : start + 4]
        if cell.startswith(" ") and len(cell) == 4 and len(cell.strip()) <= 1:
            octets += (cell.strip() or " ").encode("ascii")
        elif cell.strip() in _ESCAPES:
            octets.append(_ESCAPES[cell.strip()])
        else:
            octets.append(int(cell.strip(), 8))
    return bytes(octets)


def _joined(rows: Sequence[_Row], contents: Sequence[bytes], base: int, width: int) -> bytes:
    """Return the octets of the rows; none if their offsets, in this base, do not fit.

    Octal offsets of rows of another width than od's own are not taken: ``od -A x`` prints hexadecimal ones.
    """
    try:
        offsets = [int(row.offset, base) for row in rows]
    except ValueError:
        return b""
    widest = max(map(len, contents))
    if base == 8 and widest != _OWN_WIDTH and sum(map(bool, contents)) > 1:
        return b""
    octets = b""
    for place, (row, content) in enumerate(zip(rows, contents, strict=True)):
        start = offsets[place] - offsets[0]
        is_last = not content and place == len(rows) - 1
        if row.repeats and 0 < start - len(octets) <= _MAX_REPEATED and place:
            before = contents[place - 1]
            octets += before * ((start - len(octets)) // len(before)) if before else b""
        if not content and place and 0 <= len(octets) - start < width:
            octets = octets[:start]  # the last word, or row, is filled up
        if start != len(octets) or (not content and not is_last):
            return b""
        octets += content
    return octets
