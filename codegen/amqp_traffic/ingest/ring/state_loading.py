"""The state of a reading from its octets, see ``state_writing``.

Whatever the octets are, nothing is called but what makes plain values and containers, and no class is used but those of
``state_classes``. Objects are made empty first and filled then, as they may refer to each other.
"""

from __future__ import annotations

import json
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from enum import Enum
from functools import partial
from inspect import getattr_static
from itertools import accumulate, pairwise
from types import MethodType
from typing import Any, NamedTuple
from uuid import UUID

from .state_classes import StateError, callback, find_class, is_object, is_value, slots_of, transient_of
from .state_writing import PLAIN

_FAULTS = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


def load_state(octets: bytes) -> Any:
    """Return the state in the octets.

    Raises:
        StateError: They are damaged, or they name something that a state never has.
    """
    line, _, blob = octets.partition(b"\n")
    try:
        layouts, lengths, begin, rows = json.loads(line, object_pairs_hook=_refuse_object)
        return _StateLoading(layouts, _cut(blob, lengths), rows).load(begin)
    except StateError:
        raise
    except _FAULTS as error:
        raise StateError(f"{type(error).__name__} in a state") from None


def _refuse_object(pairs: object) -> None:
    raise StateError("a state has no JSON objects")


def _cut(blob: bytes, lengths: Sequence[int]) -> list[bytes]:
    if any(type(length) is not int or length < 0 for length in lengths) or sum(lengths) != len(blob):
        raise StateError("octets of a state have other lengths")
    return [blob[begin:end] for begin, end in pairwise(accumulate(lengths, initial=0))]


class _Layout(NamedTuple):
    """How the rows of a class are read.

    Attributes:
        cls: The class.
        attributes: The attributes in its rows; None for a value and for a named tuple.
    """

    cls: type
    attributes: tuple[str, ...] | None


class _StateLoading:
    """One graph of objects that is being loaded."""

    def __init__(self, layouts: Sequence[Sequence[Any]], blobs: list[bytes], rows: list[list[Any]]) -> None:
        self._layouts = [_layout_of(*layout) for layout in layouts]
        self._blobs = blobs
        self._rows = rows
        self._made: list[Any] = []

    def load(self, begin: Any) -> Any:
        """Make all objects and fill them. Return the one that a state begins with."""
        makers = [_maker(layout) for layout in self._layouts]
        self._made = [self._make(row, makers) for row in self._rows]
        # Instances first: keys of dicts and elements of sets must be complete.
        containers: list[tuple[Any, list[Any]]] = []
        fillers: dict[int, Callable[[Any, list[Any]], None]] = {}
        values = self._values
        for made, row in zip(self._made, self._rows, strict=True):
            number = row[0]
            if type(number) is not int:
                containers.append((made, row))
                continue
            fill = fillers.get(number)
            if fill is None:
                fill = fillers[number] = _filler(self._layouts[number])
            fill(made, values(row))
            row.clear()  # as large as the state itself
        for made, row in containers:
            _fill_container(made, row[0], values(row))
            row.clear()
        return self._value(begin)

    def _make(self, row: list[Any], makers: Sequence[Callable[..., Any]]) -> Any:
        """Return a new object without its content; a value is complete."""
        first = row[0]
        if type(first) is int and first >= 0:
            return makers[first](row)
        if first == "bytearray":
            return self._blob(row[1], bytearray)
        return _CONTAINERS[first](row)

    def _value(self, value: Any) -> Any:
        if type(value) is not list:
            return value
        first = value[0]
        if type(first) is int and first >= 0:  # not ``_index``: most values come here
            (number,) = value
            return self._made[number]
        if first == "t":
            return tuple(self._values(value))
        if first == "b":
            _, number = value
            return self._blob(number, bytes)
        if first == "n":
            return _named_tuple(self._layouts[_index(value[1])], self._values(value)[1:])
        if first == "m":
            _, owner, name = value
            owner = self._value(owner)
            return MethodType(callback(type(owner), name), owner)
        if first == "p":
            method, *arguments = self._values(value)
            if type(method) is MethodType:
                return partial(method, *arguments)
        raise StateError("a state has a value of no kind")

    def _values(self, row: list[Any]) -> list[Any]:
        """Return the values in a row or list, after what it begins with."""
        load = self._value
        made = [value if type(value) is not list else load(value) for value in row]
        del made[0]
        return made

    def _blob(self, number: Any, kind: Callable[[bytes], Any]) -> Any:
        return kind(self._blobs[_index(number)])


def _index(number: Any) -> int:
    """Return a number of a list: counted from its end it would be wrong."""
    if type(number) is not int or number < 0:
        raise StateError("a state has a number that is none")
    return number


