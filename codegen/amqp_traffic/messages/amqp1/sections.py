"""The sections of a message of AMQP 1.0 from its body on, as they come, transfer by transfer (part 3, section 3.2).

Bodies may be large, so nothing of them is held but what tells how long a section is.
"""

from __future__ import annotations

from functools import cache

from amqp_codegen.support.packages import load_package

DATA, AMQP_SEQUENCE, AMQP_VALUE, FOOTER = 0x75, 0x76, 0x77, 0x78
KINDS = {DATA: "data", AMQP_SEQUENCE: "amqp-sequence", AMQP_VALUE: "amqp-value"}

_SMALL_ULONG, _ULONG, _SYMBOL8, _SYMBOL32 = 0x53, 0x80, 0xA3, 0xB3
_BINARY8, _BINARY32 = 0xA0, 0xB0
# Octets after a constructor by its first digit, where that is a fixed width (part 1, section 1.6).
_WIDTHS = {4: 0, 5: 1, 6: 2, 7: 4, 8: 8, 9: 16}
# The width of the size, where it is not.
_SIZES = {0xA: 1, 0xB: 4, 0xC: 1, 0xD: 4, 0xE: 1, 0xF: 4}
_DEEPEST = 64
_MOST_HELD = 1 << 16


class BodySections:
    """The body of a message, and its footer.

    Attributes:
        kind: ``data``, ``amqp-sequence`` or ``amqp-value``; None while there is none.
        size: How many octets of it there are so far: what is in sections of data, or else encoded values.
        footer: The octets of the section with the footer, so far.
        is_damaged: It cannot be followed any further.
    """

    __slots__ = ("_held", "_left", "footer", "is_damaged", "kind", "size")

    def __init__(self) -> None:
        """Before the first octet."""
        self.kind: str | None = None
        self.size = 0
        self.footer = b""
        self.is_damaged = False
        self._held = b""
        self._left = 0  # of the section at hand

    @property
    def is_whole(self) -> bool:
        """Whether it may end here."""
        return not (self._left or self._held or self.is_damaged)

    def feed(self, octets: bytes, pieces: list[bytes] | None) -> None:
        """Take what comes next.

        Args:
            octets: What comes.
            pieces: Where parts of the body are added, if they are wanted.
        """
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
        """A section begins. Return where its content does; 0 if that cannot be told yet, or never."""
        try:
            code, start = _read_descriptor(octets, position)
            if code == FOOTER:
                self._add_footer(octets[position:])
                return 0
            if code == DATA:
                start, stop = _binary(octets, start)
            else:
                stop = _end_of_value(octets, start)
        except IndexError:
            self._held = octets[position:]
            self.is_damaged = len(self._held) > _MOST_HELD
            return 0
        except (KeyError, ValueError):
            self.is_damaged = True
            return 0
        kind = KINDS.get(code)
        if kind is None or self.kind not in (None, kind) or (self.kind and kind == KINDS[AMQP_VALUE]):
            self.is_damaged = True
            return 0
        self.kind = kind
        self._left = stop - start
        return start

    def _add_footer(self, octets: bytes) -> None:
        self.footer += octets
        self.is_damaged = len(self.footer) > _MOST_HELD


def _read_descriptor(octets: bytes, position: int) -> tuple[int, int]:
    """The code of a section, and where the value begins; IndexError if more octets are needed."""
    if octets[position]:
        raise ValueError("a section is described")
    form = octets[position + 1]
    start = position + 2
    if form == _SMALL_ULONG:
        return octets[start], start + 1
    if form == _ULONG:
        _require(octets, start + 8)
        return int.from_bytes(octets[start : start + 8], "big"), start + 8
    if form not in (_SYMBOL8, _SYMBOL32):
        raise ValueError("no descriptor of a section")
    stop = _end_of_value(octets, position + 1)
    _require(octets, stop)
    symbol = octets[start + _SIZES[form >> 4] : stop]
    return _codes_by_symbol()[symbol], stop


@cache
def _codes_by_symbol() -> dict[bytes, int]:
    messaging = load_package("amqp_1_0").messaging
    types = (messaging.Data, messaging.AmqpSequence, messaging.AmqpValue, messaging.Footer)
    return {each.SYMBOL.encode(): each.CODE for each in types}


def _binary(octets: bytes, position: int) -> tuple[int, int]:
    """Where what is in a binary begins and ends."""
    constructor = octets[position]
    if constructor not in (_BINARY8, _BINARY32):
        raise ValueError("data is binary")
    return position + 1 + _SIZES[constructor >> 4], _end_of_value(octets, position)


def _end_of_value(octets: bytes, position: int) -> int:
    """Where a value ends, which may be after the octets there are.

    Raises:
        IndexError: More octets are needed to tell.
        KeyError: There is no such constructor.
        ValueError: It is nested too deep.
    """
    descriptors = 0  # that are still to be passed over, each followed by what it describes
    values = 1
    while values:
        constructor = octets[position]
        if not constructor:
            descriptors += 1
            values += 1
            position += 1
            if descriptors > _DEEPEST:
                raise ValueError("nested too deep")
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
