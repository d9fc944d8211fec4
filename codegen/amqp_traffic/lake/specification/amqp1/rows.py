"""Rows of the specification tables for AMQP 1.0.

Sections stand for classes, frame bodies for methods, restricted types for domains.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from amqp_codegen.model.amqp1.spec import (
    Composite,
    Definition,
    Descriptor,
    Encoding,
    Field,
    Primitive,
    Restricted,
    Spec,
    Type,
)
from amqp_codegen.support.resources import load_package

from ..columns import Row, Rows, rule_row, words_of


def rows_of(spec: Spec) -> Rows:
    """Return the rows of all tables except ``spec_versions``."""
    return {
        "spec_classes": [
            {"kind": "section", "name": section.name, "part": part.name, **words_of(section)}
            for part in spec.parts
            for section in part.sections
        ],
        "spec_methods": [_method(composite) for composite in spec.composites if _is_frame(composite)],
        "spec_fields": [
            _field(field, owner.name, place)
            for owner in spec.composites
            for place, field in enumerate(owner.fields)
        ],
        "spec_domains": [_domain(restricted) for restricted in spec.restricted_types],
        "spec_types": [row for primitive in spec.types for row in _type(primitive)],
        "spec_constants": [_constant(definition) for definition in spec.definitions],
        "spec_rules": [rule_row(rule) | {"section": rule.section} for rule in spec.rules],
        "spec_choices": list(_choices(spec)),
    }


def version_of(spec: Spec) -> Row:
    """Return the part of the row of ``spec_versions`` that depends on the family."""
    numbers = {name.lower(): spec.definition(name) for name in ("MAJOR", "MINOR", "REVISION", "PORT")}
    return {
        "family": "amqp1",
        **{name: definition.value for name, definition in numbers.items() if definition},
        "protocol_header": load_package(spec.package).PROTOCOL_HEADERS["amqp"],
    }


def _is_frame(composite: Composite) -> bool:
    return composite.is_performative or composite.is_sasl_frame


def _method(composite: Composite) -> Row:
    return {
        "kind": "sasl-frame" if composite.is_sasl_frame else "performative",
        "name": composite.name,
        "class": composite.section,
        **_descriptor(composite.descriptor, "descriptor_code"),
        **words_of(composite),
    }


def _descriptor(descriptor: Descriptor | None, code: str) -> Row:
    return {"descriptor": descriptor.symbol or None, code: descriptor.code} if descriptor else {}


def _field(field: Field, owner: str, place: int) -> Row:
    return {
        "kind": "field",
        "owner": owner,
        "name": field.name,
        "place": place,
        "identifier": field.identifier,
        "domain": field.type.name,
        "type": field.type.primitive or None,
        "mandatory": field.mandatory,
        "multiple": field.multiple,
        "default_value": field.default.text if field.default else None,
        "requires": list(field.requires),
        **words_of(field),
    }


def _domain(restricted: Restricted) -> Row:
    return {
        "kind": "restricted",
        "name": restricted.name,
        "base": restricted.source.name,
        "type": restricted.primitive or None,
        "declared": True,
        "provides": list(restricted.provides),
        **words_of(restricted),
    }


def _type(item: Type) -> Iterator[Row]:
    """Yield the row of a type, then those of its encodings."""
    where = {"part": item.part, "section": item.section}
    row = {"kind": type(item).__name__.lower(), "name": item.name, "provides": list(item.provides), **where}
    if isinstance(item, Restricted):
        row |= {"type": item.source.name, **_descriptor(item.descriptor, "code")}
    elif isinstance(item, Composite):
        row |= {"type": "list", **_descriptor(item.descriptor, "code")}
    yield row | words_of(item)
    if isinstance(item, Primitive):
        for encoding in item.encodings:
            yield _encoding(encoding) | where


def _encoding(encoding: Encoding) -> Row:
    return {
        "kind": "encoding",
        "name": encoding.name or None,
        "type": encoding.type,
        "code": encoding.code,
        "category": encoding.category,
        "width": encoding.width,
        **words_of(encoding),
    }


def _constant(definition: Definition) -> Row:
    return {
        "name": definition.name,
        "identifier": definition.identifier,
        "value": definition.value if isinstance(definition.value, int) else None,
        "part": definition.part,
        "section": definition.section,
        **words_of(definition),
    }


def _choices(spec: Spec) -> Iterator[Row]:
    for owner in spec.enumerations:
        for choice in owner.choices:
            yield {
                "kind": "choice",
                "owner": owner.name,
                "name": choice.name,
                "value": _shown(choice.value),
                "number": int(choice.value) if isinstance(choice.value, int) else None,
                **words_of(choice),
            }


def _shown(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
