"""White space in specification texts: folded in prose, kept in grammars."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable

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
