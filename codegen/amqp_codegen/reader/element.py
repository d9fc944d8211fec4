"""XML elements as immutable values with positions, and their text: folded in prose, as written in grammars."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from ..model.problem import Position

# XML's white space only: a no-break space or U+2028 in a text is an ordinary character.
_SPACE = re.compile(r"[ \t\r\n]+")
_BLANK_LINE = re.compile(r"\n[ \t\r]*\n")


def fold(text: str) -> str:
    """Return a text as one line: each run of white space becomes one blank, and the ends are stripped."""
    return " ".join(word for word in _SPACE.split(text) if word)


def paragraphs(text: str) -> str:
    r"""Fold each paragraph of a text. Blank lines separate paragraphs in it, ``\n\n`` in the result."""
    return join_paragraphs(fold(piece) for piece in _BLANK_LINE.split(text))


def join_paragraphs(texts: Iterable[str]) -> str:
    r"""Join the texts that are not empty with ``\n\n``."""
    return "\n\n".join(text for text in texts if text)


def layout(text: str) -> str:
    """Return a text with its line breaks, without the indentation common to its lines.

    Blank lines at either end and blanks at line ends are removed, tabs (8 columns) are expanded. A first
    line right behind the start tag has no indentation, so it is not compared.
    """
    first, _, rest = text.expandtabs(8).partition("\n")
    lines = textwrap.dedent(rest).split("\n")
    if first.strip(" "):
        lines.insert(0, first.strip(" "))
    return "\n".join(line.rstrip(" ") for line in lines).strip("\n")


@dataclass(frozen=True, slots=True)
class TextRun:
    """A piece of text of a file, without comments or elements in it."""

    text: str
    position: Position


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment, and the lines of the element it refers to.

    Attributes:
        text: The text between its delimiters.
        position: Its first character.
        first_line: The first line of the element: the last one that begins before the comment on its line,
            else the next one that begins behind it; 0 if there is none.
        last_line: The line of the end tag of that element.
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
        content: Child elements and pieces of text in file order; comments are removed and split no text.
        position: Where its start tag begins.
        namespace: Empty if the element has none.
        origin: The reason and source of the overlay that added or replaced it, else empty.
        runs: Its own text again, in pieces with positions, to locate single words.
        comments: All comments of the file, if it is the root element.
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
        """The text between the child elements, white space as written."""
        return " ".join(piece for piece in self.content if isinstance(piece, str))

    @property
    def text(self) -> str:
        """The text between the child elements, folded: in 0-8 this is an element's label."""
        return fold(self.direct_text)

    def find_all(self, tag: str) -> tuple[Element, ...]:
        """Return the child elements with this tag."""
        return tuple(child for child in self.children if child.tag == tag)

    def walk(self) -> Iterator[Element]:
        """Yield this element and all elements in it, in file order."""
        yield self
        for child in self.children:
            yield from child.walk()
