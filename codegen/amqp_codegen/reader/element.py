"""One XML element as an immutable value that knows where it stands.

White space in specification texts: folded in prose, kept in grammars.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from ..model.problem import Position

# XML's white space and no other: a no-break space or U+2028 in a text is a character like any other.
_SPACE = re.compile(r"[ \t\r\n]+")
_BLANK_LINE = re.compile(r"\n[ \t\r]*\n")


def fold(text: str) -> str:
    """Make one line of a text: every run of white space becomes one blank, none is left at the ends."""
    return " ".join(word for word in _SPACE.split(text) if word)


def paragraphs(text: str) -> str:
    r"""Fold a text paragraph by paragraph; blank lines part them, ``\n\n`` joins the results."""
    return join_paragraphs(fold(piece) for piece in _BLANK_LINE.split(text))


def join_paragraphs(texts: Iterable[str]) -> str:
    r"""Join the texts that say something with ``\n\n``."""
    return "\n\n".join(text for text in texts if text)


def layout(text: str) -> str:
    """Keep the line breaks of a text and the indentation its lines do not have in common.

    Blank lines at either end, blanks at the ends of lines and tabs (8 columns) go. A first line that
    follows its start tag directly has no indentation to compare, so it does not count.
    """
    first, _, rest = text.expandtabs(8).partition("\n")
    lines = textwrap.dedent(rest).split("\n")
    if first.strip(" "):
        lines.insert(0, first.strip(" "))
    return "\n".join(line.rstrip(" ") for line in lines).strip("\n")


@dataclass(frozen=True, slots=True)
class TextRun:
    """Text as it stands in a file, with no comment and no element in it."""

    text: str
    position: Position


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment, and which element it is about.

    Attributes:
        text: What stands between its marks.
        position: Where it begins.
        first_line: Where the element begins that it is about: the last that begins before it on its line, else
            the next that begins behind it; 0 if there is none.
        last_line: Where the end tag of that element is.
    """

    text: str
    position: Position
    first_line: int
    last_line: int


@dataclass(frozen=True, slots=True)
class Element:
    """An element of a specification file.

    Attributes:
        tag: The local name.
        attributes: Name to value; an attribute in a namespace is named ``{uri}local``.
        content: Child elements and pieces of text in file order; comments are gone and part no text.
        position: Where its start tag begins.
        namespace: The namespace of the element, or empty.
        origin: For an element that an overlay added or replaced: why and on whose word; else empty.
        runs: Its own text once more, piece by piece, for those who must know where a word of it stands.
        comments: Of the root element of a file: all comments of the file.
    """

    tag: str
    attributes: Mapping[str, str]
    content: tuple[Element | str, ...]
    position: Position
    namespace: str = ""
    origin: str = ""
    runs: tuple[TextRun, ...] = field(default=(), compare=False, repr=False)
    comments: tuple[Comment, ...] = field(default=(), compare=False, repr=False)

    @property
    def children(self) -> tuple[Element, ...]:
        """The child elements."""
        return tuple(piece for piece in self.content if isinstance(piece, Element))

    @property
    def direct_text(self) -> str:
        """The pieces of text between the child elements, white space as written."""
        return " ".join(piece for piece in self.content if isinstance(piece, str))

    @property
    def text(self) -> str:
        """The pieces of text between the child elements, folded: in 0-8 this is an element's label."""
        return fold(self.direct_text)

    def find_all(self, tag: str) -> tuple[Element, ...]:
        """Return the child elements with this tag."""
        return tuple(child for child in self.children if child.tag == tag)

    def walk(self) -> Iterator[Element]:
        """Yield this element and everything in it, in file order."""
        yield self
        for child in self.children:
            yield from child.walk()
