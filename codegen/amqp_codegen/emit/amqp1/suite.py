"""The family-specific content of the 1.0 suite."""

from __future__ import annotations

from ...model.amqp1.primitive_types import INTEGERS, PRIMITIVE_TYPES
from ...model.amqp1.spec import Spec, Wire
from ...vectors.amqp1.cases import TRUNCATABLE, amqp1_cases, codec_rules
from ...vectors.amqp1.schema import amqp1_schema
from ..suite import Suite, rule_stubs
from .context import message_sections
from .python_types import part_module

_FORMS = ("null", "boolean", "integer", "integer64", "string", "octets")


def amqp1_suite(spec: Spec, wire: Wire) -> Suite:
    """Return the suite of a 1.0 specification."""
    missing = () if message_sections(spec) else ("message",)
    cases = [case for case in amqp1_cases(spec, wire) if case.kind not in missing]
    decided = codec_rules(spec, cases)
    described = [own_type.name for own_type in spec.described_types]
    composites = [composite.name for composite in spec.composites]
    return Suite(
        family="amqp1",
        modules=("package_values.py", "test_codec_rules.py", "test_messages.py", "test_types.py"),
        cases=cases,
        truncatable=TRUNCATABLE,
        schema=amqp1_schema(spec),
        rules=[rule for rule in spec.rules if rule.path not in decided],
        context={
            "choices": _choices(spec),
            "codec_rules": [
                (stub, decided[stub.path])
                for stub in rule_stubs(rule for rule in spec.rules if rule.path in decided)
            ],
            "primitives": PRIMITIVE_TYPES,
            "number_types": list(INTEGERS),
            "wide_types": [name for name, facts in INTEGERS.items() if facts.is_wide],
            "primitive_names": [primitive.name for primitive in spec.primitives],
            "names_of_form": {form: _names_of_form(form) for form in _FORMS},
            "described_names": described,
            "composite_names": composites,
            "restricted_names": [name for name in described if name not in composites],
        },
    )


def _names_of_form(form: str) -> str | list[str]:
    """Return the primitive types whose values have that form; of one alone its name."""
    names = [name for name, facts in PRIMITIVE_TYPES.items() if facts.form == form]
    return names[0] if len(names) == 1 else names


def _choices(spec: Spec) -> list[tuple[str, str, str, str, list[tuple[str, str]]]]:
    """Return each enum of choices: type, module, class, primitive type, and the member for each choice."""
    return [
        (
            enumeration.name,
            part_module(part),
            enumeration.class_name,
            enumeration.primitive,
            [(choice.name, choice.identifier) for choice in enumeration.choices],
        )
        for part in spec.parts
        for enumeration in spec.enumerations
        if enumeration in part.types
    ]
