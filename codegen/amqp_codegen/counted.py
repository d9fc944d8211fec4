"""Numbers of things in texts for people."""

from __future__ import annotations

# What "12 info" is short for is not a thing that could be more than one.
_WITHOUT_PLURAL = frozenset(("info",))


def counted(number: int, noun: str) -> str:
    """``1 file``, ``1,200 files``: a number and its noun, whose plural has an s."""
    return f"{number:,} {noun_for(number, noun)}"


def noun_for(number: int, noun: str) -> str:
    """The noun alone, where its number stands by itself."""
    return noun if number == 1 or noun in _WITHOUT_PLURAL else f"{noun}s"
