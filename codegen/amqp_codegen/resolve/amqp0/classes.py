"""The passes for classes, methods, fields and content properties, and the names they refer to."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ...model.amqp0.class_grammar import OPPOSITE
from ...model.amqp0.field_types import WireType
from ...model.amqp0.raw import RawChassis, RawClass, RawField, RawMethod
from ...model.amqp0.spec import Chassis, Class, Domain, Field, Method, Property
from ...model.amqp0.wire import FieldDefault
from ...model.problem import Problem, Problems
from ..names import (
    LONGEST_FILE_NAME,
    bad_name,
    class_name,
    collisions,
    distinct,
    duplicates,
    identifier,
    normalise,
    repeated_names,
    show,
    suggest,
    unique_local,
)
from .defaults import resolve_default, unknown_defaults
from .domains import undefined_domain
from .reserved_names import CLASSES, LOCALS, METHOD_ATTRIBUTES, MODULES, free_name, is_reserved_local
from .rules import bounds_of_properties, resolve_asserts, resolve_bounds, resolve_rules

Aliases = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class KnownNames:
    """The known names of a specification.

    Attributes:
        domains: By normalised name.
        constants: The normalised names of all constants.
        aliases: Field path, or bare field name, to alias names.
        defaults: Field path to its default.
        required: The paths of fields without a default; ``*`` stands for any class.
        text: The paths of long strings that are text.
        senders: Method to the peer that sends it, where its chassis names the wrong one.
    """

    domains: Mapping[str, Domain]
    constants: frozenset[str]
    aliases: Aliases
    defaults: Mapping[str, FieldDefault]
    required: frozenset[str]
    text: frozenset[str] = frozenset()
    senders: Mapping[str, str] = dataclasses.field(default_factory=dict)


PROPERTIES_PER_WORD = 15


def resolve_fields(raw: Sequence[RawField], owner: str, names: KnownNames, problems: Problems) -> list[Field]:
    """Resolve the fields of a method, or the properties of a class.

    Problems are names that repeat or clash, unknown domains, and those of rules and asserts. ``owner`` is the
    path of the method (``queue.declare``), or ``basic.properties``.
    """
    problems.extend(repeated_names("duplicate-field", raw))
    fields = []
    locals_taken = set(LOCALS)
    for entry in raw:
        name = identifier(entry.name)
        if not name:
            problems.add(bad_name("field", entry.name, entry.position))
            continue
        name = free_name(name, METHOD_ATTRIBUTES)
        type_name = normalise(entry.type or entry.domain)
        domain = names.domains.get(type_name)
        if domain is None:
            what = f"field {entry.name!r}"
            problems.add(undefined_domain(type_name, list(names.domains), what, entry.position))
            continue
        path = f"{owner}.{normalise(entry.name)}"
        rules = resolve_rules(entry.rules, path, names.constants, problems)
        asserts = resolve_asserts(entry.asserts, domain.type, "field", problems)
        fields.append(
            Field(
                name=normalise(entry.name),
                identifier=name,
                local=unique_local(f"the_{name}" if is_reserved_local(name) else name, locals_taken),
                aliases=names.aliases.get(path, ()) + names.aliases.get(normalise(entry.name), ()),
                domain=normalise(entry.domain),
                type=domain.type,
                reserved=entry.reserved,
                label=entry.label or domain.label,
                doc=entry.doc or domain.doc,
                asserts=domain.asserts + tuple(asserts),
                rules=tuple(rules),
                position=entry.position,
                default=resolve_default(names.defaults.get(path), path, domain.type, problems),
                is_text=domain.type is WireType.LONGSTR and path in names.text,
            )
        )
    problems.extend(collisions("field", fields, lambda entry: entry.identifier))
    problems.extend(unknown_defaults(owner, fields, names.defaults))
    fields = [_without_clashing_aliases(field, fields) for field in fields]
    return _with_required(fields, owner, names.required)


def _with_required(fields: Sequence[Field], owner: str, required: frozenset[str]) -> list[Field]:
    """Mark the fields without a default; after one that has a default, Python allows no more of them."""
    any_class = f"*.{owner.partition('.')[2]}"
    marked = []
    is_leading = True
    for field in fields:
        is_required = not required.isdisjoint((f"{owner}.{field.name}", f"{any_class}.{field.name}"))
        is_leading = is_leading and (field.reserved or is_required)
        marked.append(replace(field, required=is_leading and not field.reserved))
    return marked


def _without_clashing_aliases(field: Field, fields: Sequence[Field]) -> Field:
    """Remove aliases that would hide a real field: RabbitMQ's overlay renames ``reserved-2`` to ``auto-delete``."""
    taken = {field.identifier for field in fields} | METHOD_ATTRIBUTES
    kept = tuple(alias for alias in field.aliases if alias not in taken)
    if kept == field.aliases:
        return field
    return replace(field, aliases=kept)


