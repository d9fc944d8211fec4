"""Rows of the specification tables for a 0-x version."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from amqp_codegen.model.amqp0.spec import Assert, Chassis, Class, Field, Method, Spec, WireType

from ..columns import Row, Rows, rule_row, source_place, words_of


def rows_of(spec: Spec) -> Rows:
    """Return the rows of all tables except ``spec_versions``."""
    return {
        "spec_classes": [_class(each) for each in spec.classes],
        "spec_methods": _methods(spec),
        "spec_fields": list(_fields(spec)),
        "spec_domains": _domains(spec),
        "spec_types": _types(spec),
        "spec_constants": _constants(spec),
        "spec_rules": [rule_row(each) | {"test": each.test} for each in spec.rules],
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


def _class(each: Class) -> Row:
    return {
        "kind": "class",
        "name": each.name,
        "class_id": each.index,
        "handler": each.handler or None,
        "chassis": _chassis(each.chassis),
        "grammar": "\n".join(each.grammars) or None,
        **words_of(each),
    }


def _methods(spec: Spec) -> list[Row]:
    names = {each.class_name: each.full_name for each in spec.methods}
    return [_method(each, owner, [names[reply] for reply in each.responses]) for owner, each in _owned(spec)]


def _owned(spec: Spec) -> Iterator[tuple[Class, Method]]:
    return ((owner, each) for owner in spec.classes for each in owner.methods)


def _method(each: Method, owner: Class, responses: list[str]) -> Row:
    return {
        "kind": "method",
        "name": each.full_name,
        "class": owner.name,
        "class_id": each.class_index,
        "method_id": each.index,
        "synchronous": each.synchronous,
        "has_content": each.has_content,
        "deprecated": each.deprecated,
        "sent_by": list(each.sent_by),
        "chassis": _chassis(each.chassis),
        "responses": responses,
        **words_of(each),
    }


def _chassis(chassis: Iterable[Chassis]) -> list[str]:
    return [f"{each.actor} {each.level}" for each in chassis]


def _fields(spec: Spec) -> Iterator[Row]:
    """Yield the arguments of methods, then the properties of classes."""
    for method in spec.methods:
        for place, each in enumerate(method.fields):
            yield _field(each, "argument", method.full_name, place)
    for owner in spec.classes:
        for place, entry in enumerate(owner.properties):
            flag = {"flag_word": entry.word, "flag_mask": entry.mask}
            yield _field(entry.field, "property", owner.name, place) | flag


def _field(each: Field, kind: str, owner: str, place: int) -> Row:
    return {
        "kind": kind,
        "owner": owner,
        "name": each.name,
        "place": place,
        "identifier": each.identifier,
        "domain": each.domain or None,
        "type": each.type.value,
        "reserved": each.reserved,
        "asserts": [assert_words(check) for check in each.asserts],
        **words_of(each),
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
            "name": each.name,
            "base": each.type.value,
            "type": each.type.value,
            "declared": each.declared,
            "asserts": [assert_words(check) for check in each.asserts],
            **words_of(each),
        }
        for each in spec.domains
    ]


def _types(spec: Spec) -> list[Row]:
    """Return the elementary types, and the value types of field tables in the version's default dialect."""
    elementary = [{"kind": "elementary", "name": each.value, "width": each.width} for each in WireType]
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
            "name": each.name,
            "identifier": each.identifier,
            "value": each.value,
            "error": each.error or None,
            "is_reply_code": each.is_reply_code,
            **words_of(each),
        }
        for each in spec.constants
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
