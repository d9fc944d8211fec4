"""The positions of tags, comments and texts in a document, found by one scan of its text.

lxml keeps no columns. The scan meets elements, comments and processing instructions in the order of ``root.iter()``,
so a walk through the tree takes the next extent for each node. The document must be well-formed.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..model.problem import Position
from .element import TextRun

# Comments, CDATA and processing instructions come first: they hide what looks like tags.
_MARKUP = re.compile(
    r"""(?P<node><!--.*?-->|<\?.*?\?>)|<!\[CDATA\[.*?\]\]>|(?P<end></[^>]*>)"""
    r"""|(?P<start><[^"'>]*(?:"[^"]*"[^"'>]*|'[^']*'[^"'>]*)*>)""",
    re.DOTALL,
)
_DECLARATION = re.compile(r"<\?xml\s.*?\?>", re.DOTALL)  # looks like an instruction, but is not a node
_TEXT = re.compile(r"<!\[CDATA\[(?P<literal>.*?)\]\]>|(?P<text>[^<]+)", re.DOTALL)
_REFERENCE = re.compile(r"&(?:#x(?P<hex>[0-9A-Fa-f]+)|#(?P<decimal>[0-9]+)|(?P<name>\w+));")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}


@dataclass(slots=True)
class Extent:
    """The place of a node, as offsets in the text.

    Attributes:
        start: Its first character.
        inside: The first character behind the start tag.
        end_tag: The first character of the end tag; equal to ``start`` for empty-element tags, comments and
            instructions.
        end: The first character behind the node.
    """

    start: int
    inside: int
    end_tag: int
    end: int


class MarkupPlaces:
    """The places of one document.

    Attributes:
        extents: The places of its elements, comments and processing instructions, in document order.
    """

    def __init__(self, text: str, file: str) -> None:
        self._text = text
        self._file = file
        self._lines = [0, *(found.end() for found in re.finditer("\n", text))]
        self.extents = _extents(text)

    def line(self, offset: int) -> int:
        """Return the number of the line of an offset."""
        return bisect.bisect_right(self._lines, offset)

    def position(self, offset: int) -> Position:
        """Return the line and column of an offset."""
        line = self.line(offset)
        return Position(self._file, line, offset - self._lines[line - 1] + 1)

    def text_runs(self, start: int, end: int) -> Iterator[TextRun]:
        """Yield the pieces of text between two pieces of markup, CDATA separately, blank pieces omitted."""
        for match in _TEXT.finditer(self._text, start, end):
            kind = match.lastgroup or ""
            run = match[kind] if kind == "literal" else _REFERENCE.sub(_character, match[kind])
            if run and not run.isspace():
                yield TextRun(run, self.position(match.start(kind)))


def _extents(text: str) -> list[Extent]:
    """Return the extents of elements, comments and processing instructions in document order."""
    extents: list[Extent] = []
    still_open: list[Extent] = []
    declaration = _DECLARATION.match(text)
    for match in _MARKUP.finditer(text, declaration.end() if declaration else 0):
        start, end = match.span()
        if match.lastgroup == "end":
            extent = still_open.pop()
            extent.end_tag, extent.end = start, end
        elif match.lastgroup:
            extents.append(Extent(start, end, start, end))
            if match.lastgroup == "start" and text[end - 2] != "/":
                still_open.append(extents[-1])
    return extents


def open_tags(text: str) -> list[tuple[str, int]]:
    """Return the name and the offset of each element that is open at the end of a document, the innermost last."""
    tags: list[tuple[str, int]] = []
    position = text.find("<")
    while position >= 0:
        match = _MARKUP.match(text, position)
        if match is None:
            break  # the document ends within it; looking for more would take quadratic time
        if match["end"] and tags:
            tags.pop()
        elif match["start"] and text[match.end() - 2] != "/":
            tags.append((re.split(r"[\s>]", match["start"][1:], maxsplit=1)[0], position))
        position = text.find("<", match.end())
    return tags


def _character(reference: re.Match[str]) -> str:
    if reference["name"]:
        return _NAMED[reference["name"]]
    return chr(int(reference["hex"], 16) if reference["hex"] else int(reference["decimal"]))
