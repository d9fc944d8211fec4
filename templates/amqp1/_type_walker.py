"""The exact reader of the types of the specification: checks every field, but is slow.

It reports what is wrong with octets that the fast readers refused, and where.
"""

from __future__ import annotations

from typing import Any

from ._basics import entry_path, shown
from ._containers import Array, with_article
from ._layout import FieldLayout
from ._limits import DECODE_FAULTS, Limits
from ._value_reader import TYPES, read_value
from ._walker import ValueWalker, Walk
from .constants import ENCODINGS
from .described import CLASSES, DescribedType
from .errors import DecodeError, LimitExceeded, Malformed
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
        found, position = self.part("descriptor", self.value, position, end, entry_path(path, "descriptor"))
        kind = self._known(start) if found else None
        if kind is None:
            return "described", self.undescribed(found, position, end, path)
        path = path or kind.NAME
        if kind.SOURCE:
            found, stop = self.part("content", self.value, position, end, path)
            self._check_source(kind, found, position, path)
            return kind.NAME, stop
        return kind.NAME, self._composite(kind, self.code(position, end, path), position + 1, end, path)

    def _known(self, position: int) -> type[DescribedType] | None:
        """Return the class of the type whose descriptor is here."""
        if TYPES.get(self.buffer[position]) not in ("ulong", "symbol"):
            return None
        descriptor = read_value(self.buffer, position, self.limits)[0]
        return CLASSES.get(descriptor) if isinstance(descriptor, (ULong, Symbol)) else None

    def _check_source(self, kind: type[DescribedType], found: str, position: int, path: str) -> None:
        """Check the type of a value that a restricted type describes."""
        if found and kind.SOURCE not in ("*", found):
            message = f"{kind.NAME} describes a {kind.SOURCE}, not a {found}"
            self.malformed(message, position, path, code="wrong-type")

    def _composite(self, kind: type[DescribedType], code: int, position: int, end: int, path: str) -> int:
        """Walk over the fields of a composite, which follow a format code; return the position after them."""
        if code not in ENCODINGS or ENCODINGS[code].type != "list":
            message = f"{kind.NAME} describes a list; {code:#04x} does not begin one"
            self.malformed(message, position - 1, path, code="wrong-type")
            return self.coded(code, position, end, path)[1]
        faults = self.faults
        start, stop, count = self.compound(code, position, end, path)
        is_whole = self.faults == faults  # else the fields that are missing may have been cut off
        if count > len(kind.FIELDS):
            message = f"{kind.NAME} has {len(kind.FIELDS)} fields at most, not {count}"
            self.malformed(message, position - 1, path, code="too-many-fields")
        position = start
        for field in kind.FIELDS[:count]:
            is_readable, position = self._field(field, position, stop, f"{path}.{field.name}")
            if not is_readable and position >= stop:
                return stop
        self.check_end(kind.NAME, position, stop, path)
        for field in kind.FIELDS[count:]:
            if field.mandatory and is_whole:
                self._told(field.name, stop, stop)
                self.malformed(
                    "is mandatory, but not there", position, f"{path}.{field.name}", code="missing-field"
                )
        return stop

    def _field(self, field: FieldLayout, position: int, end: int, path: str) -> tuple[bool, int]:
        """Walk over a field; return whether it can be read, and the position after it."""
        found, stop = self.part(field.name, self.value, position, end, path)
        if found == "null" and field.mandatory:
            self.malformed("is mandatory, but null", position, path, code="missing-field")
        elif found not in ("", "null"):
            self._check_field(field, found, position, path)
        return bool(found), stop

    def _check_field(self, field: FieldLayout, found: str, position: int, path: str) -> None:
        if field.multiple or field.values is not None:
            fits = self._values_fit(field, found, position, path)
        else:  # without reading the value: it may hold values whose fields hold values...
            fits = _fits(field, found, self._known(position + 1) if self.buffer[position] == 0 else None)
        if not fits:
            value = read_value(self.buffer, position, self.limits)[0]
            if field.multiple and isinstance(value, Array):
                found = "described" if value.descriptors else value.type
            self.malformed(f"{shown(value)} ({found}) {_unfit(field)}", position, path, code="wrong-type")

    def _values_fit(self, field: FieldLayout, found: str, position: int, path: str) -> bool:
        """Return whether the values of a field that may have several, or one of a few, may stand in it."""
        value = read_value(self.buffer, position, self.limits)[0]
        items: list[Any] = [value]
        if field.multiple and isinstance(value, Array) and field.primitive in ("", value.type):
            if field.mandatory and not len(value):
                self.malformed("is mandatory, but an empty array", position, path, code="missing-field")
            found = "described" if value.descriptors else value.type
            items = list(value)
        if field.values is not None:
            return found == field.primitive and all(item in field.values for item in items)
        return all(
            _fits(field, found, type(item) if isinstance(item, DescribedType) else None) for item in items
        )

    def element_walk(self, code: int, descriptors: list[int]) -> Walk:
        kind = self._known(descriptors[-1]) if descriptors else None
        if kind is None:
            return super().element_walk(code, descriptors)

        def element(position: int, end: int, path: str) -> tuple[str, int]:
            if not kind.SOURCE:
                return kind.NAME, self._composite(kind, code, position, end, path)
            self._check_source(kind, ENCODINGS[code].type, position, path)
            return kind.NAME, self.data(code, position, end, path)

        return element


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
