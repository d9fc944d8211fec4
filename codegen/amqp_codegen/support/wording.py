"""The words of messages: pieces of input shown safely, lists in prose, did-you-mean.

Numbers of things in texts for people.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping
from typing import Protocol

# What "12 info" is short for is not a thing that could be more than one.
_WITHOUT_PLURAL = frozenset(("info",))


def counted(number: int, noun: str) -> str:
    """``1 file``, ``1,200 files``: a number and its noun, whose plural has an s."""
    return f"{number:,} {noun_for(number, noun)}"


def noun_for(number: int, noun: str) -> str:
    """The noun alone, where its number stands by itself."""
    return noun if number == 1 or noun in _WITHOUT_PLURAL else f"{noun}s"


_SHOWN = 60
# Comparing takes time: nothing we know has a longer name, and no element more named siblings.
_LONGEST = 100
_MOST = 500


def quote(text: str) -> str:
    """Show a piece of input on one line: quoted, shortened, what cannot be printed escaped."""
    return repr(text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "...")


def show_tag(tag: str) -> str:
    """Show a tag: as it is, if it is plain and short."""
    return tag if tag.isascii() and len(tag) <= _SHOWN else quote(tag)


class Tagged(Protocol):
    """What has a tag and attributes: an element of a file."""

    @property
    def tag(self) -> str:
        """The tag's name."""

    @property
    def attributes(self) -> Mapping[str, str]:
        """The attributes, by name."""


def describe(element: Tagged) -> str:
    """Name an element for people: ``method 'ack'``, ``assert 'length'`` or just ``doc``."""
    for attribute in ("name", "check", "type", "code"):
        if attribute in element.attributes:
            return f"{show_tag(element.tag)} {quote(element.attributes[attribute])}"
    return show_tag(element.tag)


def listing(words: Iterable[str]) -> str:
    """Write words as prose: ``a``, ``a and b``, ``a, b and c``."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def closest(word: str, known: Collection[str]) -> str:
    """Return the known word most like this one, or an empty string if none is much like it."""
    if len(word) > _LONGEST or len(known) > _MOST:
        return ""
    return next(iter(difflib.get_close_matches(word, known, n=1, cutoff=0.7)), "")


def did_you_mean(word: str, known: Collection[str]) -> str:
    """Return a hint that names the known word most like this one, or an empty string."""
    close = closest(word, known)
    return f"did you mean {quote(close)}?" if close else ""
