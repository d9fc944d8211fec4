"""Rows of the specification tables for a 0-x version."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from amqp_codegen.model.amqp0.field_types import WireType
from amqp_codegen.model.amqp0.spec import Assert, Chassis, Class, Field, Method, Spec

from ..columns import Row, Rows, rule_row, source_place, words_of


def rows_of(spec: Spec) -> Rows:
    """Return the rows of all tables except ``spec_versions``."""
    return {
        "spec_classes": [_class(entry) for entry in spec.classes],
        "spec_methods": _methods(spec),
        "spec_fields": list(_fields(spec)),
        "spec_domains": _domains(spec),
        "spec_types": _types(spec),
        "spec_constants": _constants(spec),
        "spec_rules": [rule_row(rule) | {"test": rule.test} for rule in spec.rules],
        "spec_choices": list(_choices(spec)),
    }


def version_of(spec: Spec) -> Row:
    """Return the part of the row of ``spec_versions`` that depends on the family."""
    return {
        "family": "amqp0",
        "major": spec.major,
        "minor": spec.minor,
        "revision": spec.revision,
        "port": spec.port,
        "protocol_header": spec.wire.header,
        "dialect": spec.dialect.name,
    }


def _class(class_: Class) -> Row:
    return {
        "kind": "class",
        "name": class_.name,
        "class_id": class_.index,
        "handler": class_.handler or None,
        "chassis": _chassis(class_.chassis),
        "grammar": "\n".join(class_.grammars) or None,
        **words_of(class_),
    }


def _methods(spec: Spec) -> list[Row]:
    names = {method.class_name: method.full_name for method in spec.methods}
    return [
        _method(method, owner, [names[reply] for reply in method.responses])
        for owner in spec.classes
        for method in owner.methods
    ]


def _method(method: Method, owner: Class, responses: list[str]) -> Row:
    return {
        "kind": "method",
        "name": method.full_name,
        "class": owner.name,
        "class_id": method.class_index,
        "method_id": method.index,
        "synchronous": method.synchronous,
        "has_content": method.has_content,
        "deprecated": method.deprecated,
        "sent_by": list(method.sent_by),
        "chassis": _chassis(method.chassis),
        "responses": responses,
        **words_of(method),
    }


def _chassis(chassis: Iterable[Chassis]) -> list[str]:
    return [f"{entry.actor} {entry.level}" for entry in chassis]


def _fields(spec: Spec) -> Iterator[Row]:
    """Yield the arguments of methods, then the properties of classes."""
    for method in spec.methods:
        for place, field in enumerate(method.fields):
            yield _field(field, "argument", method.full_name, place)
    for owner in spec.classes:
        for place, entry in enumerate(owner.properties):
            flag = {"flag_word": entry.word, "flag_mask": entry.mask}
            yield _field(entry.field, "property", owner.name, place) | flag


def _field(field: Field, kind: str, owner: str, place: int) -> Row:
    return {
        "kind": kind,
        "owner": owner,
        "name": field.name,
        "place": place,
        "identifier": field.identifier,
        "domain": field.domain or None,
        "type": field.type.value,
        "reserved": field.reserved,
        "asserts": [assert_words(check) for check in field.asserts],
        **words_of(field),
    }


def assert_words(check: Assert) -> str:
    """Return a check in a few words: ``length 127``, ``le ConnectionTune.channel_max``."""
    if check.check in ("length", "ne"):
        return f"{check.check} {check.number}"
    if check.check == "le":
        return f"le {check.method}.{check.field}"
    return " ".join(filter(None, (check.check, check.text, *check.values)))


def _domains(spec: Spec) -> list[Row]:
    return [
        {
            "kind": "domain",
            "name": domain.name,
            "base": domain.type.value,
            "type": domain.type.value,
            "declared": domain.declared,
            "asserts": [assert_words(check) for check in domain.asserts],
            **words_of(domain),
        }
        for domain in spec.domains
    ]


def _types(spec: Spec) -> list[Row]:
    """Return the elementary types, and the value types of field tables in the version's default dialect."""
    elementary = [{"kind": "elementary", "name": kind.value, "width": kind.width} for kind in WireType]
    values = [
        {
            "kind": "table-value",
            "name": name,
            "letter": letter,
            "code": ord(letter),
            "dialect": spec.dialect.name,
        }
        for letter, name in spec.dialect.read.items()
    ]
    return elementary + values


def _constants(spec: Spec) -> list[Row]:
    return [
        {
            "name": constant.name,
            "identifier": constant.identifier,
            "value": constant.value,
            "error": constant.error or None,
            "is_reply_code": constant.is_reply_code,
            **words_of(constant),
        }
        for constant in spec.constants
    ]


def _choices(spec: Spec) -> Iterator[Row]:
    """Yield the values of ``enum`` asserts of domains, and of fields with an assert of their own."""
    for domain in spec.domains:
        yield from _enum(domain.asserts, domain.name)
    for method in spec.methods:
        for field in method.fields:
            own = [check for check in field.asserts if check.origin == "field"]
            yield from _enum(own, f"{method.full_name}.{field.name}")


def _enum(asserts: Iterable[Assert], owner: str) -> Iterator[Row]:
    for check in asserts:
        for name in check.values:
            yield {"kind": "enum", "owner": owner, "name": name, **source_place(check.position)}
