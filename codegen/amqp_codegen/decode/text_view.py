"""The annotated view for people: offset, octets, name, type and value in columns that fit the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile, zip_longest

from ..support.wording import counted, visible
from .annotation import ABSENT, Absent, Annotation, Element, Value
from .reading import Reading

# A piece of a line and its style: one of the names in ``STYLES``.
Piece = tuple[str, str]
OFFSET, OCTETS, PREFIX, HEADING, NAME, TYPE, VALUE, NOTE, ERROR, PLAIN = (
    *("offset", "octets", "prefix", "heading", "name", "type", "value", "note", "error", "plain"),
)
_GAP = "  "
_INDENT = "  "
_FEW, _USUAL, _MANY = 4, 8, 16  # octets in a line
_WIDE_TERMINAL, _NARROW_TERMINAL = 136, 100
_MAX_NAME, _MAX_TYPE, _MIN_VALUE = 44, 28, 24
_MOST_LINES = 8  # of the octets or the value of one part
_TITLES = ("offset", "octets", "name", "type", "value")


@dataclass(frozen=True, slots=True)
class _Row:
    """A line before it is laid out; long octets and values make it several.

    Attributes:
        start: The offset of the octets.
        octets: The octets of this line: all of a leaf, the first of a structure.
        prefix: How many of them are not the value: ids, lengths, format codes.
        bits: What is shown instead of octets for one bit: ``.... ..1.``.
        errors: What is wrong, each with where the octets of the error begin and end among those of the row.
    """

    start: int
    octets: bytes
    prefix: int
    depth: int
    name: str
    type: str
    value: str
    note: str = ""
    is_heading: bool = False
    bits: str = ""
    errors: tuple[tuple[int, int, str], ...] = ()


Link = Callable[[Element], str]


def view_lines(reading: Reading, link: Link, width: int, in_full: bool) -> Iterator[list[Piece]]:
    """Yield the lines, each in pieces with their styles.

    Args:
        reading: What to show.
        link: Returns the address of an element in the reference guide.
        width: The columns of the terminal.
        in_full: Whether to show all octets of long bodies, and the whole of long values.
    """
    longest = len(reading.octets) if in_full else _MOST_LINES * width
    rows = [row for part in reading.parts for row in _rows(part, reading.octets, 0, link, longest)]
    layout = _Layout(rows, len(reading.octets), width, in_full)
    yield layout.titles()
    for row in rows:
        yield from layout.lines(row)


def _rows(part: Annotation, octets: bytes, depth: int, link: Link, longest: int) -> Iterator[_Row]:
    """Yield the row of a part, and those of the parts that are not shown in it; ``longest`` is that of a value."""
    inline = list(takewhile(lambda child: child.inline, part.children))
    stop = inline[-1].end if inline else part.start if part.children else part.end
    rest = part.children[len(inline) :]
    address = link(part.element) if part.element is not None and rest else ""
    yield _Row(
        part.start,
        octets[part.start : stop],
        _prefix(part, inline, bool(rest)),
        depth,
        part.name,
        part.type,
        _said(part, longest),
        address,
        bool(rest) or depth == 0,
        errors=tuple(_errors(part, inline)),
    )
    if part.bits and not part.meaning:
        places = 8 * (part.end - part.start)
        for bit in part.bits:
            yield _Row(
                part.start,
                b"",
                0,
                depth + 1,
                bit.name,
                "bit",
                _text(bit.value, 1),
                bits=_bits(bit.place, bit.value, places),
            )
    for child in rest:
        yield from _rows(child, octets, depth + 1, link, longest)


def _prefix(part: Annotation, inline: Sequence[Annotation], is_structure: bool) -> int:
    """Return how many octets of a row come before those of the value."""
    if not inline:
        return 0
    return (inline[-1].end if is_structure else inline[-1].start) - part.start


def _errors(part: Annotation, inline: Sequence[Annotation]) -> Iterator[tuple[int, int, str]]:
    if part.error:
        yield 0, min(part.end - part.start, _USUAL), part.error
    for child in inline:
        for annotation in child:
            if annotation.error:
                yield annotation.start - part.start, annotation.end - part.start, annotation.error


def _bits(place: int, value: bool, places: int) -> str:
    """Return the pattern of one bit among others, in groups of four: ``.... ..1.``."""
    marks = ["."] * places
    marks[places - 1 - place] = str(int(value))
    return " ".join("".join(marks[at : at + 4]) for at in range(0, places, 4))


def _said(part: Annotation, longest: int) -> str:
    """Return value and meaning."""
    text = f"{part.number:#0{2 + 2 * (part.end - part.start)}x}" if part.bits else _text(part.value, longest)
    if text and part.meaning and part.name != "body":
        return f"{text} ({part.meaning})"
    return text or part.meaning


def _text(value: Value | Absent, longest: int) -> str:
    """Return a value as JSON has it; octets that are printable text as such, others as their number.

    Only so much of a long text is looked at as may be shown; its layout marks that there is more.
    """
    if value is ABSENT:
        return ""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, bytes):
        try:
            text = value.decode()[: longest + 1]
        except UnicodeDecodeError:
            return counted(len(value), "octet")
        printable = sum(character.isprintable() or character in "\t\n\r" for character in text)
        return _quoted(text) if printable * 4 >= len(text) * 3 else counted(len(value), "octet")
    return _quoted(value[: longest + 1]) if isinstance(value, str) else str(value)


def _quoted(text: str) -> str:
    mark = "'" if '"' in text and "'" not in text else '"'
    shown = visible(text.replace("\\", "\\\\").replace(mark, f"\\{mark}"))
    return f"{mark}{shown}{mark}"


class _Layout:
    """The widths of the columns."""

    def __init__(self, rows: Sequence[_Row], size: int, width: int, in_full: bool) -> None:
        self._in_full = in_full
        self._digits = max(4, len(f"{max(0, size - 1):x}"))
        self._offset = max(self._digits, len(_TITLES[0]))
        self._name = _column(_MAX_NAME, (len(_INDENT * row.depth + row.name) for row in rows))
        self._type = _column(_MAX_TYPE, (len(row.type) for row in rows))
        used = self._offset + self._name + self._type + 4 * len(_GAP)
        self._octets = _MANY if width >= _WIDE_TERMINAL else _USUAL
        if width < _NARROW_TERMINAL and used + _hex_width(_USUAL) + _MIN_VALUE > width:
            self._octets = _FEW
        self._hex = _hex_width(self._octets)
        used += self._hex
        self._value = max(_MIN_VALUE, width - used)

    def titles(self) -> list[Piece]:
        """Return the line above all rows."""
        widths = (self._offset, self._hex, self._name, self._type, 0)
        return [(_GAP.join(title.ljust(width) for title, width in zip(_TITLES, widths, strict=True)), NOTE)]

    def lines(self, row: _Row) -> Iterator[list[Piece]]:
        """Yield the lines of a row: octets and value go on in further lines beside each other."""
        size = self._octets
        chunks = [row.octets[at : at + size] for at in range(0, len(row.octets), size)]
        texts = _wrapped(row.value, self._value)
        most = len(chunks) + len(texts) if self._in_full else _MOST_LINES
        left = row.octets[most * size :]
        hidden = len(texts) > most
        if hidden:
            texts = [*texts[: most - 1], f"{texts[most - 1][: self._value - 3]}..."]
        name = f"{_INDENT * row.depth}{row.name}"
        errors = list(row.errors)
        for number, (chunk, text) in enumerate(zip_longest(chunks[:most] or [b""], texts or [""])):
            first = number == 0
            yield self._line(
                row,
                row.start + number * size if chunk or first else None,
                chunk or b"",
                max(0, row.prefix - number * size),
                _cut(name, self._name) if first else "",
                _cut(row.type, self._type) if first else "",
                text or "",
                row.note if first else "",
            )
            while errors and errors[0][0] < (number + 1) * size:
                yield self._error(row, *errors.pop(0))
        if left:
            yield [(" " * self._offset + _GAP, PLAIN), (f"... {counted(len(left), 'more octet')}", NOTE)]
        for error in errors:
            yield self._error(row, *error)

    def _line(
        self,
        row: _Row,
        offset: int | None,
        chunk: bytes,
        prefix: int,
        name: str,
        kind: str,
        text: str,
        note: str,
    ) -> list[Piece]:
        place = "" if offset is None or row.bits else f"{offset:0{self._digits}x}"
        head, tail = chunk[:prefix].hex(" "), chunk[prefix:].hex(" ")
        between = " " if head and tail else ""
        used = len(row.bits) if row.bits else len(head) + len(between) + len(tail)
        padding = " " * (self._hex - used)
        pieces: list[Piece] = [
            (place.ljust(self._offset) + _GAP, OFFSET),
            (head + between, PREFIX),
            (row.bits or tail, OCTETS),
            (padding + _GAP, PLAIN),
            (name.ljust(self._name) + _GAP, HEADING if row.is_heading else NAME),
            (kind.ljust(self._type) + _GAP, TYPE),
            (text, NOTE if row.is_heading else VALUE),
        ]
        if note and len(text) + len(_GAP) + len(note) <= self._value:
            pieces.append((f"{_GAP if text else ''}{note}", NOTE))
        return pieces

    def _error(self, row: _Row, start: int, end: int, message: str) -> list[Piece]:
        """Return the line below a row that says what is wrong, with a mark below the octets in question."""
        first = start % self._octets
        last = min(self._octets, first + max(1, end - start))
        marks = " ".join("^^" for _ in range(first, last)) if row.octets else ""
        mark = f"{'   ' * first}{marks}".ljust(self._hex)
        indent = _INDENT * row.depth
        return [(" " * self._offset + _GAP, PLAIN), (f"{mark}{_GAP}{indent}error: {message}", ERROR)]


def _hex_width(octets: int) -> int:
    return 3 * octets - 1


def _column(most: int, lengths: Iterator[int]) -> int:
    return min(most, max(lengths, default=0))


def _cut(text: str, width: int) -> str:
    shown = "".join(character if character.isprintable() else "?" for character in text)
    return shown if len(shown) <= width else f"{shown[: width - 3]}..."


def _wrapped(text: str, width: int) -> list[str]:
    """Return the lines of a text: broken at a blank if one is near the end of the line."""
    lines: list[str] = []
    while len(text) > width:
        blank = text.rfind(" ", width * 2 // 3, width)
        stop = blank + 1 if blank > 0 else width
        lines.append(text[:stop])
        text = text[stop:]
    return [*lines, text] if text else lines
