"""Values as short texts."""

from __future__ import annotations

import reprlib
from typing import Any

_MOST = 120  # characters of a value in a line


def _shortener(longest: int, items: int) -> reprlib.Repr:
    made = reprlib.Repr()
    made.maxstring = made.maxother = longest
    made.maxlist = made.maxtuple = made.maxdict = items
    made.maxlevel = 4 if items > 4 else 2
    return made


_SHORT, _LONG = _shortener(48, 4), _shortener(2000, 200)


def shown(value: Any, long: bool = False) -> str:
    """A value as Python writes it, without the names of number types; what is long is shortened."""
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, str):
        value = str(value)  # a symbol is written like any text
    if long:
        return _LONG.repr(value)
    text = _SHORT.repr(value)
    return text if len(text) <= _MOST else f"{text[:_MOST - 3]}..."
