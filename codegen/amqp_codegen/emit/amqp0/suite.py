"""The family-specific content of the 0-x suites."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...model.amqp0.field_types import WireType
from ...model.amqp0.spec import Field, Spec
from ...vectors.amqp0.cases import TRUNCATABLE, amqp0_cases
from ...vectors.amqp0.schema import amqp0_schema
from ..suite import Suite


def amqp0_suite(spec: Spec) -> Suite:
    """Return the suite of a 0-x specification."""
    return Suite(
        family="amqp0",
        modules=(
            "package_values.py",
            "test_asserts.py",
            "test_conversations.py",
            "test_methods.py",
        ),
        cases=amqp0_cases(spec),
        truncatable=TRUNCATABLE,
        schema=amqp0_schema(spec),
        rules=[rule for rule in spec.rules if rule.path not in _derived_rules(spec)],
        context={
            "field_types": list(WireType),
            "field_forms": _field_forms(),
            "odd_attributes": list(_odd_attributes(spec)),
            "required_fields": {
                method.full_name: {field.identifier: 1 for field in method.arguments if field.required}
                for method in spec.methods
                if any(field.required for field in method.arguments)
            },
        },
    )


# What a value of each form is, in the language of JSON Schema.
_FORMS = {
    "boolean": {"type": "boolean"},
    "integer": {"type": "integer"},
    "integer64": {"$ref": "#/$defs/integer64"},
    "text": {"type": "string"},
    "octets": {"$ref": "#/$defs/octets"},
    "entries": {"$ref": "#/$defs/entries"},
    "content": {"$ref": "#/$defs/content"},
}


def _field_forms() -> list[tuple[list[str], Mapping[str, str]]]:
    """Return the types of each form, and what a value of theirs is."""
    return [
        ([kind.value for kind in WireType if kind.form == form], schema) for form, schema in _FORMS.items()
    ]


def _derived_rules(spec: Spec) -> frozenset[str]:
    """Return the rules that state an assert with a pattern in words; the cases of asserts test them."""
    return frozenset(
        rule.path
        for method in spec.methods
        for field in method.fields
        for rule in field.rules
        if rule.name == "syntax" and any(check.check == "regexp" for check in field.asserts)
    )


def _odd_attributes(spec: Spec) -> Iterator[tuple[str, str, str]]:
    """Yield owner, name and attribute of fields and constants whose attribute differs from the name."""
    owners = [(method.full_name, method.arguments) for method in spec.methods]
    owners += [
        (f"{entry.name}.properties", tuple(property_.field for property_ in entry.properties))
        for entry in spec.classes
    ]
    for owner, fields in owners:
        for field in fields:
            if _is_odd(field):
                yield owner, field.name, field.identifier
    for constant in spec.constants:
        if constant.identifier != constant.name.replace("-", "_").upper():
            yield "constants", constant.name, constant.identifier


def _is_odd(field: Field) -> bool:
    return field.identifier != field.name.replace("-", "_") or "_" in field.name
