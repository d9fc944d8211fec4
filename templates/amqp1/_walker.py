"""The exact reader of values: goes octet by octet and checks everything, but is slow.

``ValueWalker`` knows the primitive types, ``TypeWalker`` of ``_type_walker`` those of the specification too. A visitor can
see every octet.
"""

from collections.abc import Callable
from typing import Any, NoReturn, Protocol, TypeAlias

from ._basics import entry_path, unpack_I
from ._limits import DEEPEST, KnownKeys, Limits, make_limits
from ._value_reader import EMPTY_CODES, read_value
from ._value_writer import add_compound, encode_key
from .constants import ENCODINGS, EncodingLayout
from .errors import DecodeError, EncodeError, ErrorCode, LimitExceeded, Malformed, Truncated, Unknown


class KnownKey:
    """The stand-in of a key in the keys around it, so that each is read, written and shown once.

    Attributes:
        octets: The key, written.
        text: The ``repr`` of the key, cut to its start and its end.
    """

    __slots__ = ("octets", "text")

    def __init__(self, key: Any, octets: bytes) -> None:
        text = repr(key)
        self.octets = octets
        self.text = text if len(text) <= 100 else text[:50] + text[-50:]

    def __hash__(self) -> NoReturn:
        raise TypeError("a key whose value is unknown has no hash")

    def __repr__(self) -> str:
        return self.text


def _write_known_key(key: KnownKey, depth: int) -> bytes:
    return key.octets


add_compound(KnownKey, "", _write_known_key)


class ValueVisitor(Protocol):
    """Is told of all octets in their order, and of faults, after which the walk goes on."""

    def begin(self, name: str, position: int) -> None:
        """Take the beginning of a part: a field, a descriptor, a key, a value, a constructor of an array, ``[2]``."""

    def octets(self, name: str, start: int, stop: int) -> None:
        """Take the octets of a format code, a size, a count, or data."""

    def fault(self, error: DecodeError) -> None:
        """Take an error in what has been told."""

    def lost(self, error: DecodeError, stop: int) -> None:
        """Take an error, due to which the rest of the part is left out up to ``stop``."""

    def leave(self, position: int) -> None:
        """Take the end of the innermost part."""


# (position, end, path) -> (name of the type, position after it)
Walk: TypeAlias = Callable[[int, int, str], tuple[str, int]]


