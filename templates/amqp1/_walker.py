"""The exact reader of values: goes octet by octet and checks everything, but is slow.

``ValueWalker`` knows the primitive types, ``TypeWalker`` of ``_type_walker`` those of the specification too.
"""

from typing import Any

from ._wire import unpack_I
from .constants import ENCODINGS, EncodingLayout
from .errors import EncodeError, LimitExceeded, Malformed, Truncated, Unknown
from ._texts import entry_path
from ._limits import DEEPEST, KnownKeys, Limits, make_limits
from ._value_reader import EMPTY_CODES, read_value
from ._value_writer import add_compound, encode_key


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

    __hash__ = None  # type: ignore[assignment]  # pyright: ignore[reportAssignmentType]

    def __repr__(self) -> str:
        return self.text


def _write_known_key(key: KnownKey, depth: int) -> bytes:
    return key.octets


add_compound(KnownKey, "", _write_known_key)


class ValueWalker:
    """A walker over values. Every method raises DecodeError, with offset and path, if the octets are invalid.

    Attributes:
        buffer: The octets.
        base: Added to positions in errors.
        elements: The most elements of a list, map or array.
        depth: The levels of nesting that are left.
        known: Keys that have been walked over.
        limits: For decoding what has been walked over.
    """

    __slots__ = ("base", "buffer", "depth", "elements", "known", "limits")

    def __init__(self, buffer: bytes, limits: Limits) -> None:
        self.buffer = buffer
        self.base = 0
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
        return self.encoding(code, position, path).type, self.data(code, position + 1, end, path)

    def described(self, position: int, end: int, path: str) -> tuple[str, int]:
        """Walk over a descriptor and the value it describes."""
        position = self.value(position, end, entry_path(path, "descriptor"))[1]
        return "described", self.value(position, end, path)[1]

    def code(self, position: int, end: int, path: str) -> int:
        """Return the format code that is here."""
        if position >= end:
            raise Truncated("a constructor is missing", position + self.base, path)
        return self.buffer[position]

    def encoding(self, code: int, position: int, path: str) -> EncodingLayout:
        """Return the encoding of a format code, which is at ``position``."""
        if code not in ENCODINGS:
            raise Unknown(f"no type has the format code {code:#04x}", position + self.base, path)
        return ENCODINGS[code]

    def descend(self, position: int, path: str) -> None:
        """Go one level deeper; the caller goes up again."""
        if self.depth < 1:
            raise LimitExceeded("nested too deep", position + self.base, path)
        self.depth -= 1

    def data(self, code: int, position: int, end: int, path: str) -> int:
        """Walk over what follows a format code that is known; return the position after it."""
        encoding = ENCODINGS[code]
        if encoding.category == "fixed":
            stop = position + encoding.width
            if stop > end:
                self._cut_off(f"the {encoding.type} has {encoding.width} octets", position, end, path)
            self._check_fixed(encoding.type, position, stop, path)
            if encoding.type == "list":  # an empty list is a level, too
                self.descend(position, path)
                self.depth += 1
            return stop
        if encoding.category == "variable":
            start, stop = self._sized(encoding, position, end, path)
            self._check_text(encoding.type, start, stop, path)
            return stop
        self.descend(position, path)
        start, stop, count = self.compound(code, position, end, path)
        if count > self.elements:
            message = f"the {encoding.type} has {count} elements, more than {self.elements}"
            raise LimitExceeded(message, start - encoding.width + self.base, path)
        if encoding.type == "map":
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
            message = f"the size of the {encoding.type} leaves no room for its count"
            raise Malformed(message, position + self.base, path)
        return start + encoding.width, stop, self._number(encoding.width, start)

    def check_end(self, kind: str, position: int, stop: int, path: str) -> None:
        """Raise ``DecodeError`` if a compound does not end where its size says."""
        if position != stop:
            message = f"{stop - position} octets of the {kind} are left over"
            raise Malformed(message, position + self.base, path)

    def _number(self, width: int, position: int) -> int:
        return self.buffer[position] if width == 1 else unpack_I(self.buffer, position)[0]

    def _sized(self, encoding: EncodingLayout, position: int, end: int, path: str) -> tuple[int, int]:
        """Return where what a size counts starts and stops."""
        start = position + encoding.width
        if start > end:
            self._cut_off(f"the size of the {encoding.type} has {encoding.width} octets", position, end, path)
        stop = start + self._number(encoding.width, position)
        if stop > end:
            self._cut_off(f"the {encoding.type} has {stop - start} octets", start, end, path)
        return start, stop

    def _cut_off(self, what: str, position: int, end: int, path: str) -> None:
        raise Truncated(f"{what}, but only {end - position} are left", position + self.base, path)

    def _check_fixed(self, kind: str, position: int, stop: int, path: str) -> None:
        if kind == "boolean" and stop > position and self.buffer[position] > 1:
            message = f"a boolean is 0 or 1, not {self.buffer[position]}"
            raise Malformed(message, position + self.base, path)
        if kind == "char":
            (point,) = unpack_I(self.buffer, position)
            if point > 0x10FFFF or 0xD800 <= point <= 0xDFFF:
                raise Malformed(f"{point:#x} is not a Unicode character", position + self.base, path)

    def _check_text(self, kind: str, start: int, stop: int, path: str) -> None:
        if kind not in ("string", "symbol"):
            return
        charset = "UTF-8" if kind == "string" else "ASCII"
        try:
            self.buffer[start:stop].decode(charset)
        except UnicodeDecodeError as error:
            message = f"the {kind} is not {charset}: {error.reason}"
            raise Malformed(message, start + error.start + self.base, path) from None

    def _items(self, position: int, stop: int, count: int, path: str) -> int:
        for index in range(count):
            position = self.value(position, stop, f"{path}[{index}]")[1]
        return position

    def _entries(self, position: int, stop: int, count: int, path: str) -> int:
        if count & 1:
            message = f"a map of {count} elements has a key without a value"
            raise Malformed(message, position + self.base, path)
        seen: set[bytes] = set()
        for _ in range(count // 2):
            start = position
            position = self.value(position, stop, entry_path(path, "key"))[1]
            key = read_value(self.buffer, start, self.limits)[0]
            place = entry_path(path, key)
            try:
                octets = encode_key(key)
            except EncodeError as error:
                # Keys are compared as they are written, which has a limit of its own.
                message = f"the key cannot be compared: {error.message}"
                raise LimitExceeded(message, start + self.base, place) from None
            if octets in seen:
                raise Malformed("the key occurs twice", start + self.base, place)
            seen.add(octets)
            self._remember(start, key, octets, position)
            position = self.value(position, stop, place)[1]
        return position

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
        code = self.code(position, stop, path)
        while code == 0:
            self.descend(position, path)
            descriptors.append(position + 1)
            position = self.value(position + 1, stop, entry_path(path, "descriptor"))[1]
            code = self.code(position, stop, path)
        self.encoding(code, position, path)
        position = self.elements_of(code, descriptors, position + 1, stop, count, path)
        self.depth = depth
        return position

    def elements_of(
        self, code: int, descriptors: list[int], position: int, stop: int, count: int, path: str
    ) -> int:
        """Walk over the elements of an array.

        Args:
            code: The format code of them all.
            descriptors: Where their descriptors start, the outermost first.
            position: Where the first element is.
            stop: Where the array ends.
            count: How many there are.
            path: The name of the array, for errors.
        """
        if code in EMPTY_CODES:  # all alike
            return self.data(code, position, stop, path)
        for index in range(count):
            position = self.data(code, position, stop, f"{path}[{index}]")
        return position
