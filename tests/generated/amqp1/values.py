"""Values of every type, by hypothesis; and what it means that two of them are the same."""

from __future__ import annotations

import struct
from typing import Any

from amqp_1_0.described import CLASSES
from hypothesis import strategies as st

from .packages import amqp
from .reference_writer import write

types = amqp.types


def integers(kind: Any, low: int, high: int) -> st.SearchStrategy[Any]:
    """All of a range, and often its edges and those of the shorter forms."""
    edges = {low, low + 1, -129, -128, -1, 0, 1, 127, 128, 255, 256, high - 1, high}
    inside = sorted(edge for edge in edges if low <= edge <= high)
    return st.one_of(st.sampled_from(inside), st.integers(low, high)).map(kind)


def patterns(kind: Any) -> st.SearchStrategy[Any]:
    """Decimals of any bits."""
    return st.integers(0, 2 ** (8 * kind.LAYOUT.octets) - 1).map(lambda bits: kind(bits=bits))


def sized(strategy: st.SearchStrategy[Any], unit: Any) -> st.SearchStrategy[Any]:
    """Mostly short ones, and lengths at the edge of the shorter form."""
    return st.one_of(strategy, st.sampled_from([unit * 255, unit * 256]))


SYMBOLS = st.text(st.characters(max_codepoint=127), max_size=12)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)

# By the name of the type.
SCALARS: dict[str, st.SearchStrategy[Any]] = {
    "null": st.none(),
    "boolean": st.booleans(),
    "ubyte": integers(types.UByte, 0, 2**8 - 1),
    "ushort": integers(types.UShort, 0, 2**16 - 1),
    "uint": integers(types.UInt, 0, 2**32 - 1),
    "ulong": integers(types.ULong, 0, 2**64 - 1),
    "byte": integers(types.Byte, -(2**7), 2**7 - 1),
    "short": integers(types.Short, -(2**15), 2**15 - 1),
    "int": integers(types.Int, -(2**31), 2**31 - 1),
    "long": integers(int, -(2**63), 2**63 - 1),
    "float": st.floats(width=32).map(types.Float),
    "double": st.floats(),
    "decimal32": patterns(types.Decimal32),
    "decimal64": patterns(types.Decimal64),
    "decimal128": patterns(types.Decimal128),
    "char": st.characters(exclude_categories=["Cs"]).map(types.Char),
    "timestamp": integers(types.Timestamp, -(2**63), 2**63 - 1),
    "uuid": st.uuids(),
    "binary": sized(st.binary(max_size=12), b"\xff"),
    "string": sized(TEXTS, "x"),
    "symbol": sized(SYMBOLS, "s").map(types.Symbol),
}
ANY_SCALAR = st.one_of(list(SCALARS.values()))

# Descriptors that no type of the specification has; others than numbers and symbols are reserved.
DESCRIPTORS = st.one_of(
    SCALARS["ulong"].filter(lambda code: code not in CLASSES),
    SCALARS["symbol"].filter(lambda name: name not in CLASSES),
    TEXTS,
    SCALARS["int"],
)


def map_of(pairs: list[tuple[Any, Any]]) -> Any:
    """A map of the pairs whose keys have different octets: a dict if there is one."""
    different = list({write(key): (key, value) for key, value in pairs}.values())
    try:
        found = dict(different)
    except TypeError:
        return amqp.Map(different)
    return found if len(found) == len(different) else amqp.Map(different)


def maps(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Maps whose keys are all strings, all symbols, of any type, or nested themselves."""
    keys = [TEXTS, SYMBOLS.map(types.Symbol), ANY_SCALAR, values]
    return st.one_of([st.lists(st.tuples(key, values), max_size=4).map(map_of) for key in keys])


def compounds(values: st.SearchStrategy[Any]) -> dict[str, st.SearchStrategy[Any]]:
    """By the name of the type."""
    return {"list": st.lists(values, max_size=4), "map": maps(values), "array": arrays(values)}


@st.composite
def arrays(draw: st.DrawFn, values: st.SearchStrategy[Any]) -> Any:
    """Arrays of every type, of values with up to two descriptors."""
    kind = draw(st.sampled_from([*SCALARS, "list", "map", "array"]))
    if kind in SCALARS:
        item = SCALARS[kind]
    elif kind == "array":
        # Arrays of arrays of numbers are as deep as it takes.
        item = st.lists(SCALARS["uint"], max_size=3).map(lambda items: amqp.Array(items, "uint"))
    else:
        item = st.lists(values, max_size=3) if kind == "list" else maps(values)
    items = draw(st.lists(item, max_size=4))
    descriptors = tuple(draw(st.lists(DESCRIPTORS, max_size=2)))
    for descriptor in reversed(descriptors):
        items = [amqp.Described(descriptor, item) for item in items]
    return amqp.Array(items, kind, descriptors)


def described(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.builds(amqp.Described, DESCRIPTORS, values)


# Anything, nested in anything.
VALUES = st.recursive(
    ANY_SCALAR, lambda inner: st.one_of(*compounds(inner).values(), described(inner)), max_leaves=12
)


def identity(value: Any) -> Any:
    """What two values have in common if and only if they are the same in type and value, to the last bit."""
    kind = type(value)
    if kind is list:
        return kind, [identity(item) for item in value]
    if kind in (dict, amqp.Map):
        pairs = value.items() if kind is dict else value
        return kind, [(identity(key), identity(item)) for key, item in pairs]
    if kind is amqp.Array:
        return kind, value.type, identity(list(value.descriptors)), identity(list(value))
    if kind is amqp.Described:
        return kind, identity(value.descriptor), identity(value.value)
    if kind in (float, types.Float):
        return kind, struct.pack(">d", value)
    return kind, value


def decoded(octets: bytes, **options: Any) -> Any:
    """The value that takes up all the octets."""
    value, end = amqp.decode(octets, **options)
    assert end == len(octets)
    return value
