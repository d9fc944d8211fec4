"""The exact reader of the types of the specification: checks every field, but is slow.

It reports what is wrong with octets that the fast readers refused, and where.
"""

from __future__ import annotations

from typing import Any

from ._containers import Array, with_article
from ._layout import FieldLayout
from ._limits import DECODE_FAULTS, Limits
from ._texts import entry_path, shown
from ._value_reader import EMPTY_CODES, TYPES, element_end, read_value
from ._walker import ValueWalker
from .constants import ENCODINGS
from .described import CLASSES, DescribedType
from .errors import DecodeError, LimitExceeded, Malformed, Truncated
from .types import Symbol, ULong


def decode_error(buffer: bytes, position: int, end: int, limits: Limits, fault: Exception) -> DecodeError:
    """Return what is wrong with the value at ``position``, which must not go beyond ``end``.

    ``fault`` is the exception of the fast reader; it is reported if nothing better is found.
    """
    try:
        TypeWalker(buffer, limits).value(position, end, "")
    except DecodeError as error:
        return error
    except RecursionError as error:
        fault = error
    except DECODE_FAULTS:  # never seen so far; the octets are invalid in any case
        pass
    if isinstance(fault, RecursionError):
        return LimitExceeded("nested deeper than the call stack allows", position, code="too-deep")
    if isinstance(fault, DecodeError):
        return fault.at(position, "")
    return Malformed(str(fault), position)


class TypeWalker(ValueWalker):
    """A walker over values that checks those of described types field by field."""

    __slots__ = ()

    def described(self, position: int, end: int, path: str) -> tuple[str, int]:
        start = position
        position = self.value(position, end, entry_path(path, "descriptor"))[1]
        kind = self._known(start)
        if kind is None:
            return "described", self.value(position, end, path)[1]
        return kind.NAME, self.content(kind, position, end, path or kind.NAME)

    def _known(self, position: int) -> type[DescribedType] | None:
        """Return the class of the type whose descriptor is here."""
        if TYPES.get(self.buffer[position]) not in ("ulong", "symbol"):
            return None
        descriptor = read_value(self.buffer, position, self.limits)[0]
        return CLASSES.get(descriptor) if isinstance(descriptor, (ULong, Symbol)) else None

    def content(self, kind: type[DescribedType], position: int, end: int, path: str) -> int:
        """Walk over what follows the descriptor of a known type; return the position after it."""
        code = self.code(position, end, path)
        if kind.SOURCE:
            found, stop = self.value(position, end, path)
            if kind.SOURCE not in ("*", found):
                message = f"{kind.NAME} describes a {kind.SOURCE}, not a {found}"
                raise Malformed(message, position + self.base, path, code="wrong-type")
            return stop
        if code not in ENCODINGS or ENCODINGS[code].type != "list":
            message = f"{kind.NAME} describes a list; {code:#04x} does not begin one"
            raise Malformed(message, position + self.base, path, code="wrong-type")
        start, stop, count = self.compound(code, position + 1, end, path)
        if count > len(kind.FIELDS):
            message = f"{kind.NAME} has {len(kind.FIELDS)} fields at most, not {count}"
            raise Malformed(message, position + self.base, path, code="too-many-fields")
        position = start
        for field in kind.FIELDS[:count]:
            position = self._field(field, position, stop, f"{path}.{field.name}")
        self.check_end(kind.NAME, position, stop, path)
        for field in kind.FIELDS[count:]:
            if field.mandatory:
                raise Malformed(
                    "is mandatory, but not there",
                    position + self.base,
                    f"{path}.{field.name}",
                    code="missing-field",
                )
        return stop

    def _field(self, field: FieldLayout, position: int, end: int, path: str) -> int:
        found, stop = self.value(position, end, path)
        if found == "null":
            if field.mandatory:
                raise Malformed("is mandatory, but null", position + self.base, path, code="missing-field")
            return stop
        if field.multiple or field.values is not None:
            fits = self._values_fit(field, found, position, path)
        else:  # without reading the value: it may hold values whose fields hold values...
            fits = _fits(field, found, self._known(position + 1) if self.buffer[position] == 0 else None)
        if not fits:
            value = read_value(self.buffer, position, self.limits)[0]
            if field.multiple and isinstance(value, Array):
                found = "described" if value.descriptors else value.type
            raise Malformed(
                f"{shown(value)} ({found}) {_unfit(field)}", position + self.base, path, code="wrong-type"
            )
        return stop

    def _values_fit(self, field: FieldLayout, found: str, position: int, path: str) -> bool:
        """Return whether the values of a field that may have several, or one of a few, may stand in it."""
        value = read_value(self.buffer, position, self.limits)[0]
        items: list[Any] = [value]
        if field.multiple and isinstance(value, Array) and field.primitive in ("", value.type):
            if field.mandatory and not len(value):
                raise Malformed(
                    "is mandatory, but an empty array", position + self.base, path, code="missing-field"
                )
            found = "described" if value.descriptors else value.type
            items = list(value)
        if field.values is not None:
            return found == field.primitive and all(item in field.values for item in items)
        return all(
            _fits(field, found, type(item) if isinstance(item, DescribedType) else None) for item in items
        )

    def elements_of(
        self, code: int, descriptors: list[int], position: int, stop: int, count: int, path: str
    ) -> int:
        kind = self._known(descriptors[-1]) if descriptors else None
        if kind is None:
            return super().elements_of(code, descriptors, position, stop, count, path)
        if code in EMPTY_CODES:  # all alike
            if count:
                self._element(kind, code, position, position, f"{path}[0]")
            return position
        for index in range(count):
            try:
                end = element_end(self.buffer, position, code)
            except DECODE_FAULTS:
                end = stop + 1
            if end > stop:
                raise Truncated("the element is cut off", position + self.base, f"{path}[{index}]")
            self._element(kind, code, position, end, f"{path}[{index}]")
            position = end
        return position

    def _element(self, kind: type[DescribedType], code: int, position: int, end: int, path: str) -> None:
        """Walk over an element of a known type, with its format code put before it."""
        around = self.buffer, self.base
        keys_around = self.known.at
        self.buffer = bytes((code,)) + self.buffer[position:end]
        self.known.buffer, self.known.at = self.buffer, {}
        self.base += position - 1
        stop = self.content(kind, 0, len(self.buffer), path)
        self.check_end(kind.NAME, stop, len(self.buffer), path)
        self.buffer, self.base = around
        self.known.buffer, self.known.at = self.buffer, keys_around


def _fits(field: FieldLayout, found: str, kind: type[DescribedType] | None) -> bool:
    """Return whether a value may stand in a field.

    Args:
        field: The field.
        found: The name of the type of the value; ``described`` if it has a descriptor that is unknown.
        kind: Its class, if it is of a known type with a descriptor.
    """
    if field.primitive:
        return found == field.primitive
    if field.archetype is not None:
        if kind is not None:
            return not field.archetype.names.isdisjoint(kind.PROVIDES)
        return found == "described" or found in field.archetype.types
    return field.type == "*" or found == field.type


def _unfit(field: FieldLayout) -> str:
    """Return what is wrong with a value that may not stand in a field, for messages."""
    if field.archetype is not None and not field.primitive:
        return f"does not provide {field.archetype}"
    choices = "" if field.values is None else f": one of {field.choices()}"
    return f"is not {with_article(field.type)}{choices}"
