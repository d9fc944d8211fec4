"""Values for the fields of composites: an everyday one by the layout of the field, and any by hypothesis."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from amqp_1_0.types import Symbol, Timestamp, UInt, ULong
from hypothesis import strategies as st

from .packages import BY_NAME, amqp
from .specification import DESCRIBED

RANGES = {
    "ubyte": (0, 2**8 - 1),
    "ushort": (0, 2**16 - 1),
    "uint": (0, 2**32 - 1),
    "ulong": (0, 2**64 - 1),
}
SYMBOLS = st.text(st.characters(max_codepoint=127), max_size=300).map(Symbol)
STRINGS = st.text(max_size=300)
KEYS = st.text(st.characters(max_codepoint=127), max_size=5).map(Symbol)
SIMPLE = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.integers(0, 2**32 - 1).map(UInt),
    STRINGS,
    st.binary(max_size=20),
    SYMBOLS,
    st.uuids(),
)
MAPS = st.dictionaries(KEYS, st.one_of(SIMPLE, st.lists(SIMPLE, max_size=3)), max_size=4)


def of_primitive(kind: str) -> st.SearchStrategy[Any]:
    if kind in RANGES:
        low, high = RANGES[kind]
        return st.one_of(
            st.sampled_from([low, 1, 127, 255 if high >= 255 else high, high]), st.integers(low, high)
        )
    return {
        "boolean": st.booleans(),
        "timestamp": st.integers(-(2**63), 2**63 - 1).map(Timestamp),
        "uuid": st.uuids(),
        "binary": st.one_of(st.binary(max_size=20), st.just(b"x" * 255), st.just(b"y" * 256)),
        "string": STRINGS,
        "symbol": SYMBOLS,
        "map": MAPS,
        "list": st.lists(SIMPLE, max_size=3),
    }[kind]


def of_archetype(archetype: Any, depth: int) -> st.SearchStrategy[Any]:
    """A value of any type that provides it, and of one that nobody knows."""
    found = [
        of_described(BY_NAME[type_.name], depth - 1)
        for type_ in DESCRIBED
        if archetype.names & set(type_.provides)
    ]
    found += [of_primitive(kind) for kind in archetype.types if kind != "ulong"]
    if "ulong" in archetype.types:
        found.append(st.integers(0, 2**64 - 1).map(ULong))
    found.append(st.builds(amqp.Described, SYMBOLS.map(lambda name: Symbol(f"x:{name}")), SIMPLE))
    return st.one_of(found)


def of_field(field: Any, depth: int = 3) -> st.SearchStrategy[Any]:
    """A value other than null for a field."""
    if field.values is not None:
        item: st.SearchStrategy[Any] = st.sampled_from(sorted(field.values))
    elif field.primitive and field.archetype is not None and field.archetype.members:
        item = st.one_of(
            st.sampled_from(sorted(field.archetype.members.values())), SYMBOLS.filter(unknown_to(field))
        )
    elif field.primitive:
        item = of_primitive(field.primitive)
    elif field.archetype is not None:
        item = of_archetype(field.archetype, depth)
    elif field.type == "*":
        item = SIMPLE.filter(lambda value: value is not None)
    else:
        item = of_described(BY_NAME[field.type], depth - 1)
    return st.lists(item, min_size=1, max_size=4) if field.multiple else item


def unknown_to(field: Any) -> Any:
    return lambda symbol: symbol not in field.archetype.members


def of_composite(cls: Any, depth: int = 3) -> st.SearchStrategy[Any]:
    """A composite with some of its fields set, the mandatory ones among them."""
    required = {field.attribute: of_field(field, depth) for field in cls.FIELDS if field.mandatory}
    optional = {
        field.attribute: of_field(field, depth) for field in cls.FIELDS if not field.mandatory and depth > 0
    }
    return st.fixed_dictionaries(required, optional=optional).map(lambda values: cls(**values))


def of_described(cls: Any, depth: int = 3) -> st.SearchStrategy[Any]:
    """A value of a type with a descriptor."""
    if not cls.SOURCE:
        return of_composite(cls, depth)
    value = SIMPLE if cls.SOURCE == "*" else of_primitive(cls.SOURCE)
    return value.map(cls)


TYPICAL: dict[str, Any] = {
    "boolean": True,
    "ubyte": 7,
    "ushort": 300,
    "uint": 70_000,
    "ulong": ULong(2**40),
    "timestamp": Timestamp(1_700_000_000_123),
    "uuid": UUID(int=7),
    "binary": b"\x00\xff",
    "string": "text",
    "symbol": Symbol("a-symbol"),
    "map": {Symbol("key"): "value"},
    "list": [1, "two"],
}


def typical(field: Any) -> Any:
    """An everyday value for a field, which is not its default."""
    if field.values is not None:
        return next(value for value in sorted(field.values) if value != field.default)
    if field.primitive:
        return [TYPICAL[field.primitive]] * 2 if field.multiple else TYPICAL[field.primitive]
    if field.archetype is None:
        return "any" if field.type == "*" else filled(BY_NAME[field.type])
    if field.archetype.types:
        return TYPICAL[field.archetype.types[-1]]
    kinds = [BY_NAME[type_.name] for type_ in DESCRIBED if field.archetype.names & set(type_.provides)]
    return filled(kinds[0])


def filled(cls: Any) -> Any:
    """A composite with every field set."""
    return cls(**{field.attribute: typical(field) for field in cls.FIELDS})


def least(cls: Any) -> Any:
    """A composite with only those fields set that must be."""
    return cls(**{field.attribute: typical(field) for field in cls.FIELDS if field.mandatory})
