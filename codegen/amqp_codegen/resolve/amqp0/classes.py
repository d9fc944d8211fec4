"""Classes and methods: directions, replies, and names that do not clash.

Fields and content properties: types resolved, attributes named, flags counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ...model.amqp0.raw import RawChassis, RawClass, RawField, RawMethod, RawSpec
from ...model.amqp0.spec import Chassis, Class, Domain, Field, Method, Property, WireType
from ...model.problem import Problem
from ...support.wording import quote
from ..names import (
    bad_name,
    class_name,
    distinct,
    duplicates,
    identifier,
    normalise,
    show,
    suggest,
    unique_local,
)
from .domains import undefined_domain
from .reserved_names import CLASSES, LOCALS, METHOD_ATTRIBUTES, MODULES, free_name, is_reserved_local
from .rules import bounds_of_properties, resolve_asserts, resolve_bounds, resolve_rules

PROPERTIES_PER_WORD = 15

Aliases = Mapping[str, tuple[str, ...]]


def resolve_fields(
    raw: Sequence[RawField],
    owner: str,
    domains: Mapping[str, Domain],
    constants: frozenset[str],
    aliases: Aliases,
) -> tuple[list[Field], list[Problem]]:
    """The fields of a method, or the properties of a class.

    Args:
        raw: As read.
        owner: The path of the method (``queue.declare``), or ``basic.properties``.
        domains: All domains by normalised name.
        constants: The normalised names of all constants.
        aliases: Field path, or bare field name, to alias names.
    """
    problems = duplicates(
        raw,
        lambda entry: normalise(entry.name),
        lambda entry: entry.position,
        "name",
        "duplicate-field",
        lambda entry: f"field {entry.name!r}",
    )
    fields = []
    locals_taken = set(LOCALS)
    for entry in raw:
        name = identifier(entry.name)
        if not name:
            problems.append(bad_name("field", entry.name, entry.position))
            continue
        name = free_name(name, METHOD_ATTRIBUTES)
        type_name = normalise(entry.type or entry.domain)
        domain = domains.get(type_name)
        if domain is None:
            problems.append(
                undefined_domain(type_name, list(domains), f"field {entry.name!r}", entry.position)
            )
            continue
        path = f"{owner}.{normalise(entry.name)}"
        rules, found = resolve_rules(entry.rules, path, constants)
        problems += found
        asserts, found = resolve_asserts(entry.asserts, domain.type, "field")
        problems += found
        fields.append(
            Field(
                name=normalise(entry.name),
                identifier=name,
                local=unique_local(f"the_{name}" if is_reserved_local(name) else name, locals_taken),
                aliases=aliases.get(path, ()) + aliases.get(normalise(entry.name), ()),
                domain=normalise(entry.domain),
                type=domain.type,
                reserved=entry.reserved,
                label=entry.label or domain.label,
                doc=entry.doc or domain.doc,
                asserts=domain.asserts + tuple(asserts),
                rules=tuple(rules),
                position=entry.position,
            )
        )
    problems += duplicates(
        distinct(fields, lambda entry: entry.name),
        lambda entry: entry.identifier,
        lambda entry: entry.position,
        "Python name",
        "name-collision",
        lambda entry: f"field {entry.name!r}",
    )
    return [_without_clashing_aliases(field, fields) for field in fields], problems


def _without_clashing_aliases(field: Field, fields: Sequence[Field]) -> Field:
    """An alias never hides a real field: RabbitMQ's overlay turns ``reserved-2`` into ``auto-delete``."""
    taken = {each.identifier for each in fields} | METHOD_ATTRIBUTES
    kept = tuple(alias for alias in field.aliases if alias not in taken)
    if kept == field.aliases:
        return field
    return replace(field, aliases=kept)


