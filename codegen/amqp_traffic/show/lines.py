"""Lines of coloured pieces.

Which octets of a frame are which field.

Octets in hexadecimal, beside what they are.

Values as short texts.
"""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Iterator
from datetime import datetime, timezone
from typing import Any, NamedTuple, TypeAlias

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


class FieldSpan(NamedTuple):
    """Some octets of a payload.

    Attributes:
        start: Where they begin.
        end: Where they end.
        depth: How deep they are in compound values; 0 for fields.
        name: What they are: a field, a key, a length.
        type: Their type, if there is one.
        value: What they mean, as text.
        is_hidden: They are not to be shown.
    """

    start: int
    end: int
    depth: int
    name: str
    type: str = ""
    value: str = ""
    is_hidden: bool = False


_WIDTH = 8  # octets in a line
_MOST_OCTETS = 128  # octets of a span that are shown
_INDENT = "      "


def dump(payload: bytes, spans: Iterable[FieldSpan]) -> Iterator[Line]:
    """The lines of a payload.

    Args:
        payload: The octets.
        spans: What they are.
    """
    for span in spans:
        octets = payload[span.start : span.end]
        if span.is_hidden:
            octets = b""
        shown, left = octets[:_MOST_OCTETS], len(octets) - _MOST_OCTETS
        rows = [shown[at : at + _WIDTH] for at in range(0, len(shown), _WIDTH)] or [b""]
        for number, row in enumerate(rows):
            line = [
                (f"{_INDENT}{span.start + number * _WIDTH:04x}  ", PLACE),
                (f"{row.hex(' '):{3 * _WIDTH}}", HEX),
            ]
            if number == 0:
                line.append((f" {'  ' * span.depth}{span.name}", LABEL))
                type_name = "" if span.type == span.name else span.type
                value = "" if span.value == span.type else span.value
                line += [(f" {type_name}" if type_name else "", SIZE), (f" {value}" if value else "", VALUE)]
            yield line
        if left > 0:
            yield [(f"{_INDENT}... {left} more octets", PLAIN)]


_MOST_CHARACTERS = 120  # characters of a value in a line


class _Values(reprlib.Repr):
    """Writes values like Python, but symbols and numbers of AMQP 1.0 like any text or number."""

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


def short_value(value: Any, long: bool = False) -> str:
    """A value as Python writes it; what is long is shortened."""
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if long:
        return _LONG.repr(value)
    text = _SHORT.repr(value)
    return text if len(text) <= _MOST_CHARACTERS else f"{text[:_MOST_CHARACTERS - 3]}..."
