"""Containers without a Python type: described values, arrays, maps with unhashable keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, cast

from ._basics import dataclass
from ._values import OwnValue, Value
from .errors import EncodeError

# What a Python type is encoded as: the name of an AMQP type, filled in by ``_value_writer``; and the
# descriptor of a class that stands for a described type, filled in by ``described``.
TYPE_NAMES: Final[dict[type[Any], str]] = {}
DESCRIPTORS: Final[dict[type[Any], Any]] = {}


@dataclass
class Described(OwnValue):
    """A value with a descriptor of a type that the specification does not define.

    Attributes:
        descriptor: A ``Symbol`` or ``ULong``; other values are reserved, but read and written all the same.
        value: The value.
    """

    __slots__ = ("descriptor", "value")
    __match_args__ = ("descriptor", "value")

    descriptor: Value
    value: Value

    def __init__(self, descriptor: Value, value: Value) -> None:
        self.descriptor = descriptor
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Described) and equal(self, other)

    def __repr__(self) -> str:
        return f"Described(descriptor={shallow_repr(self.descriptor)}, value={shallow_repr(self.value)})"


class Repeated:
    """One value a number of times, in the memory of one: the items of an array whose items have no octets."""

    __slots__ = ("count", "value")

    def __init__(self, value: Any, count: int) -> None:
        self.value = value
        self.count = count

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.value, self.count)

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int) -> Any:
        if not -self.count <= index < self.count:
            raise IndexError(f"no item {index} among {self.count}")
        return self.value

    def __iter__(self) -> Iterator[Any]:
        for _ in range(self.count):
            yield self.value

    def __repr__(self) -> str:
        return f"[{self.value!r}] * {self.count}"


class Array(OwnValue):
    """Values of one type.

    Attributes:
        items: The values.
        type: The name of their type, without descriptors, for example ``uint`` or ``list``.
        descriptors: Their descriptors, the outermost first; usually none or one.
    """

    __slots__ = ("descriptors", "items", "type")

    def __init__(
        self, items: Iterable[Value] = (), type: str = "", descriptors: tuple[Value, ...] = ()
    ) -> None:
        """Make an array.

        Args:
            items: The values.
            type: The name of their type; taken from the first one when it is empty.
            descriptors: Their descriptors; taken from the first one together with the type.

        Raises:
            EncodeError: There is neither a type nor an item to take it from.
        """
        self.items: list[Value] | Repeated = items if isinstance(items, (list, Repeated)) else list(items)
        if type:
            self.type = type
            self.descriptors = descriptors
        else:
            self.type, self.descriptors = _item_type(self.items)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.items, self.type, self.descriptors)

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, index: int) -> Value:
        return self.items[index]

    def __iter__(self) -> Iterator[Value]:
        return iter(self.items)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Array) and equal(self, other)

    def __repr__(self) -> str:
        descriptors = f", {shallow_repr(self.descriptors)}" if self.descriptors else ""
        return f"Array({shallow_repr(self.items)}, {self.type!r}{descriptors})"


def _item_type(items: Any) -> tuple[str, tuple[Any, ...]]:
    """Return the type and the descriptors of the items of an array."""
    if not len(items):
        raise EncodeError("an empty array needs the name of its type")
    item: object = items[0]
    descriptors: list[Any] = []
    while True:
        known = next((DESCRIPTORS[kind] for kind in type(item).__mro__ if kind in DESCRIPTORS), None)
        if known is not None:
            descriptors.append(known[1])
            if known[0] != "*":
                return known[0], tuple(descriptors)
        elif isinstance(item, Described):
            descriptors.append(item.descriptor)
        else:
            return type_name(item), tuple(descriptors)
        item = getattr(item, "value")  # noqa: B009 - of ``Described``, and of every restricted type


def type_name(value: object) -> str:
    """Return the name of the AMQP type that a value is encoded as; EncodeError if there is none."""
    for base in type(value).__mro__:
        if base in TYPE_NAMES:
            return TYPE_NAMES[base]
    raise EncodeError(f"there is no AMQP type for {type(value).__name__}")


def with_article(name: str) -> str:
    """Return the name of a type with its article: ``a uint``, ``an address``."""
    return f"an {name}" if name[:1] in "aeio" else f"a {name}"


class Map(OwnValue):
    """A map that no ``dict`` can hold: a key is unhashable, or Python considers two keys equal.

    In AMQP the ulong 1, the int 1 and true are different, and any value may be a key. It is also used for a map
    with so many keys of one hash that a ``dict`` would be slow, which is an attack.

    Attributes:
        pairs: Keys with their values, in order.
    """

    __slots__ = ("pairs",)

    def __init__(self, pairs: Iterable[tuple[Value, Value]] = ()) -> None:
        self.pairs = list(pairs)

    def __len__(self) -> int:
        return len(self.pairs)

    def __iter__(self) -> Iterator[tuple[Value, Value]]:
        return iter(self.pairs)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Map) and equal(self, other)

    def __repr__(self) -> str:
        return f"Map({shallow_repr(self.pairs)})"


def shallow_repr(value: object) -> str:
    """Return the ``repr`` of what a container holds; dots if it is nested deeper than the call stack allows."""
    try:
        return repr(value)
    except RecursionError:
        return "..."


def equal(left: Any, right: Any) -> bool:
    """Return whether two containers are equal. What they hold is compared without recursion, however deep it is."""
    pairs: list[tuple[Any, Any]] = [(left, right)]
    while pairs:
        left, right = pairs.pop()
        if left is right:
            continue
        has_one_type = type(left) is type(right)
        if isinstance(left, Described) and isinstance(right, Described):
            pairs += [(left.descriptor, right.descriptor), (left.value, right.value)]
        elif isinstance(left, Array) and isinstance(right, Array):
            if left.type != right.type:
                return False
            pairs += [(left.descriptors, right.descriptors), (list(left.items), list(right.items))]
        elif isinstance(left, Map) and isinstance(right, Map):
            pairs.append((left.pairs, right.pairs))
        elif has_one_type and isinstance(left, (list, tuple)):
            items = cast("Sequence[Any]", left)
            if len(items) != len(right):
                return False
            pairs += zip(items, right, strict=True)
        elif has_one_type and _is_dictionary(left):
            values = _values_by_key(left, right)
            if values is None:
                return False
            pairs += values
        elif left != right:
            return False
    return True


def _is_dictionary(value: object) -> bool:
    return type(value) is dict


def _values_by_key(left: Any, right: Any) -> list[tuple[Any, Any]] | None:
    """Return the values that two dictionaries have for each key; None if their keys differ."""
    return [(left[key], right[key]) for key in left] if left.keys() == right.keys() else None
