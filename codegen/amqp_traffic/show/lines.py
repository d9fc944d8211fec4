"""Lines of styled pieces: times, values as short texts, octets in hexadecimal beside their meaning."""

from __future__ import annotations

import re
import reprlib
from datetime import UTC, datetime
from typing import Any, TypeAlias

# Pieces of text, each with the name of its style; ``cli.line_writer`` knows the colours.
Line: TypeAlias = "list[tuple[str, str]]"

PLAIN, TIME, PLACE, CLIENT, SERVER, NAME, LABEL, VALUE, SIZE, NOTE, PROBLEM, HEX = (
    "plain",
    "time",
    "place",
    "client",
    "server",
    "name",
    "label",
    "value",
    "size",
    "note",
    "problem",
    "hex",
)

_SECOND = 1_000_000_000


def time_of_day(ns: int) -> str:
    """Return the time in UTC with microseconds; a dash if it is not known."""
    if not ns:
        return "-"
    seconds, rest = divmod(ns, _SECOND)
    try:
        moment = datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return f"{seconds}.{rest // 1000:06}"
    return f"{moment:%H:%M:%S}.{rest // 1000:06}"


def date_and_time(ns: int) -> str:
    """Return date and time in UTC."""
    if not ns:
        return "at an unknown time"
    seconds = ns // _SECOND
    try:
        return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S} UTC"
    except (ValueError, OverflowError, OSError):
        return f"{seconds} s after 1970"


_MOST_CHARACTERS = 120


class _Values(reprlib.Repr):
    """Values as Python writes them, but symbols and numbers of AMQP 1.0 as plain texts and numbers."""

    def __init__(self, longest: int, items: int, levels: int) -> None:
        super().__init__()
        self.maxstring = self.maxother = longest
        self.maxlist = self.maxtuple = self.maxdict = items
        self.maxlevel = levels

    def repr1(self, x: Any, level: int) -> str:
        """See ``reprlib``."""
        if isinstance(x, str):
            x = str(x)
        elif isinstance(x, int) and not isinstance(x, bool):
            x = int(x)
        return super().repr1(x, level)


_SHORT, _LONG = _Values(48, 4, 2), _Values(2000, 200, 4)


# In what Python writes: a backslash, or the surrogate that stands for an octet that is not UTF-8.
_SURROGATE = re.compile(r"\\\\|\\udc([89a-f][0-9a-f])")


def _octet_escape(found: re.Match[str]) -> str:
    return found[0] if found[1] is None else f"\\x{found[1]}"


def short_value(value: Any, long: bool = False) -> str:
    """Return a value as Python writes it, shortened if it is long; octets that are not UTF-8 are escaped as in ``bytes``."""
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    text = _SURROGATE.sub(_octet_escape, (_LONG if long else _SHORT).repr(value))
    if long:
        return text
    return text if len(text) <= _MOST_CHARACTERS else f"{text[:_MOST_CHARACTERS - 3]}..."
