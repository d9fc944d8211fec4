"""Lines of styled pieces: times, values as short texts, octets in hexadecimal beside their meaning."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Iterator
from datetime import datetime, timezone
from typing import Any, NamedTuple, TypeAlias

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
        moment = datetime.fromtimestamp(seconds, timezone.utc)
    except (ValueError, OverflowError, OSError):
        return f"{seconds}.{rest // 1000:06}"
    return f"{moment:%H:%M:%S}.{rest // 1000:06}"


def date_and_time(ns: int) -> str:
    """Return date and time in UTC."""
    if not ns:
        return "at an unknown time"
    seconds = ns // _SECOND
    try:
        return f"{datetime.fromtimestamp(seconds, timezone.utc):%Y-%m-%d %H:%M:%S} UTC"
    except (ValueError, OverflowError, OSError):
        return f"{seconds} s after 1970"


class FieldSpan(NamedTuple):
    """A part of a payload, and what it means.

    Attributes:
        start: The offset of its first octet.
        end: The offset after its last octet.
        depth: The depth in compound values; 0 for fields.
        name: A field, a key or a length.
        type: The type; empty if there is none.
        value: The value, as text.
        is_hidden: The octets must not be shown.
    """

    start: int
    end: int
    depth: int
    name: str
    type: str = ""
    value: str = ""
    is_hidden: bool = False


_OCTETS_PER_LINE = 8
_MOST_OCTETS_PER_SPAN = 128
_INDENT = "      "


def dump(payload: bytes, spans: Iterable[FieldSpan]) -> Iterator[Line]:
    """Yield the lines of a payload that consists of spans."""
    for span in spans:
        octets = payload[span.start : span.end]
        if span.is_hidden:
            octets = b""
        shown, left = octets[:_MOST_OCTETS_PER_SPAN], len(octets) - _MOST_OCTETS_PER_SPAN
        rows = [shown[at : at + _OCTETS_PER_LINE] for at in range(0, len(shown), _OCTETS_PER_LINE)] or [b""]
        for number, row in enumerate(rows):
            line = [
                (f"{_INDENT}{span.start + number * _OCTETS_PER_LINE:04x}  ", PLACE),
                (f"{row.hex(' '):{3 * _OCTETS_PER_LINE}}", HEX),
            ]
            if number == 0:
                line.append((f" {'  ' * span.depth}{span.name}", LABEL))
                type_name = "" if span.type == span.name else span.type
                value = "" if span.value == span.type else span.value
                line += [(f" {type_name}" if type_name else "", SIZE), (f" {value}" if value else "", VALUE)]
            yield line
        if left > 0:
            yield [(f"{_INDENT}... {left} more octets", PLAIN)]


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


def short_value(value: Any, long: bool = False) -> str:
    """Return a value as Python writes it, shortened if it is long."""
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if long:
        return _LONG.repr(value)
    text = _SHORT.repr(value)
    return text if len(text) <= _MOST_CHARACTERS else f"{text[:_MOST_CHARACTERS - 3]}..."
