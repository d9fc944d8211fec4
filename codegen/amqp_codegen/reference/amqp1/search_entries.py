"""The search entries of 1.0 pages: every name, label, doc and rule.

Kinds and names are those of ``diff``, so that the pages of changes can link to them.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...model.amqp1.spec import Encoding, Part, Rule, Spec
from ...model.amqp1.types import Composite, Field, Primitive, Restricted, Type
from ..page_plan import SearchEntry, sentences
from .anchors import Anchors, members, part_rules
from .wording import choice_value, kind_of


def overview_entries(spec: Spec, anchors: Anchors) -> Iterator[SearchEntry]:
    """Yield the archetypes, which only the first page has."""
    for archetype in spec.archetypes:
        text = sentences(
            *(provider.name for provider in archetype.providers), *archetype.required_by, archetype.class_name
        )
        yield SearchEntry("archetype", archetype.name, text, anchors[archetype])


def part_entries(part: Part, anchors: Anchors) -> Iterator[SearchEntry]:
    """Yield types, their contents, the rest, then rules: of equal matches the first is shown first."""
    for type_ in part.types:
        yield SearchEntry("type", type_.name, _type_text(type_), anchors[type_])
    for type_ in part.types:
        yield from _inner(type_, anchors)
    for definition in part.definitions:
        text = sentences(str(definition.value), definition.label, definition.doc)
        yield SearchEntry("constant", definition.name, text, anchors[definition])
    yield SearchEntry("part", part.name, sentences(part.label, part.doc), anchors[part])
    for section in part.sections:
        text = sentences(section.title, section.label, section.doc)
        yield SearchEntry("section", section.name, text, anchors[section])
    for rule in part_rules(part):
        yield _rule(rule, anchors)


def _inner(type_: Type, anchors: Anchors) -> Iterator[SearchEntry]:
    for encoding in type_.encodings if isinstance(type_, Primitive) else ():
        yield _encoding(encoding, anchors)
    for inner in members(type_):
        name = f"{type_.name}.{inner.name}"
        if isinstance(inner, Field):
            facts = (inner.type.name if inner.type.name != "*" else "any type", *inner.requires)
            yield SearchEntry("field", name, sentences(*facts, inner.label, inner.doc), anchors[inner])
        else:
            said = "error condition" if "error-condition" in type_.provides else ""
            text = sentences(choice_value(inner), said, inner.label, inner.doc)
            yield SearchEntry("choice", name, text, anchors[inner])


def _type_text(type_: Type) -> str:
    descriptors = type_.descriptors if isinstance(type_, (Composite, Restricted)) else ()
    said = [kind_of(type_), type_.label]
    for descriptor in descriptors:
        said += (
            [descriptor.symbol] if descriptor.code is None else [descriptor.symbol, f"{descriptor.code:#x}"]
        )
    return sentences(*said, type_.doc, type_.class_name, *type_.provides)


def _encoding(encoding: Encoding, anchors: Anchors) -> SearchEntry:
    code = f"0x{encoding.code:02x}"
    text = sentences(f"format code {code}", encoding.category, encoding.label, encoding.doc)
    name = f"{encoding.type}.{encoding.name or code}"
    return SearchEntry("encoding", name, text, anchors[encoding])


def _rule(rule: Rule, anchors: Anchors) -> SearchEntry:
    section = f"section {rule.section}" if rule.section else ""
    text = sentences(rule.label, rule.text, rule.on_failure, section, rule.scenario or "")
    return SearchEntry("rule", rule.path, text, anchors[rule])
