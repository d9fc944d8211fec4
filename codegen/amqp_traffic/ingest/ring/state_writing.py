"""The state of a reading as octets: a graph of objects in JSON, then the octets of all its ``bytes``.

The JSON is a list: the layouts of classes, the lengths of the octets, the state, and a row for each object. Texts, numbers,
booleans and None stand for themselves. A list stands for

- an object: ``[its row]``; so objects may be shared, and refer to each other;
- octets: ``["b", their number]``; a tuple: ``["t", ...]``; a named tuple: ``["n", layout, ...]``;
- a callback: ``["m", owner, name]``; a callback with arguments: ``["p", callback, ...]``.

A row begins with the number of a layout, followed by the attributes of an instance or by the value of a symbol or a member of an
enumeration; or with the name of a container, followed by its content. ``state_loading`` reads it.
"""

from __future__ import annotations

import json
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from decimal import Decimal
from enum import Enum
from functools import partial
from itertools import chain
from operator import attrgetter
from types import MethodType
from typing import Any
from uuid import UUID

from .state_classes import StateError, callback, is_object, is_value, names_of, slots_of, transient_of

PLAIN = frozenset((type(None), bool, int, float, str))
_UNKNOWN: Any = object()


def write_state(state: Any) -> bytes:
    """Return a state as octets.

    Raises:
        StateError: It has an object that belongs to no state.
    """
    return _StateWriting().write(state)


class _StateWriting:
    """One graph of objects that is being written. It does not recurse into objects, which may be chained."""

    def __init__(self) -> None:
        self._layouts: dict[tuple[Any, ...], int] = {}
        self._octets: dict[bytes, int] = {}
        self._numbers: dict[int, int] = {}
        self._objects: list[Any] = []
        self._inline: dict[type, Callable[[Any], Any] | None] = {
            **dict.fromkeys(PLAIN, _itself),
            bytes: lambda octets: ["b", self._octets_no(octets)],
            tuple: lambda values: ["t", *self._values(values)],
            MethodType: self._callback,
            partial: self._partial,
        }
        self._writers: dict[type, Callable[[Any], list[Any]]] = {
            list: lambda values: ["list", *self._values(values)],
            dict: lambda items: ["dict", *self._items(items)],
            OrderedDict: lambda items: ["ordered", *self._items(items)],
            Counter: lambda items: ["counter", *self._items(items)],
            set: lambda values: ["set", *self._values(_in_order(values))],
            frozenset: lambda values: ["frozenset", *_in_order(values)],
            deque: lambda values: ["deque", values.maxlen, *self._values(values)],
            bytearray: lambda octets: ["bytearray", self._octets_no(bytes(octets))],
            Decimal: lambda number: ["decimal", str(number)],
            UUID: lambda uuid: ["uuid", uuid.hex],
            datetime: lambda moment: ["datetime", moment.isoformat()],
            timedelta: lambda span: ["timedelta", span.days, span.seconds, span.microseconds],
        }

    def write(self, state: Any) -> bytes:
        """Write the graph that a state begins."""
        begin, writers, rows = self._value(state), self._writers, list[list[Any]]()
        for value in self._objects:  # grows meanwhile
            kind = type(value)
            writer = writers.get(kind)
            if writer is None:
                writer = writers[kind] = self._writer_of(kind)
            rows.append(writer(value))
        document = [[*self._layouts], [*map(len, self._octets)], begin, rows]
        return b"".join((json.dumps(document, separators=(",", ":")).encode(), b"\n", *self._octets))

    def _value(self, value: Any) -> Any:
        """Return what stands for a value that is not plain."""
        inline = self._inline.get(type(value), _UNKNOWN)
        if inline is _UNKNOWN:
            inline = self._inline[type(value)] = self._inline_of(type(value))
        if inline is not None:
            return inline(value)
        numbers = self._numbers
        number = numbers.get(id(value))
        if number is None:
            number = numbers[id(value)] = len(numbers)
            self._objects.append(value)
        return [number]

    def _inline_of(self, kind: type) -> Callable[[Any], Any] | None:
        """Return what writes values of a class where they are; None for those that have a row."""
        if issubclass(kind, tuple):
            layout = self._layout(*names_of(kind))
            return lambda value: ["n", layout, *self._values(value)]
        return None

    def _callback(self, method: MethodType) -> list[Any]:
        callback(type(method.__self__), method.__name__)
        return ["m", self._value(method.__self__), method.__name__]

    def _partial(self, value: partial[Any]) -> list[Any]:
        if value.keywords or type(value.func) is not MethodType:
            raise StateError(f"{value.func} is not a callback")
        return ["p", self._callback(value.func), *self._values(value.args)]

    def _values(self, values: Iterable[Any]) -> list[Any]:
        return [value if type(value) in PLAIN else self._value(value) for value in values]

    def _items(self, items: Any) -> list[Any]:
        return self._values(chain.from_iterable(items.items()))

    def _octets_no(self, octets: bytes) -> int:
        return self._octets.setdefault(octets, len(self._octets))

    def _layout(self, *layout: Any) -> int:
        return self._layouts.setdefault(layout, len(self._layouts))

    def _writer_of(self, kind: type) -> Callable[[Any], list[Any]]:
        """Return the function that makes rows of the instances of a class."""
        names = names_of(kind)
        if is_value(kind):
            layout, plain = self._layout(*names), _plain_value(kind)
            return lambda value: [layout, plain(value)]
        if not is_object(kind):
            raise StateError(f"{'.'.join(names)} has values of its own")
        slots, transient = slots_of(kind), transient_of(kind)
        if not slots:
            return lambda value: self._dict_row(names, transient.keys(), vars(value))
        kept = tuple(name for name in slots if name not in transient)
        layout, get = self._layout(*names, kept), attrgetter(*kept)
        if len(kept) == 1:
            return lambda value: [layout, *self._values((get(value),))]
        return lambda value: [layout, *self._values(get(value))]

    def _dict_row(self, names: tuple[str, str], transient: Iterable[str], attributes: Any) -> list[Any]:
        if transient:
            attributes = {name: value for name, value in attributes.items() if name not in transient}
        return [self._layout(*names, tuple(attributes)), *self._values(attributes.values())]


def _plain_value(kind: type) -> Callable[[Any], Any]:
    """Return what makes a plain text or number of a value."""
    if issubclass(kind, Enum):
        return attrgetter("value")
    for plain in (str, int, float):
        if issubclass(kind, plain):
            return plain
    raise StateError(f"{kind.__qualname__} is in no state")


def _in_order(values: Iterable[Any]) -> Iterable[Any]:
    """Return the elements of a set, so that equal states are equal octets; as they come if they have no order."""
    try:
        return sorted(values)
    except TypeError:
        return values


def _itself(value: Any) -> Any:
    return value