def resolve_properties(fields: Sequence[Field]) -> tuple[list[Property], list[Problem]]:
    """The properties with their flags: fifteen a word, highest bit first; bit 0 says that a word follows."""
    problems = [
        Problem("property-type", f"property {field.name!r} cannot be of the type content", field.position)
        for field in fields
        if field.type is WireType.CONTENT
    ]
    properties = [
        Property(field, index // PROPERTIES_PER_WORD, 0x8000 >> index % PROPERTIES_PER_WORD)
        for index, field in enumerate(fields)
    ]
    return properties, problems


_OPPOSITE = {"client": "server", "server": "client"}


def resolve_classes(
    raw: RawSpec, domains: Mapping[str, Domain], constants: frozenset[str], aliases: Aliases
) -> tuple[list[Class], list[Problem]]:
    """Every class with its methods and properties; problems for clashes and dangling references."""
    problems = _duplicate_classes(raw.classes)
    classes = []
    for entry in raw.classes:
        name = identifier(entry.name)
        if not name:
            problems.append(bad_name("class", entry.name, entry.position))
            continue
        resolved, found = _resolve_class(entry, domains, constants, aliases)
        problems += found
        classes.append(resolved)
    methods = [method for each in classes for method in each.methods]
    problems += duplicates(
        distinct(methods, lambda method: method.full_name),
        lambda method: method.class_name,
        lambda method: method.position,
        "Python name",
        "name-collision",
        lambda method: f"method {method.full_name!r}",
    )
    problems += duplicates(
        distinct(classes, lambda entry: entry.name),
        lambda entry: entry.identifier,
        lambda entry: entry.position,
        "Python name",
        "name-collision",
        lambda entry: f"class {entry.name!r}",
    )
    return classes, problems + _hidden_names(classes)


def _hidden_names(classes: Sequence[Class]) -> list[Problem]:
    """Methods and property sets that would hide a class that every package has."""
    named = [
        *(
            (f"method {each.full_name!r}", each.class_name, each.position)
            for one in classes
            for each in one.methods
        ),
        *(
            (f"class {each.name!r}", f"{each.class_name}Properties", each.position)
            for each in classes
            if each.has_content
        ),
    ]
    return [
        Problem("name-collision", f"{what} would hide {name!r} of the generated package", position)
        for what, name, position in named
        if name in CLASSES
    ]


def _duplicate_classes(raw: Sequence[RawClass]) -> list[Problem]:
    problems = duplicates(
        raw,
        lambda entry: normalise(entry.name),
        lambda entry: entry.position,
        "name",
        "duplicate-class",
        lambda entry: f"class {entry.name!r}",
    )
    return problems + duplicates(
        raw,
        lambda entry: entry.index,
        lambda entry: entry.position,
        "index",
        "duplicate-index",
        lambda entry: f"class {entry.name!r} ({entry.index})",
    )


def _resolve_class(
    raw: RawClass, domains: Mapping[str, Domain], constants: frozenset[str], aliases: Aliases
) -> tuple[Class, list[Problem]]:
    name = normalise(raw.name)
    rules, problems = resolve_rules(raw.rules, name, constants)
    fields, found = resolve_fields(raw.fields, f"{name}.properties", domains, constants, aliases)
    problems += found
    properties, found = resolve_properties(fields)
    problems += found
    problems += duplicates(
        raw.methods,
        lambda method: normalise(method.name),
        lambda method: method.position,
        "name",
        "duplicate-method",
        lambda method: f"method {quote(method.name)}",
    )
    problems += duplicates(
        raw.methods,
        lambda method: method.index,
        lambda method: method.position,
        "index",
        "duplicate-index",
        lambda method: f"method {show(raw.name)}.{show(method.name)} ({method.index})",
    )
    known = {normalise(method.name): method for method in raw.methods}
    methods = []
    for entry in raw.methods:
        method, found = _resolve_method(entry, raw, known, domains, constants, aliases)
        problems += found
        if method is not None:
            methods.append(method)
    methods, found = resolve_bounds(methods)
    problems += found
    problems += bounds_of_properties(fields)
    resolved = Class(
        name=name,
        identifier=free_name(identifier(raw.name), MODULES),
        class_name=class_name(raw.name),
        index=raw.index,
        handler=normalise(raw.handler),
        grammars=raw.grammars,
        chassis=tuple(Chassis(each.name, each.implement) for each in raw.chassis),
        properties=tuple(properties),
        methods=tuple(methods),
        label=raw.label,
        doc=raw.doc,
        rules=tuple(rules),
        position=raw.position,
        productions=raw.productions,
    )
    return resolved, problems


def _resolve_method(
    raw: RawMethod,
    owner: RawClass,
    known: Mapping[str, RawMethod],
    domains: Mapping[str, Domain],
    constants: frozenset[str],
    aliases: Aliases,
) -> tuple[Method | None, list[Problem]]:
    if not identifier(raw.name):
        return None, [bad_name("method", raw.name, raw.position)]
    name = normalise(raw.name)
    path = f"{normalise(owner.name)}.{name}"
    rules, problems = resolve_rules(raw.rules, path, constants)
    fields, found = resolve_fields(raw.fields, path, domains, constants, aliases)
    problems += found
    for response in raw.responses:
        if normalise(response.name) not in known:
            problems.append(
                Problem(
                    "dangling-response",
                    f"method {path!r} names the response {response.name!r}, which class {owner.name!r} does not have",
                    response.position,
                    suggest(response.name, known),
                )
            )
    method = Method(
        name=name,
        full_name=path,
        class_name=class_name(owner.name, raw.name),
        function_name=f"{normalise(owner.name)}_{name}".replace("-", "_"),
        class_index=owner.index,
        index=raw.index,
        synchronous=raw.synchronous,
        has_content=raw.content,
        deprecated=raw.deprecated,
        chassis=tuple(Chassis(each.name, each.implement) for each in raw.chassis),
        sent_by=_senders(raw.chassis),
        responses=tuple(class_name(owner.name, response.name) for response in raw.responses),
        fields=tuple(fields),
        label=raw.label,
        doc=raw.doc,
        rules=tuple(rules),
        position=raw.position,
    )
    return method, problems


def _senders(chassis: Sequence[RawChassis]) -> tuple[str, ...]:
    """Who sends a method: ``<chassis name="server">`` says that the server must accept it."""
    senders = {_OPPOSITE[each.name] for each in chassis if each.name in _OPPOSITE}
    return tuple(sorted(senders))
