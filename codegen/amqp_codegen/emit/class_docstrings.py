"""What docstrings of generated classes of both families share: their length, and the line that names rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from .python_text import join_words, wrap

WIDTH = 102
INDENT = "    "
# Docstrings that would be longer have the first sentence of each attribute only, or none.
MOST_LINES = 40
_MOST_RULE_LINES = 2

# A full stop after a word, not after an abbreviation such as "e.g.".
_SENTENCE_END = re.compile(r"(?<=\w\w[.!?])\s+(?=[A-Z])")


def first_sentence(text: str) -> str:
    """Return a text up to the end of its first sentence."""
    return _SENTENCE_END.split(text, 1)[0]


def fitted(lines: Callable[[Callable[[str], str]], list[str]]) -> str:
    """Return the docstring of a class; what attributes are for is shortened, or left out, if it is too long otherwise.

    Args:
        lines: Makes the lines, with a function that shortens the text of an attribute.
    """
    text: list[str] = []
    for shorten in (str, first_sentence, _nothing):
        text = lines(shorten)
        if len(text) <= MOST_LINES:
            break
    return "\n".join(text)


def _nothing(text: str) -> str:
    return ""


def rule_lines(paths: Sequence[str], owner: str) -> list[str]:
    """Return the paragraph that names rules by their paths, without the common prefix; empty if there are none.

    It has two lines at most: rules of one field are put together as ``field/*`` if they do not fit, and what is left
    over then is counted. The reference guide has all rules with their texts.
    """
    names = [path.removeprefix(f"{owner}.").removeprefix(f"{owner}/") for path in paths]
    if not names:
        return []
    lines = _named(names, 0)
    if len(lines) > _MOST_RULE_LINES:
        names = _by_field(names)
        lines = _named(names, 0)
    shown = len(names)
    while len(lines) > _MOST_RULE_LINES and shown > 1:
        shown -= 1
        lines = _named(names[:shown], len(names) - shown)
    return ["", *lines]


def _named(names: Sequence[str], left_over: int) -> list[str]:
    listed = join_words([*names, f"{left_over} more"] if left_over else names)
    return wrap(f"Rules: {listed}; see the reference guide.", WIDTH)


def _by_field(names: Sequence[str]) -> list[str]:
    """Return names in which two or more of one field are ``field/*``."""
    fields = [name.partition("/")[0] if "/" in name else "" for name in names]
    return list(
        dict.fromkeys(
            f"{field}/*" if field and fields.count(field) > 1 else name
            for name, field in zip(names, fields, strict=True)
        )
    )
