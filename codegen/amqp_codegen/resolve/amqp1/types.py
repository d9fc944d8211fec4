"""Every type of a 1.0 specification by name, each followed through its sources to a primitive."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ...model.amqp1.raw import RawSpec, RawType
from ...model.amqp1.types import Kind, TypeReference
from ...model.problem import Position, Problem
from ..names import bad_name, duplicates, suggest
from .names import primitive_class_name, type_class_name, type_identifier

ANY = "*"
ANY_REFERENCE = TypeReference(ANY, Kind.ANY, "", "", "", False, False, "")

# The primitive types of the standard; nobody would know how to read the octets of another one.
PRIMITIVES = frozenset(
    {
        "null",
        "boolean",
        "ubyte",
        "ushort",
        "uint",
        "ulong",
        "byte",
        "short",
        "int",
        "long",
        "float",
        "double",
        "decimal32",
        "decimal64",
        "decimal128",
        "char",
        "timestamp",
        "uuid",
        "binary",
        "string",
        "symbol",
        "list",
        "map",
        "array",
    }
)
# The standard needs two; following a chain of thousands for each of its types would take forever.
_LONGEST_CHAIN = 64


@dataclass(frozen=True, slots=True)
class KnownType:
    """A type and what can be said of it without looking inside.

    Attributes:
        raw: As read.
        part: The name of its part.
        section: The name of its section.
        class_name: In Python.
        chain: Of a restricted type: the names from its source to the primitive, or ``*``. Else empty.
        primitive: The primitive that carries its values; empty where that is not known or any will do.
        choosing: The nearest type with choices, itself or one it is derived from, or empty.
        resolved: False when its chain leads nowhere, which has been reported.
    """

    raw: RawType
    part: str
    section: str
    class_name: str
    chain: tuple[str, ...]
    primitive: str
    choosing: str
    resolved: bool


Types = Mapping[str, KnownType]


def know_types(raw: RawSpec) -> tuple[dict[str, KnownType], list[Problem]]:
    """The types of all parts by name; problems for names that clash and sources that lead nowhere."""
    problems = duplicates(
        raw.types,
        lambda entry: entry.name,
        lambda entry: entry.position,
        "name",
        "duplicate-type",
        lambda entry: f"type {entry.name!r}",
    )
    declared: dict[str, RawType] = {}
    for entry in raw.types:
        declared.setdefault(entry.name, entry)
    known: dict[str, KnownType] = {}
    for part in raw.parts:
        for section in part.sections:
            for entry in section.types:
                if entry.name in known:
                    continue
                problems += _check_name(entry)
                chain, found = _chain(entry, declared)
                problems += found
                known[entry.name] = KnownType(
                    raw=entry,
                    part=part.name,
                    section=section.name,
                    class_name=_class_name(entry),
                    chain=chain or (),
                    primitive=_primitive(entry, chain or ()),
                    choosing=_choosing(entry, chain or (), declared),
                    resolved=chain is not None,
                )
    problems += duplicates(
        [entry for entry in known.values() if entry.class_name],
        lambda entry: entry.class_name,
        lambda entry: entry.raw.position,
        "Python name",
        "name-collision",
        lambda entry: f"type {entry.raw.name!r}",
    )
    return known, problems


def refer(name: str, types: Types) -> TypeReference | None:
    """The reference to a type, None if nobody defines it."""
    if name == ANY:
        return ANY_REFERENCE
    known = types.get(name)
    if known is None:
        return None
    choosing = types.get(known.choosing)
    return TypeReference(
        name=name,
        kind=Kind(known.raw.type_class),
        class_name=known.class_name,
        primitive=known.primitive,
        enumeration=choosing.class_name if choosing else "",
        open=choosing is not None and is_open(choosing),
        described=bool(known.raw.descriptors),
        part=known.part,
    )


def is_open(known: KnownType) -> bool:
    """Whether a type with choices may have other values as well.

    The standard says that choices are all the values there are (1.1.4). But where a field takes any
    symbol that provides an archetype, others may define types that provide it, too: error conditions,
    capabilities, distribution modes. A peer that sends such a symbol of tomorrow is right. So a type over
    symbols that provides an archetype has known values besides unknown ones; any other has only its choices.
    """
    return known.primitive == "symbol" and bool(known.raw.provides)


def undefined_type(what: str, name: str, known: Iterable[str], position: Position) -> Problem:
    """The problem of a type that nobody defines; ``what`` has it as its type or source."""
    hint = suggest(name, known)
    if name in PRIMITIVES:
        hint = "it is in the part 'types', which is not among the files"
    return Problem("undefined-type", f"{what} {name!r}, which is not defined", position, hint)


def _check_name(entry: RawType) -> list[Problem]:
    if entry.type_class == "primitive":
        if entry.name in PRIMITIVES:
            return []
        message = f"primitive type {entry.name!r} is none of the {len(PRIMITIVES)} of AMQP 1.0"
        hint = suggest(entry.name, PRIMITIVES) or "make it a restricted or composite type"
        return [Problem("unsupported-primitive", message, entry.position, hint)]
    return [] if type_identifier(entry.name) else [bad_name("type", entry.name, entry.position)]


def _class_name(entry: RawType) -> str:
    if not type_identifier(entry.name):
        return ""
    return (
        primitive_class_name(entry.name) if entry.type_class == "primitive" else type_class_name(entry.name)
    )


def _primitive(entry: RawType, chain: tuple[str, ...]) -> str:
    if entry.type_class == "restricted":
        return chain[-1] if chain and chain[-1] != ANY else ""
    return {"primitive": entry.name, "composite": entry.source}.get(entry.type_class, "")


def _choosing(entry: RawType, chain: tuple[str, ...], declared: Mapping[str, RawType]) -> str:
    found = (name for name in (entry.name, *chain) if name in declared and declared[name].choices)
    return next(found, "")


def _chain(entry: RawType, declared: Mapping[str, RawType]) -> tuple[tuple[str, ...] | None, list[Problem]]:
    """Follows a restricted type to its primitive; None if the way ends elsewhere.

    What is wrong with a source is reported of the type that names it, not of all that build on that.
    """
    if entry.type_class == "composite" and entry.source not in declared:
        return None, [_no_source(entry, declared)]
    if entry.type_class != "restricted":
        return (), []
    chain: list[str] = []
    last, target = entry, entry.source
    while target != ANY:
        if target in (entry.name, *chain):
            path = " -> ".join([entry.name, *chain, target])
            message = f"type {entry.name!r} never ends: {repr(path)[1:-1]}"
            return None, [Problem("cyclic-type", message, entry.position)] if target == entry.name else []
        source = declared.get(target)
        problem = _bad_source(last, source) if source else _no_source(last, declared)
        if source is None or problem is not None:
            return None, [problem] if problem is not None and last is entry else []
        if len(chain) == _LONGEST_CHAIN:
            message = f"type {entry.name!r} is derived over more than {_LONGEST_CHAIN} others"
            return None, [Problem("too-deep-type", message, entry.position)]
        chain.append(target)
        if source.type_class == "primitive":
            return tuple(chain), []
        last, target = source, source.source
    return (*chain, ANY), []


def _no_source(entry: RawType, declared: Mapping[str, RawType]) -> Problem:
    return undefined_type(f"type {entry.name!r} has the source", entry.source, declared, entry.position)


def _bad_source(entry: RawType, source: RawType) -> Problem | None:
    """A type can only be derived from one whose values are read as its primitive is."""
    if source.type_class in ("composite", "union"):
        message = f"type {entry.name!r} is derived from the {source.type_class} type {source.name!r}"
    elif source.descriptors:
        message = f"type {entry.name!r} is derived from {source.name!r}, which has a descriptor"
    else:
        return None
    hint = "only primitive types and restricted types without descriptors can be restricted"
    return Problem("unsupported-source", f"{message}; that is not supported", entry.position, hint)
