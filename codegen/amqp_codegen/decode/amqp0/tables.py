"""Annotates field tables in any dialect, as a visitor of the walker of the generated packages (0-9-1 section 4.2.5.5)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from ...model.amqp0.field_types import WireType
from ...model.amqp0.wire import Dialect
from ...support.resources import load_package
from ...support.wording import counted
from ..annotation import ABSENT, Absent, Annotation, Value, cut_off, number

# The walker is the same in all packages: letters and limits are given to it.
_PACKAGE = "amqp_0_9_1"
_MAX_DEPTH = 64
_MAX_ENTRIES = 65_536
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def moment(seconds: float) -> str:
    """Return a time as text; empty if no calendar has it."""
    try:
        return (_EPOCH + timedelta(seconds=seconds)).isoformat().replace("+00:00", "Z")
    except OverflowError:
        return ""


def utf8(octets: bytes) -> str | None:
    """Return the text of octets in UTF-8, None for other octets."""
    try:
        return octets.decode()
    except UnicodeDecodeError:
        return None


def sized(octets: bytes, name: str, position: int, end: int, width: int, limit: int) -> Annotation:
    """Return a length of ``width`` octets and mark one that exceeds ``limit``, where the octets end that it counts."""
    if end - position < width:
        return replace(cut_off(name, position, end, width), inline=True)
    length = number(octets, position, width, name)
    left = limit - length.end
    if isinstance(length.value, int) and length.value > left:
        error = f"the {name} is {length.value:,}, but {counted(left, 'octet')} follow"
        return replace(length, error=error)
    return length


def string(
    octets: bytes, name: str, kind: str, position: int, end: int, width: int, text: bool
) -> Annotation:
    """Return a string with its length; ``text`` for one that must be UTF-8."""
    length = sized(octets, "length", position, end, width, end)
    if not isinstance(length.value, int):
        return Annotation(position, end, name, kind, children=(length,))
    return _with_length(octets, length, min(length.end + length.value, end), name, kind, text)


def _with_length(
    octets: bytes, length: Annotation, stop: int, name: str, kind: str, text: bool
) -> Annotation:
    """Return a string that ends at ``stop``, of which the length is known."""
    content = octets[length.end : stop]
    decoded = utf8(content) if text else None
    error = "the text is not UTF-8" if text and decoded is None and not length.error else ""
    data = Annotation(length.end, stop, "text" if text else "octets", inline=True, error=error)
    value = content if decoded is None else decoded
    return Annotation(length.start, stop, name, kind, value, children=(length, data))


@dataclass(slots=True)
class _Open:
    """A table, an entry or an item that has not ended.

    Attributes:
        count: The entries or items in it so far.
    """

    start: int
    name: str
    type: str = ""
    value: Value | Absent = ABSENT
    meaning: str = ""
    children: list[Annotation] = field(default_factory=list)
    count: int = 0

    def closed(self, end: int) -> Annotation:
        """Return it as it is when it ends."""
        meaning = self.meaning
        if self.type == "table":
            meaning = f"{self.count:,} entries" if self.count != 1 else "1 entry"
        elif self.type == "array":
            meaning = counted(self.count, "item")
        children = tuple(self.children)
        return Annotation(
            self.start, end, self.name, self.type or "entry", self.value, meaning, children=children
        )


class AnnotatedTableReader:
    """Annotates the tables of some octets: the visitor of a walk over them.

    Args:
        octets: All octets.
        dialect: The letters. A value with a letter that only other peers use is read, and marked.
    """

    def __init__(self, octets: bytes, dialect: Dialect) -> None:
        self._octets = octets
        self._dialect = dialect
        amqp: Any = load_package(_PACKAGE)
        self._errors = amqp.errors
        letters = amqp.dialects.Dialect(dialect.name, dialect.read, dialect.integers, dialect.write)
        self._walker: Any = amqp.table.table_walker(
            octets,
            self,
            dialect=letters,
            lenient=True,
            max_depth=_MAX_DEPTH,
            max_elements=_MAX_ENTRIES,
        )
        self._kinds = self._walker.tables.kinds
        self._open: list[_Open] = []

    def table(self, name: str, position: int, end: int) -> Annotation:
        """Return a table: its size, and its entries."""
        self._open = [_Open(position, name, "table")]
        try:
            stop = self._walker.table(position, end, 1, "")[1]
        except self._errors.DecodeError as error:
            self.lost(error, stop := end)
        return self._open[0].closed(stop)

    def value(self, name: str, position: int, end: int) -> Annotation:
        """Return a letter and the value that it announces."""
        self._open = [_Open(position, name)]
        try:
            stop = self._walker.value(position, end, 1)[1]
        except self._errors.DecodeError as error:
            self.lost(error, stop := end)
        return self._open[0].closed(stop)

    # --- The visitor ---

    def begin(self, position: int) -> None:
        """Take the beginning of an entry or item, which has its number as name until it has a key."""
        self._open.append(_Open(position, f"[{self._open[-1].count}]"))

    def length(self, start: int, stop: int, size: int, end: int) -> None:
        """Take the size of a table or array, or the length of a string or key."""
        part = self._open[-1]
        name = "size" if part.type in ("table", "array") else "length"
        part.children.append(sized(self._octets, name, start, end, stop - start, end))

    def key(self, start: int, stop: int) -> None:
        """Take a key, by which the entry is named."""
        part = self._open[-1]
        key = _with_length(self._octets, part.children.pop(), stop, "key", "shortstr", text=True)
        part.children.append(replace(key, inline=True))
        if isinstance(key.value, str):
            part.name = key.value

    def letter(self, position: int) -> None:
        """Take a letter; one that the dialect does not have is marked."""
        letter, part, error = chr(self._octets[position]), self._open[-1], ""
        part.type = self._kinds.get(letter, "unknown")
        if letter not in self._dialect.read:
            read_as = f"; read as {part.type}" if letter in self._kinds else ""
            error = f"dialect {self._dialect.name} has no letter {letter!r}{read_as}"
        part.children.append(
            Annotation(position, position + 1, "letter", value=letter, inline=True, error=error)
        )

    def content(self, start: int, stop: int, value: Any) -> None:
        """Take the value of an entry or item."""
        part = self._open[-1]
        part.value = value
        if part.type in ("longstr", "shortstr"):
            text = utf8(value)
            part.value = value if text is None else text
        elif part.type == "timestamp":
            part.value, part.meaning = int(value), moment(value / WireType.TIMESTAMP.facts.per_second)
        elif isinstance(value, Decimal):
            part.value = str(value)
        if isinstance(value, bytes) or start < stop:
            name = "octets" if isinstance(value, bytes) else "value"
            part.children.append(Annotation(start, stop, name, inline=True))

    def lost(self, error: Any, stop: int) -> None:
        """Take octets that cannot be read. If they follow from an error before them, that is said already."""
        part = self._open[-1]
        position, is_said = part.start, False
        if part.children:
            position, is_said = part.children[-1].end, part.children[-1].is_wrong
        is_limit = isinstance(error, self._errors.LimitExceeded)
        message = "" if is_said else error.message
        if position < stop or message:
            name = "not shown" if is_limit else "value"
            is_inline = not is_limit and part.type != "unknown"
            part.children.append(Annotation(position, stop, name, inline=is_inline, error=message))

    def leave(self, position: int) -> None:
        """Take the end of an entry or item."""
        part = self._open.pop()
        self._open[-1].children.append(part.closed(position))
        self._open[-1].count += 1
