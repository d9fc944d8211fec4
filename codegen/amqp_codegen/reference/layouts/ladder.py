"""Draws the bits of a piece: a box for each, highest first, and a line from it to its name."""

from __future__ import annotations

from .piece import OctetPiece
from .svg import Line, Rect, Shape, Text, text_width, wrapped

_BOX = 17
_STEP = 16


def ladder(piece: OctetPiece, left: float, top: float, width: float) -> tuple[list[Shape], float]:
    """The shapes of a piece with bits, and their height.

    The highest bit is at the left, as numbers are written. Names are to the right of the boxes, that of the
    lowest bit on top; where the highest bit comes first they are at the left, that of the highest on top.
    Either way no line crosses another.
    """
    bits = piece.bits
    assert bits is not None
    count = len(piece.octets) * 8
    number = int.from_bytes(piece.octets, "big")
    label = max((text_width(name, 11) for name in bits.names), default=0) + 17
    box = max(width / 2 / count, min(_BOX, (width - label) / count))
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
            y += _STEP
    return shapes, y - top + 8
