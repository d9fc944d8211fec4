"""The pass for domains: each is resolved to an elementary type, whether or not the file declares it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...model.amqp0.field_types import WIRE_TYPES, WireType
from ...model.amqp0.raw import RawDomain, RawSpec
from ...model.amqp0.spec import Domain
from ...model.problem import Position, Problem, Problems
from ..names import bad_name, class_name, collisions, identifier, normalise, repeated_names, show, suggest
from .reserved_names import DOMAINS, free_name
from .rules import resolve_asserts, resolve_rules


def resolve_domains(raw: RawSpec, constants: frozenset[str], problems: Problems) -> dict[str, Domain]:
    """Return every domain that fields may name, by normalised name.

    Elementary types are domains too. 0-8 declares none of them, 0-9 and 0-9-1 all but ``content``, which
    0-9 uses. Undeclared ones are added if a field uses them.
    """
    problems.extend(repeated_names("duplicate-domain", raw.domains))
    declared = {normalise(entry.name): entry for entry in raw.domains}
    types = _wire_types(declared, problems)
    domains: dict[str, Domain] = {}
    for name, entry in declared.items():
        if not identifier(entry.name):
            problems.add(bad_name("domain", entry.name, entry.position))
            continue
        rules = resolve_rules(entry.rules, name, constants, problems)
        asserts = resolve_asserts(entry.asserts, types.get(name), f"domain {name}", problems)
        domains[name] = Domain(
            name=name,
            identifier=identifier(entry.name),
            class_name=free_name(class_name(entry.name), DOMAINS),
            type=types.get(name, WireType.OCTET),
            declared=True,
            label=entry.label,
            doc=entry.doc,
            asserts=tuple(asserts),
            rules=tuple(rules),
            position=entry.position,
        )
    for name in _used_names(raw):
        if name not in domains and name in WIRE_TYPES:
            domains[name] = _undeclared(WIRE_TYPES[name], raw.position)
    problems.extend(collisions("domain", domains.values(), lambda domain: domain.class_name))
    return domains


def _wire_types(declared: Mapping[str, RawDomain], problems: Problems) -> dict[str, WireType]:
    """Return the elementary type of each domain that has one; a domain named like one is that type.

    A cycle is one problem, at its first domain; an undefined type is a problem at the domain that names it.
    """
    types: dict[str, WireType] = {}
    settled: set[str] = set()
    for start in declared:
        chain: dict[str, None] = {}
        name = start
        while name in declared and name not in settled and name not in chain:
            chain[name] = None
            target = normalise(declared[name].type)
            if target in WIRE_TYPES and (target == name or target not in declared):
                types[name] = WIRE_TYPES[target]
                break
            if target not in declared:
                problems.add(_undefined_type(declared[name], target, declared))
                break
            name = target
        else:
            if name in chain:
                problems.add(_cycle(list(chain), name, declared))
        for link in reversed(chain):
            target = normalise(declared[link].type)
            if link not in types and target in types:
                types[link] = types[target]
        settled.update(chain)
    return types


def _undefined_type(entry: RawDomain, target: str, declared: Mapping[str, RawDomain]) -> Problem:
    message = f"domain {entry.name!r} has the type {target!r}, which is not defined"
    return Problem("undefined-domain", message, entry.position, suggest(target, [*declared, *WIRE_TYPES]))


def _cycle(chain: Sequence[str], repeated: str, declared: Mapping[str, RawDomain]) -> Problem:
    cycle = chain[chain.index(repeated) :]
    text = " -> ".join(map(show, [*cycle, repeated]))
    entry = declared[repeated]
    return Problem("cyclic-domain", f"domain {entry.name!r} never ends: {text}", entry.position)


def _used_names(raw: RawSpec) -> list[str]:
    fields = [field for entry in raw.classes for field in entry.fields]
    fields += [field for entry in raw.classes for method in entry.methods for field in method.fields]
    used = {normalise(field.type or field.domain) for field in fields}
    return [name for name in WIRE_TYPES if name in used]


def _undeclared(elementary: WireType, position: Position) -> Domain:
    name = elementary.value
    return Domain(name, identifier(name), class_name(name), elementary, False, "", "", (), (), position)


def undefined_domain(name: str, known: Sequence[str], what: str, position: Position) -> Problem:
    """Return the problem of a field whose type or domain is undefined."""
    return Problem(
        "undefined-domain",
        f"{what} has the type {name!r}, which is not defined",
        position,
        suggest(name, known),
    )
