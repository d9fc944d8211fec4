"""The pass that finds every type by name, and follows its sources to a primitive."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ...model.amqp1.primitive_types import PRIMITIVE_TYPES
from ...model.amqp1.raw import RawSpec, RawType
from ...model.amqp1.types import Kind, TypeReference
from ...model.problem import Position, Problem, Problems
from ..names import bad_name, collisions, repeated_names, suggest
from .names import primitive_class_name, type_class_name, type_identifier

ANY = "*"
ANY_REFERENCE = TypeReference(ANY, Kind.ANY, "", "", "", False, False, "")

# The primitive types of the standard; the encoding of any other would be unknown.
PRIMITIVES = frozenset(PRIMITIVE_TYPES)
# The standard needs two; following chains of thousands of types would take too long.
_LONGEST_CHAIN = 64


@dataclass(frozen=True, slots=True)
class KnownType:
    """A type, and the facts about it that do not depend on its content.

    Attributes:
        raw: The raw type.
        part: The name of its part.
        section: The name of its section.
        class_name: In Python.
        chain: For a restricted type, the names from its source to the primitive, or ``*``; else empty.
        primitive: The primitive that carries its values; empty if it is unknown, or may be any.
        choosing: The nearest type with choices, itself or one it is derived from, or empty.
        resolved: False if its chain is broken, which has been reported.
    """

    raw: RawType
    part: str
    section: str
    class_name: str
    chain: tuple[str, ...]
    primitive: str
    choosing: str
    resolved: bool

    @property
    def name(self) -> str:
        """The name of the type."""
        return self.raw.name

    @property
    def position(self) -> Position:
        """The position of the type."""
        return self.raw.position


Types = Mapping[str, KnownType]


def know_types(raw: RawSpec, problems: Problems) -> dict[str, KnownType]:
    """Return the types of all parts by name; problems are names that clash and bad sources."""
    problems.extend(repeated_names("duplicate-type", raw.types, str))
    declared: dict[str, RawType] = {}
    for entry in raw.types:
        declared.setdefault(entry.name, entry)
    known: dict[str, KnownType] = {}
    for part in raw.parts:
        for section in part.sections:
            for entry in section.types:
                if entry.name in known:
                    continue
                _check_name(entry, problems)
                chain = _chain(entry, declared, problems)
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
    named = [entry for entry in known.values() if entry.class_name]
    problems.extend(collisions("type", named, lambda entry: entry.class_name))
    return known


def refer(name: str, types: Types) -> TypeReference | None:
    """Return the reference to a type, None if it is undefined."""
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
    """Return whether a type with choices may have other values as well.

    By the standard, choices are the only values (1.1.4). But if a field takes any symbol that provides an
    archetype, other specifications may define types that provide it: error conditions, capabilities,
    distribution modes. A peer may send such a symbol. So a symbol type that provides an archetype may have
    unknown values; any other type has only its choices.
    """
    return known.primitive == "symbol" and bool(known.raw.provides)


def undefined_type(what: str, name: str, known: Iterable[str], position: Position) -> Problem:
    """Return the problem of an undefined type; ``what`` is the element that names it."""
    hint = suggest(name, known)
    if name in PRIMITIVES:
        hint = "it is in the part 'types', which is not among the files: name 1.0 beside them"
    return Problem("undefined-type", f"{what} {name!r}, which is not defined", position, hint)


def _check_name(entry: RawType, problems: Problems) -> None:
    if entry.type_class == "primitive":
        if entry.name not in PRIMITIVES:
            message = f"primitive type {entry.name!r} is none of the {len(PRIMITIVES)} of AMQP 1.0"
            hint = suggest(entry.name, PRIMITIVES) or "make it a restricted or composite type"
            problems.add(Problem("unsupported-primitive", message, entry.position, hint))
    elif not type_identifier(entry.name):
        problems.add(bad_name("type", entry.name, entry.position))


def _class_name(entry: RawType) -> str:
    if not type_identifier(entry.name):
        return ""
    if entry.type_class == "primitive":
        return primitive_class_name(entry.name)
    return type_class_name(entry.name, entry.provides)


def _primitive(entry: RawType, chain: tuple[str, ...]) -> str:
    if entry.type_class == "restricted":
        return chain[-1] if chain and chain[-1] != ANY else ""
    return {"primitive": entry.name, "composite": entry.source}.get(entry.type_class, "")


def _choosing(entry: RawType, chain: tuple[str, ...], declared: Mapping[str, RawType]) -> str:
    found = (name for name in (entry.name, *chain) if name in declared and declared[name].choices)
    return next(found, "")


def _chain(entry: RawType, declared: Mapping[str, RawType], problems: Problems) -> tuple[str, ...] | None:
    """Follow a restricted type to its primitive; None if the chain is broken.

    A bad source is reported once, at the type that names it, not at the types derived from that.
    """
    if entry.type_class == "composite" and entry.source not in declared:
        problems.add(_no_source(entry, declared))
        return None
    if entry.type_class != "restricted":
        return ()
    chain: list[str] = []
    last, target = entry, entry.source
    while target != ANY:
        if target in (entry.name, *chain):
            if target == entry.name:
                path = " -> ".join([entry.name, *chain, target])
                message = f"type {entry.name!r} never ends: {repr(path)[1:-1]}"
                problems.add(Problem("cyclic-type", message, entry.position))
            return None
        source = declared.get(target)
        problem = _bad_source(last, source) if source else _no_source(last, declared)
        if source is None or problem is not None:
            if problem is not None and last is entry:
                problems.add(problem)
            return None
        if len(chain) == _LONGEST_CHAIN:
            message = f"type {entry.name!r} is derived over more than {_LONGEST_CHAIN} others"
            problems.add(Problem("too-deep-type", message, entry.position))
            return None
        chain.append(target)
        if source.type_class == "primitive":
            return tuple(chain)
        last, target = source, source.source
    return (*chain, ANY)


def _no_source(entry: RawType, declared: Mapping[str, RawType]) -> Problem:
    return undefined_type(f"type {entry.name!r} has the source", entry.source, declared, entry.position)


def _bad_source(entry: RawType, source: RawType) -> Problem | None:
    """Return the problem of a source whose values are not encoded as its primitive, or None."""
    if source.type_class in ("composite", "union"):
        message = f"type {entry.name!r} is derived from the {source.type_class} type {source.name!r}"
    elif source.descriptors:
        message = f"type {entry.name!r} is derived from {source.name!r}, which has a descriptor"
    else:
        return None
    hint = "only primitive types and restricted types without descriptors can be restricted"
    return Problem("unsupported-source", f"{message}; that is not supported", entry.position, hint)
