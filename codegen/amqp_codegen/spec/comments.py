"""The comments of a document, each with the element that it stands beside or before.

Reading forgets comments: they are no part of a specification. Who puts remarks for a tool into them needs
them all the same, and needs to know what they are about.
"""

from __future__ import annotations

from dataclasses import dataclass
from xml.parsers import expat


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment.

    Attributes:
        text: What stands between its marks.
        line: Where it begins, from 1.
        column: Where it begins, from 1.
        first_line: Where the element begins that it is about: the last that begins before it on its line, else
            the next that begins behind it; 0 if there is none.
        last_line: Where that element ends.
    """

    text: str
    line: int
    column: int
    first_line: int
    last_line: int


def read_comments(data: bytes) -> list[Comment]:
    """Return the comments of a document in order; none if it is not well-formed or declares entities."""
    reader = _Reader()
    try:
        reader.read(data)
    except (expat.ExpatError, _RefusedError):
        return []
    return [
        Comment(text, line, column, *(reader.spans[number] if number < len(reader.spans) else (0, 0)))
        for text, line, column, number in reader.comments
    ]


class _RefusedError(Exception):
    """The document has a document type declaration, which ``read_xml`` reports."""


class _Reader:
    """One run of expat: the lines of each element, and the number of the element of each comment."""

    def __init__(self) -> None:
        self.spans: list[tuple[int, int]] = []
        self.comments: list[tuple[str, int, int, int]] = []
        self._open: list[int] = []
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CommentHandler = self._comment
        self._parser.StartDoctypeDeclHandler = self._refuse

    def read(self, data: bytes) -> None:
        self._parser.Parse(data, True)

    def _start(self, _name: str, _attributes: dict[str, str]) -> None:
        line = self._parser.CurrentLineNumber
        self._open.append(len(self.spans))
        self.spans.append((line, line))

    def _end(self, _name: str) -> None:
        number = self._open.pop()
        self.spans[number] = (self.spans[number][0], self._parser.CurrentLineNumber)

    def _comment(self, text: str) -> None:
        line = self._parser.CurrentLineNumber
        beside = bool(self.spans) and self.spans[-1][0] == line
        number = len(self.spans) - 1 if beside else len(self.spans)
        self.comments.append((text, line, self._parser.CurrentColumnNumber + 1, number))

    def _refuse(self, *_declaration: object) -> None:
        raise _RefusedError