def resolve_properties(fields: Sequence[Field], problems: Problems) -> list[Property]:
    """Assign the property flags: fifteen in a word, highest bit first; bit 0 says that another word follows."""
    problems.extend(
        Problem("property-type", f"property {field.name!r} cannot be of the type content", field.position)
        for field in fields
        if field.type is WireType.CONTENT
    )
    return [
        Property(field, index // PROPERTIES_PER_WORD, 0x8000 >> index % PROPERTIES_PER_WORD)
        for index, field in enumerate(fields)
    ]


def resolve_classes(raw: Sequence[RawClass], names: KnownNames, problems: Problems) -> list[Class]:
    """Resolve classes, methods and properties; problems are clashes and dangling references."""
    problems.extend(repeated_names("duplicate-class", raw))
    problems.extend(
        duplicates(
            raw,
            "index",
            lambda entry: entry.index,
            "duplicate-index",
            lambda entry: f"class {entry.name!r} ({entry.index})",
        )
    )
    classes = []
    for entry in raw:
        if 0 < len(identifier(entry.name)) <= LONGEST_FILE_NAME:
            classes.append(_resolve_class(entry, names, problems))
        else:
            problems.add(bad_name("class", entry.name, entry.position))
    methods = [method for class_ in classes for method in class_.methods]
    problems.extend(
        duplicates(
            distinct(methods, lambda method: method.full_name),
            "Python name",
            lambda method: method.class_name,
            "name-collision",
            lambda method: f"method {method.full_name!r}",
        )
    )
    problems.extend(collisions("class", classes, lambda entry: entry.identifier))
    problems.extend(_hidden_names(classes))
    return classes


def _hidden_names(classes: Sequence[Class]) -> list[Problem]:
    """Report methods and property sets that would hide a class which every package has."""
    named = [
        *(
            (f"method {method.full_name!r}", method.class_name, method.position)
            for one in classes
            for method in one.methods
        ),
        *(
            (f"class {entry.name!r}", f"{entry.class_name}Properties", entry.position)
            for entry in classes
            if entry.has_content
        ),
    ]
    return [
        Problem("name-collision", f"{what} would hide {name!r} of the generated package", position)
        for what, name, position in named
        if name in CLASSES
    ]


def _resolve_class(raw: RawClass, names: KnownNames, problems: Problems) -> Class:
    name = normalise(raw.name)
    rules = resolve_rules(raw.rules, name, names.constants, problems)
    fields = resolve_fields(raw.fields, f"{name}.properties", names, problems)
    properties = resolve_properties(fields, problems)
    problems.extend(repeated_names("duplicate-method", raw.methods))
    problems.extend(
        duplicates(
            raw.methods,
            "index",
            lambda method: method.index,
            "duplicate-index",
            lambda method: f"method {show(raw.name)}.{show(method.name)} ({method.index})",
        )
    )
    known = {normalise(method.name): method for method in raw.methods}
    methods = []
    for entry in raw.methods:
        if identifier(entry.name):
            methods.append(_resolve_method(entry, raw, known, names, problems))
        else:
            problems.add(bad_name("method", entry.name, entry.position))
    methods = resolve_bounds(methods, problems)
    problems.extend(bounds_of_properties(fields))
    return Class(
        name=name,
        identifier=free_name(identifier(raw.name), MODULES),
        class_name=class_name(raw.name),
        index=raw.index,
        handler=normalise(raw.handler),
        grammars=raw.grammars,
        chassis=tuple(Chassis(peer.name, peer.implement) for peer in raw.chassis),
        properties=tuple(properties),
        methods=tuple(methods),
        label=raw.label,
        doc=raw.doc,
        rules=tuple(rules),
        position=raw.position,
        productions=raw.productions,
    )


def _resolve_method(
    raw: RawMethod, owner: RawClass, known: Mapping[str, RawMethod], names: KnownNames, problems: Problems
) -> Method:
    name = normalise(raw.name)
    path = f"{normalise(owner.name)}.{name}"
    rules = resolve_rules(raw.rules, path, names.constants, problems)
    fields = resolve_fields(raw.fields, path, names, problems)
    for response in raw.responses:
        if normalise(response.name) not in known:
            problems.add(
                Problem(
                    "dangling-response",
                    f"method {path!r} names the response {response.name!r}, which class {owner.name!r} does not have",
                    response.position,
                    suggest(response.name, known),
                )
            )
    return Method(
        name=name,
        full_name=path,
        class_name=class_name(owner.name, raw.name),
        function_name=f"{normalise(owner.name)}_{name}".replace("-", "_"),
        class_index=owner.index,
        index=raw.index,
        synchronous=raw.synchronous,
        has_content=raw.content,
        deprecated=raw.deprecated,
        chassis=tuple(Chassis(peer.name, peer.implement) for peer in raw.chassis),
        sent_by=(names.senders[path],) if path in names.senders else _senders(raw.chassis),
        responses=tuple(class_name(owner.name, response.name) for response in raw.responses),
        fields=tuple(fields),
        label=raw.label,
        doc=raw.doc,
        rules=tuple(rules),
        position=raw.position,
    )


def _senders(chassis: Sequence[RawChassis]) -> tuple[str, ...]:
    """Return the peers that send a method: the opposite of those whose ``<chassis>`` accepts it."""
    senders = {OPPOSITE[peer.name] for peer in chassis if peer.name in OPPOSITE}
    return tuple(sorted(senders))
