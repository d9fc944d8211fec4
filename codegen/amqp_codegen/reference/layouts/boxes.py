"""Draws a run of octets as boxes in rows: each piece with its name, kind, offset, octets and bits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...support.wording import counted
from .pieces import OctetPiece, OctetRun, PieceRole
from .svg import Line, Picture, Rect, Shape, Text, svg, text_width, wrapped

_BIT_SIZE = 17
_NAME_STEP = 16


def ladder(piece: OctetPiece, left: float, top: float, width: float) -> tuple[list[Shape], float]:
    """Draw a piece with bits; return its shapes and their height.

    The highest bit is at the left, as numbers are written. Names are to the right of the boxes, that of the lowest bit
    on top; if the highest bit comes first, names are at the left, that of the highest bit on top. So no lines cross.
    """
    bits = piece.bits
    assert bits is not None
    count = len(piece.octets) * 8
    number = int.from_bytes(piece.octets, "big")
    label = max((text_width(name, 11) for name in bits.names), default=0) + 17
    box = max(width / 2 / count, min(_BIT_SIZE, (width - label) / count))
    start = left + width - box * count if bits.from_highest else left
    shapes: list[Shape] = []
    for place in range(count):  # from the left
        bit = count - 1 - place
        x = start + place * box
        named = bit < len(bits.names) and bool(bits.names[bit])
        shapes.append(Rect(x, top + 20, box, 18, "raised" if named else "sunken", "idle"))
        shapes.append(Text(x + box / 2, top + 15, str(bit), 8.5, "soft", anchor="middle"))
        colour = "accent" if named else "soft"
        shapes.append(Text(x + box / 2, top + 33, str(number >> bit & 1), 11, colour, anchor="middle"))
    named_bits = [bit for bit, name in enumerate(bits.names) if name]
    if bits.from_highest:
        named_bits.reverse()
    y = top + 38.0
    for bit in named_bits:
        middle = start + (count - 1 - bit) * box + box / 2
        edge = start if bits.from_highest else start + box * count
        room = (start - left if bits.from_highest else left + width - edge) - 16
        lines = wrapped(bits.names[bit], room, 11)
        baseline = y + 13
        if bits.from_highest:
            text_x, anchor, end = start - 12, "end", start - 8
        else:
            text_x, anchor, end = edge + 12, "start", edge + 8
        shapes.append(Line(((middle, top + 38), (middle, baseline - 4), (end, baseline - 4)), "idle"))
        for line in lines:
            shapes.append(Text(text_x, y + 13, line, 11, anchor=anchor))
            y += _NAME_STEP
    return shapes, y - top + 8


# What fits on a phone of 360 pixels without scrolling.
WIDTH = 328
_PADDING = 8
_ROW_GAP = 6
_SHORT_LINE = 8
_LONG_LINE = 12
_SMALL_SIZE = 10.5
_LINE_HEIGHT = 15
_FILLS = {PieceRole.FRAME: "sunken", PieceRole.VALUE: "raised", PieceRole.RESERVED: "sunken"}


@dataclass(frozen=True, slots=True)
class _Row:
    """A line of a box: what it says and how it looks."""

    text: str
    size: float
    fill: str
    bold: bool = False


@dataclass(frozen=True, slots=True)
class _Box:
    """A piece and the room that it needs."""

    piece: OctetPiece
    place: str
    rows: tuple[_Row, ...]
    width: float

    @property
    def height(self) -> float:
        return _LINE_HEIGHT * len(self.rows) + _PADDING + 2


def run_svg(run: OctetRun) -> str:
    """Draw a run."""
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
            drawn, height = ladder(boxes[0].piece, left=1 + _PADDING, top=top, width=WIDTH - 2 - 2 * _PADDING)
            shapes += [Rect(1, top, WIDTH - 2, height, "raised", "line"), *drawn]
            top += height
        top += _ROW_GAP
    return svg(Picture(run.id, run.title, _description(run), WIDTH, top - _ROW_GAP + 1, shapes))


def _rows(run: OctetRun) -> Iterator[Sequence[_Box]]:
    """Yield the boxes in rows that fit the width; bits have a row for themselves."""
    row: list[_Box] = []
    for group in _groups(run):
        alone = group[0].piece.bits is not None or (row and row[-1].piece.bits is not None)
        if row and (alone or _width(row) + _width(group) > WIDTH - 2):
            yield row
            row = []
        for box in group:  # a single group may be too wide for a row
            if row and _width(row) + box.width > WIDTH - 2:
                yield row
                row = []
            row.append(box)
    if row:
        yield row


def _groups(run: OctetRun) -> Iterator[list[_Box]]:
    """Yield boxes that stay together if possible: a piece and those joined to it."""
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
    room = WIDTH - 2 - 2 * _PADDING
    named = room - text_width(f" {place}", _SMALL_SIZE)
    soft = "soft" if piece.role is PieceRole.RESERVED else "text"
    rows = [_Row(line, 12, soft, bold=True) for line in wrapped(piece.name, named)]
    rows += [_Row(line, 11, "soft") for line in wrapped(piece.facts, room, 11)]
    rows += _example(piece, room)
    widths = [text_width(row.text, row.size) for row in rows]
    widths[0] += text_width(f"  {place}", _SMALL_SIZE)
    return _Box(piece, place, tuple(rows), max(widths) + 2 * _PADDING)


def _example(piece: OctetPiece, room: float) -> Iterator[_Row]:
    """Yield the octets and their meaning, beside each other if there is room."""
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
    """Return the octets in hexadecimal, ``length`` of them a line; one empty line if there are none."""
    starts = range(0, len(octets), length)
    return [octets[start : start + length].hex(" ") for start in starts] or [""]


def _drawn(box: _Box, left: float, top: float, width: float, height: float) -> Iterator[Shape]:
    reserved = box.piece.role is PieceRole.RESERVED
    yield Rect(
        left, top, width, height, _FILLS[box.piece.role], "idle" if reserved else "line", dashed=reserved
    )
    if box.place:
        yield Text(left + width - _PADDING, top + _LINE_HEIGHT, box.place, _SMALL_SIZE, "soft", anchor="end")
    for number, row in enumerate(box.rows, 1):
        yield Text(left + _PADDING, top + _LINE_HEIGHT * number, row.text, row.size, row.fill, row.bold)


def _description(run: OctetRun) -> str:
    """Describe the picture in words."""
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
    content = ", ".join(content for content in contents if content)
    return f"{piece.name}{facts}{bits}{f': {content}' if content else ''}"


def _bits(piece: OctetPiece) -> str:
    names = piece.bits.names if piece.bits else ()
    return ", ".join(f"bit {number} {name}" for number, name in enumerate(names) if name)
