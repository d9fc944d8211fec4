"""Draws a run of octets as boxes in rows: each piece with its name, its kind, its offset and its octets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...support.wording import counted
from .ladder import ladder
from .piece import OctetPiece, OctetRun, Role
from .svg import Picture, Rect, Shape, Text, svg, text_width, wrapped

# What a telephone of 360 pixels shows of a page without scrolling.
WIDTH = 328
_PAD = 8
_GAP = 6  # between rows
_SHORT_LINE = 8
_LONG_LINE = 12
_SMALL = 10.5
_LINE = 15
_FILLS = {Role.FRAME: "sunken", Role.VALUE: "raised", Role.RESERVED: "sunken"}


@dataclass(frozen=True, slots=True)
class _Row:
    """A line of a box: what it says and how it looks."""

    text: str
    size: float
    fill: str
    bold: bool = False


@dataclass(frozen=True, slots=True)
class _Box:
    """A piece that knows how much room it takes."""

    piece: OctetPiece
    place: str
    rows: tuple[_Row, ...]
    width: float

    @property
    def height(self) -> float:
        return _LINE * len(self.rows) + _PAD + 2


def run_svg(run: OctetRun) -> str:
    """The picture of a run."""
    shapes: list[Shape] = []
    top = 1.0
    for boxes in _rows(run):
        height = max(box.height for box in boxes)
        spare = (WIDTH - 2 - _width(boxes)) / len(boxes)
        left = 1.0
        for box in boxes:
            width = box.width + spare
            shapes += _drawn(box, left, top, width, height)
            left += width
        top += height
        if boxes[0].piece.bits:
            drawn, height = ladder(boxes[0].piece, left=1 + _PAD, top=top, width=WIDTH - 2 - 2 * _PAD)
            shapes += [Rect(1, top, WIDTH - 2, height, "raised", "line"), *drawn]
            top += height
        top += _GAP
    return svg(Picture(run.id, run.title, _description(run), WIDTH, top - _GAP + 1, shapes))


def _rows(run: OctetRun) -> Iterator[Sequence[_Box]]:
    """The boxes in rows that are not too wide; bits have a row for themselves."""
    row: list[_Box] = []
    for group in _groups(run):
        alone = group[0].piece.bits is not None or (row and row[-1].piece.bits is not None)
        if row and (alone or _width(row) + _width(group) > WIDTH - 2):
            yield row
            row = []
        for box in group:  # a group may be too wide even for itself
            if row and _width(row) + box.width > WIDTH - 2:
                yield row
                row = []
            row.append(box)
    if row:
        yield row


def _groups(run: OctetRun) -> Iterator[list[_Box]]:
    """Boxes that stay together if they can: a piece and those that are joined to it."""
    group: list[_Box] = []
    for piece, offset in zip(run.pieces, run.offsets, strict=False):
        if group and not piece.joined:
            yield group
            group = []
        group.append(_box(piece, f"@{offset}" if run.has_example else ""))
    if group:
        yield group


def _width(boxes: Sequence[_Box]) -> float:
    return sum(box.width for box in boxes)


def _box(piece: OctetPiece, place: str) -> _Box:
    room = WIDTH - 2 - 2 * _PAD
    named = room - text_width(f" {place}", _SMALL)
    soft = "soft" if piece.role is Role.RESERVED else "text"
    rows = [_Row(line, 12, soft, bold=True) for line in wrapped(piece.name, named)]
    rows += [_Row(line, 11, "soft") for line in wrapped(piece.facts, room, 11)]
    rows += _example(piece, room)
    widths = [text_width(row.text, row.size) for row in rows]
    widths[0] += text_width(f"  {place}", _SMALL)
    return _Box(piece, place, tuple(rows), max(widths) + 2 * _PAD)


def _example(piece: OctetPiece, room: float) -> Iterator[_Row]:
    """The octets, and what they mean; beside them if there is room."""
    short = piece.joined or len(piece.octets) <= 2 * _SHORT_LINE
    lines = octet_lines(piece.octets, _SHORT_LINE if short else _LONG_LINE)
    value = f"= {piece.value}" if piece.value else ""
    for line in lines[:-1]:
        yield _Row(line, 12, "accent")
    last = lines[-1]
    if not value:
        yield _Row(last, 12, "accent")
    elif len(lines) == 1 and text_width(f"{last} {value}") <= room / 2:
        yield _Row(f"{last} {value}", 12, "accent")
    else:
        if last:
            yield _Row(last, 12, "accent")
        yield from (_Row(line, 11, "soft") for line in wrapped(value, room, 11))


def octet_lines(octets: bytes, length: int) -> list[str]:
    """The octets as hexadecimal digits, in lines of so many; one empty line if there are none."""
    starts = range(0, len(octets), length)
    return [octets[start : start + length].hex(" ") for start in starts] or [""]


def _drawn(box: _Box, left: float, top: float, width: float, height: float) -> Iterator[Shape]:
    reserved = box.piece.role is Role.RESERVED
    yield Rect(
        left, top, width, height, _FILLS[box.piece.role], "idle" if reserved else "line", dashed=reserved
    )
    if box.place:
        yield Text(left + width - _PAD, top + _LINE, box.place, _SMALL, "soft", anchor="end")
    for number, row in enumerate(box.rows, 1):
        yield Text(left + _PAD, top + _LINE * number, row.text, row.size, row.fill, row.bold)


def _description(run: OctetRun) -> str:
    """The picture in words."""
    if not run.has_example:
        return " ".join(["Without an example.", *(f"{_named(piece, piece.value)}." for piece in run.pieces)])
    said = []
    for piece, offset in zip(run.pieces, run.offsets, strict=False):
        octets = piece.octets.hex(" ") or "none"
        said.append(f"At {offset} {_named(piece, octets, piece.value)}.")
    return " ".join([f"Example of {counted(len(run.octets), 'octet')}.", *said])


def _named(piece: OctetPiece, *contents: str) -> str:
    facts = f", {piece.facts}" if piece.facts else ""
    bits = f" ({_bits(piece)})" if piece.bits else ""
    content = ", ".join(each for each in contents if each)
    return f"{piece.name}{facts}{bits}{f': {content}' if content else ''}"


def _bits(piece: OctetPiece) -> str:
    names = piece.bits.names if piece.bits else ()
    return ", ".join(f"bit {number} {name}" for number, name in enumerate(names) if name)
