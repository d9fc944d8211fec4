"""The core in C, ``amqp_native``, where it is installed; without it everything works the same, slower.

The core takes only what is plain. Where it gives up, the Python code of this package reads or writes that one frame, table
or message, and raises the errors. ``AMQP_PURE=1`` in the environment keeps the core out.
"""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, Final

from ._native_module import MODULE
from ._values import Timestamp, decimal_parts
from ._wire import FIELD_OCTETS
from .dialects import Dialect

_BITS_PER_OCTET: Final = 8

# The core of this package, or None.
CORE: Final[Any] = None if MODULE is None else MODULE.Core0(Timestamp, Decimal, decimal_parts)
ACCELERATED: Final = CORE is not None


def reading(kinds: Mapping[str, str], max_depth: int, max_elements: int) -> Any:
    """Return the core's settings for reading tables; None without a core.

    Args:
        kinds: Letter to kind of value.
        max_depth: How deep tables and arrays may nest.
        max_elements: How many entries one table or array may have.
    """
    if MODULE is None:
        return None
    return MODULE.reading(dict(kinds), max_depth, min(max_elements, 0xFFFFFFFF))


def writing(dialect: Dialect, max_depth: int, max_elements: int) -> Any:
    """Return the core's settings for writing tables; None without a core, or when it cannot write the dialect."""
    if MODULE is None:
        return None
    letters = {kind: (letter, dialect.read[letter]) for kind, letter in dialect.write.items()}
    integers = tuple((letter, dialect.read[letter]) for letter in dialect.integers)
    try:
        return MODULE.writing(letters, integers, max_depth, max_elements)
    except ValueError:
        return None


def register(
    methods: Mapping[int, type[Any]],
    readers: Mapping[int, Callable[[bytes, int, int, Any], Any]],
    tables: Any,
    properties: Mapping[int, type[Any]],
    content: tuple[type[Any], type[Any], type[Any]],
) -> None:
    """Give the core the classes of this package.

    Args:
        methods: The method classes by ``KEY``.
        readers: The reader of each of them, with which a first instance is made.
        tables: The settings of reading tables for that.
        properties: The property classes by class index.
        content: The classes of content headers, content bodies and heartbeats.
    """
    if CORE is None:
        return
    for key, method in methods.items():
        octets = _empty_arguments(method.FIELDS)
        prototype = readers[key](octets, 0, len(octets), tables)
        CORE.add_method(method, prototype, _other_slots(method), key, method.HAS_CONTENT)
    for class_id, owner in properties.items():
        CORE.add_properties(owner, owner(), _other_slots(owner), class_id)
    CORE.add_content(*content)


def _empty_arguments(fields: tuple[Any, ...]) -> bytes:
    """Return the arguments of a method in which everything is zero or empty."""
    size = bits = 0
    for field in fields:
        bits = bits + 1 if field.type == "bit" else 0
        size += bits % _BITS_PER_OCTET == 1 if field.type == "bit" else FIELD_OCTETS[field.type]
    return bytes(size)


def _other_slots(owner: type[Any]) -> tuple[str, ...]:
    """Return the slots that are not fields."""
    names = {field.name for field in owner.FIELDS if not field.reserved}
    slots: list[str] = []
    for base in owner.__mro__:
        found = base.__dict__.get("__slots__", ())
        slots += [found] if isinstance(found, str) else found
    return tuple(name for name in dict.fromkeys(slots) if name not in names)
