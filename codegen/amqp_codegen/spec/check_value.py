"""Is an attribute's value of its kind?"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Mapping

from .grammar import Kind, Value
from .wording import did_you_mean, listing

_NUMBER = re.compile(r"0[xX][0-9a-fA-F]{1,16}|0*[0-9]{1,20}")
# No real pattern is longer; a longer one could take long to compile.
_LONGEST_REGEXP = 1000


def parse_number(text: str) -> int | None:
    """Return the number written in decimal, or in hexadecimal after 0x; None for anything else.

    Python's ``int`` is more generous: blanks around, underscores within, digits of any script.
    """
    if not _NUMBER.fullmatch(text):
        return None
    return int(text, 16) if text[1:2] in ("x", "X") else int(text.lstrip("0") or "0")


def complaint(value: Value, text: str) -> tuple[str, str]:
    """Return what is wrong with a value, to follow "<value>", and a hint; empty if nothing is."""
    return _CHECKS[value.kind](value, text)


def _text(_value: Value, _text: str) -> tuple[str, str]:
    return "", ""


def _name(_value: Value, text: str) -> tuple[str, str]:
    return ("" if text.strip() else "is empty"), ""


def _number(value: Value, text: str) -> tuple[str, str]:
    number = parse_number(text)
    if number is None:
        negative = text.startswith("-") and parse_number(text[1:]) is not None
        return ("is negative" if negative else "is not a number"), ""
    return (f"is larger than {value.maximum}" if number > value.maximum else ""), ""


def _flag(_value: Value, text: str) -> tuple[str, str]:
    return ("" if text in ("0", "1") else "is neither 0 nor 1"), ""


def _word(value: Value, text: str) -> tuple[str, str]:
    if text in value.words:
        return "", ""
    if len(value.words) == 1:
        return f"is not {value.words[0]}", ""
    return f"is not one of {listing(value.words)}", did_you_mean(text, value.words)


def _pattern(value: Value, text: str) -> tuple[str, str]:
    return ("" if re.fullmatch(value.pattern, text) else f"is not {value.meaning}"), ""


def _regexp(_value: Value, text: str) -> tuple[str, str]:
    if len(text) > _LONGEST_REGEXP:
        return f"is longer than {_LONGEST_REGEXP} characters", ""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a "[" in a set may mean something else in a later Python
            re.compile(text)
    except (re.error, OverflowError, RecursionError) as error:
        return f"is not a regular expression: {error}", ""
    return "", ""


_CHECKS: Mapping[Kind, Callable[[Value, str], tuple[str, str]]] = {
    Kind.TEXT: _text,
    Kind.NAME: _name,
    Kind.NUMBER: _number,
    Kind.FLAG: _flag,
    Kind.WORD: _word,
    Kind.PATTERN: _pattern,
    Kind.REGEXP: _regexp,
}
