"""Writes SVG: the few shapes that the pictures are made of. All texts are escaped here and only here."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

# The width of a character of a monospaced font in em: DejaVu Sans Mono and Menlo have the widest.
CHARACTER = 0.603
# Characters that XML cannot write, and those that change the direction of the text around them.
_UNWRITABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff\u202a-\u202e\u2066-\u2069]")
_NOT_FOR_IDS = re.compile(r"[^A-Za-z0-9.-]")


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle; ``fill`` and ``stroke`` are colour names of the page, empty for none."""

    x: float
    y: float
    width: float
    height: float
    fill: str = ""
    stroke: str = ""
    radius: float = 0
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A line through points, with round corners; ``arrow`` puts a head on its end."""

    points: tuple[tuple[float, float], ...]
    stroke: str
    arrow: bool = False
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text.

    Attributes:
        x: The start, centre or end of the line, according to ``anchor``: ``start``, ``middle`` or ``end``.
        y: Its baseline.
        text: The text, not escaped.
        size: Of the font, in pixels.
        anchor: See ``x``.
    """

    x: float
    y: float
    text: str
    size: float = 12
    fill: str = "text"
    bold: bool = False
    anchor: str = "start"


Shape: TypeAlias = Rect | Line | Text


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture.

    Attributes:
        id: Unique on its page; its title and description have ids made from it.
        description: The picture in words, for readers who cannot see it.
        width: In pixels.
        height: In pixels.
        shapes: From back to front.
    """

    id: str
    title: str
    description: str
    width: float
    height: float
    shapes: Sequence[Shape]


def svg(picture: Picture) -> str:
    """Return the picture as an element of an HTML page. It is not scaled: put it into a box that scrolls."""
    name = picture.id
    size = f'width="{_number(picture.width)}" height="{_number(picture.height)}"'
    box = f'viewBox="0 0 {_number(picture.width)} {_number(picture.height)}"'
    head = (
        f'<svg class="layout" id="{name}" {size} {box} role="img"'
        f' aria-labelledby="{name}.title" aria-describedby="{name}.desc" font-family="var(--mono)">'
    )
    lines = [
        head,
        f'<title id="{name}.title">{escaped(picture.title)}</title>',
        f'<desc id="{name}.desc">{escaped(picture.description)}</desc>',
        *(line for shape in picture.shapes for line in _shape(shape)),
        "</svg>",
    ]
    return "\n".join(lines)


def picture_id(*names: str) -> str:
    """Make an id of names; different names give different ids."""
    return "layout." + ".".join(
        _NOT_FOR_IDS.sub(lambda found: f"_{ord(found[0]):x}_", name) for name in names
    )


def escaped(text: str) -> str:
    """Escape a text; characters that XML cannot carry become U+FFFD."""
    return html.escape(_UNWRITABLE.sub("\ufffd", text))


def text_width(text: str, size: float = 12) -> float:
    """Return the greatest width of a text, in pixels; ideographs are twice as wide as letters."""
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return (len(text) + wide) * CHARACTER * size


def wrapped(text: str, width: float, size: float = 12) -> list[str]:
    """Break a text into lines that fit, at blanks, else behind hyphens, dots and commas; at least one line."""
    most = max(4, int(width / (CHARACTER * size)))
    lines: list[str] = []
    rest = text
    while text_width(rest, 1) > most * CHARACTER + 1e-6:
        end = _end_of_line(rest, most)
        lines.append(rest[:end].rstrip(" "))
        rest = rest[end:].lstrip(" ")
    return [*lines, rest]


def _end_of_line(text: str, most: int) -> int:
    end = width = 0
    for character in text:
        width += 2 if unicodedata.east_asian_width(character) in "WF" else 1
        if width > most:
            break
        end += 1
    end = max(1, end)
    if text[end] == " ":
        return end
    for marks in (" ", "-.,"):
        found = max(text.rfind(mark, 0, end) for mark in marks)
        if found > end // 3:
            return found + 1
    return end


def _shape(shape: Shape) -> Iterator[str]:
    if isinstance(shape, Rect):
        yield _rect(shape)
    elif isinstance(shape, Line):
        yield from _line(shape)
    else:
        yield _text(shape)


def _rect(rect: Rect) -> str:
    place = f'x="{_number(rect.x)}" y="{_number(rect.y)}"'
    size = f'width="{_number(rect.width)}" height="{_number(rect.height)}"'
    radius = f' rx="{_number(rect.radius)}"' if rect.radius else ""
    dashed = ' stroke-dasharray="4 3"' if rect.dashed else ""
    return (
        f'<rect {place} {size} fill="{_colour(rect.fill)}" stroke="{_colour(rect.stroke)}"{radius}{dashed}/>'
    )


def _line(line: Line) -> Iterator[str]:
    dashed = ' stroke-dasharray="4 3"' if line.dashed else ""
    colour = _colour(line.stroke)
    points = " ".join(f"{_number(x)},{_number(y)}" for x, y in line.points)
    yield f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.3" stroke-linejoin="round"{dashed}/>'
    if line.arrow:
        (from_x, from_y), (x, y) = line.points[-2:]
        along = (_sign(x - from_x), _sign(y - from_y))
        back = (x - 7 * along[0], y - 7 * along[1])
        side = (3.5 * along[1], 3.5 * along[0])
        head = ((x, y), (back[0] + side[0], back[1] + side[1]), (back[0] - side[0], back[1] - side[1]))
        points = " ".join(f"{_number(at_x)},{_number(at_y)}" for at_x, at_y in head)
        yield f'<polygon points="{points}" fill="{colour}"/>'


def _text(text: Text) -> str:
    anchor = f' text-anchor="{text.anchor}"' if text.anchor != "start" else ""
    bold = ' font-weight="600"' if text.bold else ""
    place = f'x="{_number(text.x)}" y="{_number(text.y)}" font-size="{_number(text.size)}"'
    return f'<text {place} fill="{_colour(text.fill)}"{anchor}{bold}>{escaped(text.text)}</text>'


def _colour(name: str) -> str:
    return f"var(--{name})" if name else "none"


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)
