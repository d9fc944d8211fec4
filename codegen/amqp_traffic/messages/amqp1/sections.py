"""The sections of an AMQP 1.0 message from its body on, read transfer by transfer (part 3, section 3.2).

Bodies may be large, so only what tells the length of a section is held in memory.
"""

from __future__ import annotations

from functools import cache

from amqp_codegen.support.resources import load_package

from ...schemas import PACKAGE1

_DATA, _AMQP_VALUE, _FOOTER = "data", "amqp-value", "footer"
# Constructors (part 1, section 1.6).
DESCRIBED, SMALL_ULONG, BINARY8, BINARY32 = 0x00, 0x53, 0xA0, 0xB0
_ULONG, _SYMBOL8, _SYMBOL32 = 0x80, 0xA3, 0xB3
# Octets after a constructor of fixed width, by its first hexadecimal digit (part 1, section 1.6).
_WIDTHS = {4: 0, 5: 1, 6: 2, 7: 4, 8: 8, 9: 16}
# The width of the size of other constructors.
_SIZES = {0xA: 1, 0xB: 4, 0xC: 1, 0xD: 4, 0xE: 1, 0xF: 4}
_DEEPEST_NESTING = 64
_MOST_HELD_OCTETS = 1 << 16


class BodySections:
    """The body of a message, and its footer.

    Attributes:
        kind: ``data``, ``amqp-sequence`` or ``amqp-value``; None without a body so far.
        size: Octets of the body so far: the content of data sections, or encoded values.
        footer: The octets of the footer section so far.
        is_damaged: True if the rest cannot be read.
        is_beyond_limit: True if that is so because of a limit of this program, not of the protocol.
    """

    __slots__ = ("_held", "_left", "footer", "is_beyond_limit", "is_damaged", "kind", "size")

    def __init__(self) -> None:
        self.kind: str | None = None
        self.size = 0
        self.footer = b""
        self.is_damaged = self.is_beyond_limit = False
        self._held = b""
        self._left = 0  # octets of the current section

    @property
    def is_whole(self) -> bool:
        """True if the message may end here."""
        return not (self._left or self._held or self.is_damaged)

    def feed(self, octets: bytes, pieces: list[bytes] | None) -> None:
        """Take the next octets; ``pieces`` takes those of the body, if they are wanted."""
        octets, self._held = self._held + octets, b""
        position, end = 0, len(octets)
        while position < end and not self.is_damaged:
            if self._left:
                stop = min(position + self._left, end)
                self._left -= stop - position
                self.size += stop - position
                if pieces is not None:
                    pieces.append(octets[position:stop])
                position = stop
            elif self.footer:
                self._add_footer(octets[position:])
                return
            else:
                start = self._begin(octets, position)
                if not start:
                    return
                position = start

    def _begin(self, octets: bytes, position: int) -> int:
        """Begin a section. Return where its content begins; 0 if that needs more octets or is impossible."""
        try:
            kind, start = _read_descriptor(octets, position)
            if kind == _FOOTER:
                self._add_footer(octets[position:])
                return 0
            if kind == _DATA:
                start, stop = _binary(octets, start)
            else:
                stop = _end_of_value(octets, start)
        except IndexError:
            self._held = octets[position:]
            if len(self._held) > _MOST_HELD_OCTETS:
                self.stop()
            return 0
        except _NestedTooDeep:
            self.stop()
            return 0
        except (KeyError, ValueError):
            self.is_damaged = True
            return 0
        if kind is None or self.kind not in (None, kind) or (self.kind and kind == _AMQP_VALUE):
            self.is_damaged = True
            return 0
        self.kind = kind
        self._left = stop - start
        return start

    def _add_footer(self, octets: bytes) -> None:
        self.footer += octets
        if len(self.footer) > _MOST_HELD_OCTETS:
            self.stop()

    def stop(self) -> None:
        """Read no more: a limit of this program is reached."""
        self.is_damaged = self.is_beyond_limit = True


class _NestedTooDeep(Exception):
    """A value has more descriptors than this program reads."""


def _read_descriptor(octets: bytes, position: int) -> tuple[str | None, int]:
    """Return the kind of a section, or None if its code is unknown; and where its value begins.

    Raises:
        IndexError: More octets are needed.
        KeyError: There is no section with that symbol.
        ValueError: This is not the beginning of a section.
    """
    if octets[position] != DESCRIBED:
        raise ValueError("a section is described")
    form = octets[position + 1]
    start = position + 2
    if form == SMALL_ULONG:
        return _kinds().get(octets[start]), start + 1
    if form == _ULONG:
        _require(octets, start + 8)
        return _kinds().get(int.from_bytes(octets[start : start + 8], "big")), start + 8
    if form not in (_SYMBOL8, _SYMBOL32):
        raise ValueError("no descriptor of a section")
    stop = _end_of_value(octets, position + 1)
    _require(octets, stop)
    symbol = octets[start + _SIZES[form >> 4] : stop]
    return _kinds()[symbol], stop


@cache
def _kinds() -> dict[int | bytes, str]:
    """Return the kinds of sections from the body on, by code and by symbol."""
    messaging = load_package(PACKAGE1).messaging
    sections = (messaging.Data, messaging.AmqpSequence, messaging.AmqpValue, messaging.Footer)
    return {key: section.NAME for section in sections for key in (section.CODE, section.SYMBOL.encode())}


def _binary(octets: bytes, position: int) -> tuple[int, int]:
    """Return where the content of a binary begins and ends."""
    constructor = octets[position]
    if constructor not in (BINARY8, BINARY32):
        raise ValueError("data is binary")
    return position + 1 + _SIZES[constructor >> 4], _end_of_value(octets, position)


def _end_of_value(octets: bytes, position: int) -> int:
    """Return where a value ends, which may be beyond the octets.

    Raises:
        IndexError: More octets are needed.
        KeyError: There is no such constructor.
        _NestedTooDeep: It has too many descriptors.
    """
    descriptors = 0  # seen so far; after each one its value follows
    values = 1
    while values:
        constructor = octets[position]
        if not constructor:
            descriptors += 1
            values += 1
            position += 1
            if descriptors > _DEEPEST_NESTING:
                raise _NestedTooDeep
            continue
        values -= 1
        digit = constructor >> 4
        width = _WIDTHS.get(digit)
        position += 1
        if width is None:
            width = _SIZES[digit]
            _require(octets, position + width)
            width += int.from_bytes(octets[position : position + width], "big")
        position += width
    return position


def _require(octets: bytes, end: int) -> None:
    if len(octets) < end:
        raise IndexError
