"""Questions without octets, about the names that the specification defines."""

from __future__ import annotations

from collections.abc import Iterator

from ..case import Case, Neutral
from .case_factory import CaseFactory
from .reference_encoder import descriptor_value
from .values import default_value, neutral


def name_cases(factory: CaseFactory) -> Iterator[Case]:
    """Yield every constant, choice, descriptor, default, mandatory field and archetype."""
    for definition in factory.spec.definitions:
        # Two sections may define the same name; their identifiers differ.
        name = definition.identifier.replace("_", "-")
        yield _question("constant", name, definition.value)
    for each in factory.spec.enumerations:
        for choice in each.choices:
            value = factory.sampler.choice(each.primitive, choice)
            yield _question("choice", f"{each.name}.{choice.name}", neutral(factory.spec, value))
    for kind in factory.spec.described_types:
        for descriptor in kind.descriptors:
            form = {"symbol": descriptor.symbol, "value": neutral(factory.spec, descriptor_value(descriptor))}
            yield _question("descriptor", kind.name, form)
    for composite in factory.spec.composites:
        yield _question("fields", composite.name, [each.name for each in composite.fields])
        for field in composite.fields:
            default = default_value(field)
            if default is not None:
                yield _question("default", f"{composite.name}.{field.name}", neutral(factory.spec, default))
            form = {"mandatory": field.mandatory, "multiple": field.multiple}
            yield _question("field", f"{composite.name}.{field.name}", form)
    for archetype in factory.spec.archetypes:
        providers = sorted(each.name for each in archetype.providers if each.described)
        if providers:
            yield _question("providers", archetype.name, providers)


def _question(kind: str, element: str, answer: Neutral) -> Case:
    return Case(f"{element}/{kind}", element, kind, answer, way="ask")
