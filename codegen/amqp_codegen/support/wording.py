"""The wording of messages: quoted input, lists in prose, did-you-mean, numbers with nouns."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from typing import Protocol

# Nouns without a plural, as in "12 info".
_WITHOUT_PLURAL = frozenset(("info",))


def counted(number: int, noun: str) -> str:
    """Return a number and its noun, whose plural has an s: ``1 file``, ``1,200 files``."""
    return f"{number:,} {noun_for(number, noun)}"


def noun_for(number: int, noun: str) -> str:
    """Return the noun for a number, without the number."""
    return noun if number == 1 or noun in _WITHOUT_PLURAL else f"{noun}s"


def visible(text: str) -> str:
    """Return a text on one line: line ends, control characters and those that turn the direction of writing as escapes."""
    if text.isprintable():
        return text
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape", "surrogatepass").decode()
        for sign in text
    )


def visible_lines(text: str) -> str:
    """Return the same of a text of several lines: line feeds, tabs and wide blanks stay."""
    if text.isprintable():
        return text
    return "".join(
        sign if sign in "\n\t" or unicodedata.category(sign) == _BLANK else visible(sign) for sign in text
    )


# The category of blanks in Unicode, such as the no-break space.
_BLANK = "Zs"
_MAX_SHOWN_LENGTH = 60
# Comparing takes time: no known name is longer, and no element has more named siblings.
_MAX_COMPARED_LENGTH = 100
_MAX_COMPARED_WORDS = 500


def quote(text: str) -> str:
    """Return a piece of input on one line: quoted, shortened, unprintable characters escaped."""
    return repr(text if len(text) <= _MAX_SHOWN_LENGTH else text[: _MAX_SHOWN_LENGTH - 3] + "...")


def show_tag(tag: str) -> str:
    """Return a tag, quoted unless it is plain and short."""
    return tag if tag.isascii() and len(tag) <= _MAX_SHOWN_LENGTH else quote(tag)


class TaggedElement(Protocol):
    """An object with a tag and attributes: an element of a file."""

    @property
    def tag(self) -> str:
        """The tag's name."""

    @property
    def attributes(self) -> Mapping[str, str]:
        """The attributes, by name."""


def describe(element: TaggedElement) -> str:
    """Return the name of an element for people: ``method 'ack'``, ``assert 'length'`` or just ``doc``."""
    for attribute in ("name", "check", "type", "code"):
        if attribute in element.attributes:
            return f"{show_tag(element.tag)} {quote(element.attributes[attribute])}"
    return show_tag(element.tag)


def listing(words: Iterable[str]) -> str:
    """Return words as prose: ``a``, ``a and b``, ``a, b and c``."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def closest(word: str, known: Collection[str]) -> str:
    """Return the most similar known word, or an empty string if none is similar."""
    if len(word) > _MAX_COMPARED_LENGTH or len(known) > _MAX_COMPARED_WORDS:
        return ""
    return next(iter(difflib.get_close_matches(word, known, n=1, cutoff=0.7)), "")


def did_you_mean(word: str, known: Collection[str]) -> str:
    """Return a hint with the most similar known word, or an empty string."""
    close = closest(word, known)
    return f"did you mean {quote(close)}?" if close else ""
