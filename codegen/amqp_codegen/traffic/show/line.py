"""Lines of coloured pieces."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import TypeAlias

# Texts with what each is, by which it gets its colour: see ``STYLES``.
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
    """The time, UTC, in microseconds; a dash if it is not known."""
    if not ns:
        return "-"
    seconds, rest = divmod(ns, _SECOND)
    try:
        moment = datetime.fromtimestamp(seconds, timezone.utc)
    except (ValueError, OverflowError, OSError):
        return f"{seconds}.{rest // 1000:06}"
    return f"{moment:%H:%M:%S}.{rest // 1000:06}"


def date_and_time(ns: int) -> str:
    """The same with the date."""
    if not ns:
        return "at an unknown time"
    seconds = ns // _SECOND
    try:
        return f"{datetime.fromtimestamp(seconds, timezone.utc):%Y-%m-%d %H:%M:%S} UTC"
    except (ValueError, OverflowError, OSError):
        return f"{seconds} s after 1970"