class ValueWalker:
    """A walker over values. Every method raises DecodeError, with offset and path, if the octets are invalid.

    Attributes:
        buffer: The octets.
        elements: The most elements of a list, map or array.
        depth: The levels of nesting that are left.
        known: Keys that have been walked over.
        limits: For decoding what has been walked over.
        visitor: Is told what is walked over. With it, only a value that cannot be walked to its end raises.
        faults: How many faults it was told.
    """

    __slots__ = ("buffer", "depth", "elements", "faults", "known", "limits", "visitor")

    def __init__(self, buffer: bytes, limits: Limits, visitor: ValueVisitor | None = None) -> None:
        self.buffer = buffer
        self.visitor = visitor
        self.faults = 0
        self.elements = limits.elements
        self.depth = 0
        self.known = KnownKeys(buffer)
        self.limits = make_limits(DEEPEST, limits.elements, self.known)
        deeper = limits.deeper
        while deeper is not None:
            self.depth += 1
            deeper = deeper.deeper

    def value(self, position: int, end: int, path: str) -> tuple[str, int]:
        """Walk over a value, its constructor first.

        Args:
            position: Where it starts.
            end: The last position at which it may end.
            path: The name of the value, for errors.

        Returns:
            The name of its type, ``described`` if it has a descriptor that is unknown, and the position after it.
        """
        code = self.code(position, end, path)
        if code == 0:
            self.descend(position, path)
            found = self.described(position + 1, end, path)
            self.depth += 1
            return found
        return self.coded(code, position + 1, end, path)

    def coded(self, code: int, position: int, end: int, path: str) -> tuple[str, int]:
        """Walk over what follows a format code that may be unknown; return the same as ``value``."""
        if code in ENCODINGS:
            return ENCODINGS[code].type, self.data(code, position, end, path)
        self.fault(
            Unknown(
                f"no type has the format code {code:#04x}", position - 1, path, code="unknown-format-code"
            )
        )
        return "", self._skip(code, position, end)

    def part(self, name: str, walk: Walk, position: int, end: int, path: str) -> tuple[str, int]:
        """Walk over a part of a value, and tell the visitor where it begins and ends.

        Returns:
            As ``value``. The type is empty after a fault that the visitor was told.
        """
        visitor, faults, depth = self.visitor, self.faults, self.depth
        if visitor is None:
            return walk(position, end, path)
        visitor.begin(name, position)
        try:
            found, stop = walk(position, end, path)
        except DecodeError as error:
            found, stop, self.depth = "", end, depth
            self.faults += 1
            visitor.lost(error, stop)
        visitor.leave(stop)
        return found if self.faults == faults else "", stop

    def fault(self, error: DecodeError) -> None:
        """Raise an error, or tell the visitor."""
        if self.visitor is None:
            raise error
        self.faults += 1
        self.visitor.fault(error)

    def malformed(self, message: str, position: int, path: str, code: ErrorCode = "malformed") -> None:
        """Raise an error for octets that contradict themselves or the specification, or tell the visitor."""
        self.fault(Malformed(message, position, path, code=code))

    def _told(self, name: str, start: int, stop: int) -> None:
        if self.visitor is not None:
            self.visitor.octets(name, start, stop)

    def described(self, position: int, end: int, path: str) -> tuple[str, int]:
        """Walk over a descriptor and the value it describes."""
        found, position = self.part("descriptor", self.value, position, end, entry_path(path, "descriptor"))
        return "described", self.undescribed(found, position, end, path)

    def undescribed(self, descriptor: str, position: int, end: int, path: str) -> int:
        """Walk over the value after a descriptor of a type that is unknown, unless that took all octets."""
        if not descriptor and position >= end:
            return end
        return self.part("value", self.value, position, end, path)[1]

    def code(self, position: int, end: int, path: str) -> int:
        """Return the format code that is here; 0 begins a descriptor."""
        if position >= end:
            raise Truncated("a constructor is missing", position, path)
        code = self.buffer[position]
        self._told("format code" if code else "described", position, position + 1)
        return code

    def _skip(self, code: int, position: int, end: int) -> int:
        """Return where data with an unknown format code ends: its upper half tells that (1.2)."""
        width = {0x4: 0, 0x5: 1, 0x6: 2, 0x7: 4, 0x8: 8, 0x9: 16}.get(code >> 4, end)
        if code >> 4 > 0x9:
            start = position + (4 if code >> 4 & 1 else 1)
            width = start - position + int.from_bytes(self.buffer[position : min(start, end)], "big")
        stop = min(position + width, end)
        self._told("data", position, stop)
        return stop

    def descend(self, position: int, path: str) -> None:
        """Go one level deeper; the caller goes up again."""
        if self.depth < 1:
            raise LimitExceeded("nested too deep", position, path, code="too-deep")
        self.depth -= 1

    def data(self, code: int, position: int, end: int, path: str) -> int:
        """Walk over what follows a format code that is known; return the position after it."""
        encoding = ENCODINGS[code]
        if encoding.category == "fixed":
            stop = position + encoding.width
            if stop > end:
                raise _cut_off(f"the {encoding.type} has {encoding.width} octets", position, end, path)
            self._told("data", position, stop)
            self._check_fixed(encoding.type, position, stop, path)
            if encoding.type == "list":  # an empty list is a level, too
                self.descend(position, path)
                self.depth += 1
            return stop
        if encoding.category == "variable":
            start, stop = self._sized(encoding, position, end, path)
            self._told("data", start, stop)
            self._check_text(encoding.type, start, stop, path)
            return stop
        self.descend(position, path)
        start, stop, count = self.compound(code, position, end, path)
        if count > self.elements:
            message = f"the {encoding.type} has {count} elements, more than {self.elements}"
            self.fault(LimitExceeded(message, start - encoding.width, path, code="too-many-elements"))
            self._told("elements", start, stop)
            position = stop
        elif encoding.type == "map":
            position = self._entries(start, stop, count, path)
        elif encoding.type == "list":
            position = self._items(start, stop, count, path)
        else:
            position = self._array(start, stop, count, path)
        self.depth += 1
        self.check_end(encoding.type, position, stop, path)
        return stop

    def compound(self, code: int, position: int, end: int, path: str) -> tuple[int, int, int]:
        """Return where the elements of a list, map or array start and stop, and how many there should be."""
        encoding = ENCODINGS[code]
        if encoding.category == "fixed":  # the empty list
            return position, position, 0
        start, stop = self._sized(encoding, position, end, path)
        if stop - start < encoding.width:
            self._told("count", start, stop)
            self.malformed(f"the size of the {encoding.type} leaves no room for its count", position, path)
            return stop, stop, 0
        self._told("count", start, start + encoding.width)
        return start + encoding.width, stop, self._number(encoding.width, start)

    def check_end(self, kind: str, position: int, stop: int, path: str) -> None:
        """Check that a compound ends where its size says."""
        if position != stop:
            self._told("left over", position, stop)
            message = f"{stop - position} octets of the {kind} are left over"
            self.malformed(message, position, path, code="octets-left-over")

    def _number(self, width: int, position: int) -> int:
        return self.buffer[position] if width == 1 else unpack_I(self.buffer, position)[0]

    def _sized(self, encoding: EncodingLayout, position: int, end: int, path: str) -> tuple[int, int]:
        """Return where what a size counts starts and stops."""
        start = position + encoding.width
        if start > end:
            message = f"the size of the {encoding.type} has {encoding.width} octets"
            raise _cut_off(message, position, end, path)
        self._told("size", position, start)
        stop = start + self._number(encoding.width, position)
        if stop > end:
            self.fault(_cut_off(f"the {encoding.type} has {stop - start} octets", start, end, path))
        return start, min(stop, end)

    def _check_fixed(self, kind: str, position: int, stop: int, path: str) -> None:
        if kind == "boolean" and stop > position and self.buffer[position] > 1:
            self.malformed(f"a boolean is 0 or 1, not {self.buffer[position]}", position, path)
        if kind == "char":
            (point,) = unpack_I(self.buffer, position)
            if point > 0x10FFFF or 0xD800 <= point <= 0xDFFF:
                self.malformed(f"{point:#x} is not a Unicode character", position, path, code="not-unicode")

    def _check_text(self, kind: str, start: int, stop: int, path: str) -> None:
        if kind not in ("string", "symbol"):
            return
        charset = "UTF-8" if kind == "string" else "ASCII"
        try:
            self.buffer[start:stop].decode(charset)
        except UnicodeDecodeError as error:
            message = f"the {kind} is not {charset}: {error.reason}"
            code: ErrorCode = "not-unicode" if kind == "string" else "not-ascii"
            self.malformed(message, start + error.start, path, code=code)

    def _items(self, position: int, stop: int, count: int, path: str) -> int:
        for index in range(count):
            name = f"[{index}]"
            found, position = self.part(name, self.value, position, stop, path + name)
            if not found and position >= stop:
                break
        return position

    def _entries(self, position: int, stop: int, count: int, path: str) -> int:
        if count & 1:
            self.malformed(f"a map of {count} elements has a key without a value", position, path)
        seen: set[bytes] = set()
        for _ in range(count // 2):
            start = position
            found, position = self.part("key", self.value, position, stop, entry_path(path, "key"))
            place = self._key_path(start, position, seen, path) if found else path
            if found or position < stop:
                found, position = self.part("value", self.value, position, stop, place)
            if not found and position >= stop:
                break
        return position

    def _key_path(self, start: int, end: int, seen: set[bytes], path: str) -> str:
        """Check that a key is new; return the path of its value."""
        key = read_value(self.buffer, start, self.limits)[0]
        place = entry_path(path, key)
        try:
            octets = encode_key(key)
        except EncodeError as error:
            # Keys are compared as they are written, which has a limit of its own.
            message = f"the key cannot be compared: {error.message}"
            raise LimitExceeded(message, start, place, code=error.code) from None
        if octets in seen:
            self.malformed("the key occurs twice", start, place, code="duplicate-key")
        seen.add(octets)
        self._remember(start, key, octets, end)
        return place

    def _remember(self, start: int, key: Any, octets: bytes, end: int) -> None:
        """Remember a key instead of the keys in it, which are not needed again."""
        if 0 < self.buffer[start] < 0xC0:  # a scalar
            return
        known = self.known.at
        while known and next(reversed(known)) > start:
            known.popitem()
        known[start] = KnownKey(key, octets), end

    def _array(self, position: int, stop: int, count: int, path: str) -> int:
        """Walk over the constructor and the elements of an array."""
        depth = self.depth
        descriptors: list[int] = []

        def constructor(position: int, end: int, path: str) -> tuple[str, int]:
            while (code := self.code(position, end, path)) == 0:
                self.descend(position, path)
                descriptors.append(position + 1)
                name = entry_path(path, "descriptor")
                position = self.part("descriptor", self.value, position + 1, end, name)[1]
            if code not in ENCODINGS:
                raise Unknown(
                    f"no type has the format code {code:#04x}", position, path, code="unknown-format-code"
                )
            return ENCODINGS[code].type, position + 1

        found, position = self.part("constructor", constructor, position, stop, path)
        if not found:
            self._told("elements", position, stop)
            position = stop
        else:
            element = self.element_walk(self.buffer[position - 1], descriptors)
            if self.buffer[position - 1] in EMPTY_CODES:  # all alike
                count = min(count, 1)
            for index in range(count):
                name = f"[{index}]"
                found, position = self.part(name, element, position, stop, path + name)
                if not found and position >= stop:
                    break
        self.depth = depth
        return position

    def element_walk(self, code: int, descriptors: list[int]) -> Walk:
        """Return the walk over an element of an array.

        Args:
            code: The format code of all elements.
            descriptors: Where their descriptors start, the outermost first.
        """
        kind = ENCODINGS[code].type
        return lambda position, end, path: (kind, self.data(code, position, end, path))


def _cut_off(what: str, position: int, end: int, path: str) -> Truncated:
    return Truncated(f"{what}, but only {end - position} are left", position, path)