def _layout_of(module: str, name: str, attributes: Sequence[str] | None = None) -> _Layout:
    cls = find_class(module, name)
    if attributes is None:
        if issubclass(cls, tuple) or is_value(cls):
            return _Layout(cls, None)
    elif is_object(cls) and len(set(attributes)) == len(attributes):
        slots, transient = slots_of(cls), transient_of(cls)
        if slots and slots.keys() - transient.keys() == set(attributes):
            return _Layout(cls, tuple(attributes))
        if not slots and all(
            _is_attribute(cls, attribute) and attribute not in transient for attribute in attributes
        ):
            return _Layout(cls, tuple(attributes))
    raise StateError(f"{module}.{name} has other attributes")


def _is_attribute(cls: type, name: str) -> bool:
    """Return whether instances may have an attribute: it must not stand for a method or a property."""
    is_plain = not hasattr(getattr_static(cls, name, None), "__get__")
    return name.isidentifier() and not name.startswith("__") and is_plain


def _maker(layout: _Layout) -> Callable[[list[Any]], Any]:
    """Return what makes an instance without attributes, or a complete value, of a row."""
    cls = layout.cls
    if layout.attributes is None:
        return lambda row: _value_of(cls, *row[1:])
    new = object.__new__
    return lambda row: new(cls)


def _filler(layout: _Layout) -> Callable[[Any, list[Any]], None]:
    """Return what sets the attributes of an instance."""
    cls, names = layout
    if names is None:
        return _leave
    slots, transient = slots_of(cls), transient_of(cls)
    if not slots:

        def fill_dict(made: Any, values: list[Any]) -> None:
            attributes = vars(made)
            attributes.update(zip(names, values, strict=True))
            attributes.update((name, make()) for name, make in transient.items())

        return fill_dict
    # Not ``setattr``, which frozen dataclasses refuse.
    setters = [slots[name].__set__ for name in names]
    others = [(slots[name].__set__, make) for name, make in transient.items()]

    def fill_slots(made: Any, values: list[Any]) -> None:
        for setter, value in zip(setters, values, strict=True):
            setter(made, value)
        for setter, make in others:
            setter(made, make())

    return fill_slots


def _leave(made: Any, values: list[Any]) -> None:
    """Leave a value as it was made."""


def _value_of(cls: type, value: Any) -> Any:
    """Return a member of an enumeration, or a value of a class of texts or numbers."""
    if issubclass(cls, Enum):
        return cls._value2member_map_[value]
    for plain in (str, int, float):
        if issubclass(cls, plain) and type(value) is plain:
            new: Callable[..., Any] = plain.__new__  # not the class, whose constructor may do anything
            return new(cls, value)
    raise StateError(f"{cls.__qualname__} with another value")


def _named_tuple(layout: _Layout, values: list[Any]) -> Any:
    cls = layout.cls
    if not issubclass(cls, tuple) or len(values) != len(getattr(cls, "_fields", ())):
        raise StateError(f"{cls.__qualname__} with other fields")
    return tuple.__new__(cls, values)


def _plain(row: list[Any], *kinds: type) -> Iterator[Any]:
    """Yield the plain values of a row, after what it begins with; with ``kinds``, exactly one of each."""
    values = row[1:]
    wrong = any(type(value) not in PLAIN for value in values)
    if wrong or (kinds and [*map(type, values)] != [*kinds]):
        raise StateError(f"{row[0]} with other values")
    return iter(values)


def _deque(row: list[Any]) -> deque[Any]:
    longest = row[1]
    return deque(maxlen=None if longest is None else _index(longest))


_CONTAINERS: Mapping[str, Callable[[list[Any]], Any]] = {
    "list": lambda row: [],
    "dict": lambda row: {},
    "ordered": lambda row: OrderedDict(),
    "counter": lambda row: Counter(),
    "set": lambda row: set(),
    "deque": _deque,
    "frozenset": lambda row: frozenset(_plain(row)),
    "decimal": lambda row: Decimal(*_plain(row, str)),
    "uuid": lambda row: UUID(*_plain(row, str)),
    "datetime": lambda row: datetime.fromisoformat(*_plain(row, str)),
    "timedelta": lambda row: timedelta(*_plain(row, int, int, int)),
}


def _fill_container(made: Any, name: str, values: list[Any]) -> None:
    if name == "list":
        made.extend(values)
    elif name == "set":
        made.update(values)
    elif name == "deque":
        made.extend(values[1:])
    elif name in ("dict", "ordered", "counter"):
        keys = iter(values)
        for key, value in zip(keys, keys, strict=True):
            dict.__setitem__(made, key, value) if name != "ordered" else made.__setitem__(key, value)
