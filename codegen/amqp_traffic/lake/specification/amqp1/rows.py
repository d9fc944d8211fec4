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
from amqp_codegen.support.packages import load_package

from ..columns import Row, Rows, rule_row, words_of


def rows_of(spec: Spec) -> Rows:
    """Return the rows of all tables except ``spec_versions``."""
    return {
        "spec_classes": [
            {"kind": "section", "name": section.name, "part": part.name, **words_of(section)}
            for part in spec.parts
            for section in part.sections
        ],
        "spec_methods": [_method(each) for each in spec.composites if _is_frame(each)],
        "spec_fields": [
            _field(each, owner.name, place)
            for owner in spec.composites
            for place, each in enumerate(owner.fields)
        ],
        "spec_domains": [_domain(each) for each in spec.restricted_types],
        "spec_types": [row for each in spec.types for row in _type(each)],
        "spec_constants": [_constant(each) for each in spec.definitions],
        "spec_rules": [rule_row(each) | {"section": each.section} for each in spec.rules],
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


def _is_frame(each: Composite) -> bool:
    return each.is_performative or each.is_sasl_frame


def _method(each: Composite) -> Row:
    return {
        "kind": "sasl-frame" if each.is_sasl_frame else "performative",
        "name": each.name,
        "class": each.section,
        **_descriptor(each.descriptor, "descriptor_code"),
        **words_of(each),
    }


def _descriptor(descriptor: Descriptor | None, code: str) -> Row:
    return {"descriptor": descriptor.symbol or None, code: descriptor.code} if descriptor else {}


def _field(each: Field, owner: str, place: int) -> Row:
    return {
        "kind": "field",
        "owner": owner,
        "name": each.name,
        "place": place,
        "identifier": each.identifier,
        "domain": each.type.name,
        "type": each.type.primitive or None,
        "mandatory": each.mandatory,
        "multiple": each.multiple,
        "default_value": each.default.text if each.default else None,
        "requires": list(each.requires),
        **words_of(each),
    }


def _domain(each: Restricted) -> Row:
    return {
        "kind": "restricted",
        "name": each.name,
        "base": each.source.name,
        "type": each.primitive or None,
        "declared": True,
        "provides": list(each.provides),
        **words_of(each),
    }


def _type(each: Type) -> Iterator[Row]:
    """Yield the row of a type, then those of its encodings."""
    where = {"part": each.part, "section": each.section}
    row = {"kind": type(each).__name__.lower(), "name": each.name, "provides": list(each.provides), **where}
    if isinstance(each, Restricted):
        row |= {"type": each.source.name, **_descriptor(each.descriptor, "code")}
    elif isinstance(each, Composite):
        row |= {"type": "list", **_descriptor(each.descriptor, "code")}
    yield row | words_of(each)
    if isinstance(each, Primitive):
        for encoding in each.encodings:
            yield _encoding(encoding) | where


def _encoding(each: Encoding) -> Row:
    return {
        "kind": "encoding",
        "name": each.name or None,
        "type": each.type,
        "code": each.code,
        "category": each.category,
        "width": each.width,
        **words_of(each),
    }


def _constant(each: Definition) -> Row:
    return {
        "name": each.name,
        "identifier": each.identifier,
        "value": each.value if isinstance(each.value, int) else None,
        "part": each.part,
        "section": each.section,
        **words_of(each),
    }


def _choices(spec: Spec) -> Iterator[Row]:
    for owner in spec.enumerations:
        for each in owner.choices:
            yield {
                "kind": "choice",
                "owner": owner.name,
                "name": each.name,
                "value": _shown(each.value),
                "number": int(each.value) if isinstance(each.value, int) else None,
                **words_of(each),
            }


def _shown(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
