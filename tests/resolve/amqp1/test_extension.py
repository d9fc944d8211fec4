"""Further files extend the standard: new described types, new providers of its archetypes."""

from __future__ import annotations

from pathlib import Path

import pytest
from amqp_codegen.model.amqp1.spec import Composite, Restricted, Spec
from amqp_codegen.model.problem import SpecError
from amqp_codegen.reader.inputs import resolve_input

from tests.reader.raw_models import load_amqp1, resolved_amqp1

FILTERS = """<amqp name="apache-filters" label="filters">
  <section name="filters">
    <doc><p>Filters, <i>as registered</i>:</p><ul><li><p>a <term>subject</term></p></li></ul><picture>+--+</picture></doc>
    <type name="subject-filter" class="restricted" source="string" provides="filter">
      <descriptor name="apache.org:subject-filter:string" code="0x0000468C:0x00000001"/>
    </type>
    <type name="xpath-filter" class="composite" source="list" provides="filter, lifetime-policy">
      <descriptor name="apache.org:xpath-filter:list" code="0x0000468C:0x00000003"/>
      <field name="expression" type="string" mandatory="true"/>
      <field name="state" type="*" requires="outcome, filter"/>
      <field name="mode" type="terminus-durability" default="configuration"/>
    </type>
    <type name="global-id" class="restricted" source="binary" provides="global-tx-id"/>
    <type name="filter-error" class="restricted" source="symbol" provides="error-condition">
      <choice name="bad-syntax" value="apache.org:bad-syntax"/>
    </type>
    <definition name="PORT" value="61616"/>
  </section>
</amqp>
"""
MORE = """<amqp name="errors" xmlns="https://www.amqp.org/schema/amqp.xsd">
  <section name="outcomes">
    <type name="parked" class="composite" provides="delivery-state,outcome">
      <descriptor name="x:parked:list" code="0x0000ffff:0x00000001"/>
      <field name="until" type="timestamp"/>
      <field name="filters" type="subject-filter" multiple="true"/>
      <rule name="later" section="3.4" on-failure="apache.org:bad-syntax"><doc><p>A receiver MAY wait.</p></doc></rule>
    </type>
  </section>
</amqp>
"""


def extended(folder: Path, *texts: str) -> Spec:
    files = list(resolve_input("1.0").files)
    for number, text in enumerate(texts):
        file = folder / f"{number}.xml"
        file.write_text(text, encoding="utf-8")
        files.append(file)
    raw, warnings = load_amqp1(files)
    assert warnings == []
    spec, problems = resolved_amqp1(raw)
    assert problems == []
    assert spec is not None
    return spec


@pytest.fixture
def spec(tmp_path: Path) -> Spec:
    return extended(tmp_path, FILTERS, MORE)


def test_new_types_stand_beside_those_of_the_standard(spec: Spec) -> None:
    assert len(spec.types) == 96 + 5
    assert [(part.name, part.module, len(part.types)) for part in spec.parts[5:]] == [
        ("apache-filters", "apache_filters", 4),
        ("errors", "errors_", 1),
    ]
    assert spec.parts[5].sections[0].doc == "Filters, as registered:\n\n- a subject\n\n    +--+"
    found = spec.type("subject-filter")
    assert isinstance(found, Restricted)
    assert found.descriptor is not None
    assert (found.descriptor.symbol, found.descriptor.code) == (
        "apache.org:subject-filter:string",
        0x468C_0000_0001,
    )
    assert (found.primitive, found.class_name) == ("string", "SubjectFilter")


def test_new_types_use_those_of_other_files(spec: Spec) -> None:
    found = spec.type("xpath-filter")
    assert isinstance(found, Composite)
    expression, state, mode = found.fields
    assert expression.mandatory
    assert [provider.name for provider in state.providers] == [
        "accepted",
        "rejected",
        "released",
        "modified",
        "declared",
        "parked",
        "subject-filter",
        "xpath-filter",
    ]
    assert mode.default is not None
    assert mode.default.expression == "TerminusDurability.CONFIGURATION"
    parked = spec.type("parked")
    assert isinstance(parked, Composite)
    assert (parked.fields[1].type.part, parked.fields[1].type.described) == ("apache-filters", True)


def test_new_providers_join_the_archetypes_of_the_standard(spec: Spec) -> None:
    providers = {
        archetype.name: [found.name for found in archetype.providers] for archetype in spec.archetypes
    }
    assert providers["outcome"][-1] == providers["delivery-state"][-1] == "parked"
    assert providers["error-condition"][-1] == "filter-error"
    assert providers["lifetime-policy"][-1] == "xpath-filter"
    assert providers["global-tx-id"] == ["global-id"]  # and so nothing is left to warn of
    assert providers["filter"] == ["subject-filter", "xpath-filter"]
    declare = spec.type("declare")
    assert isinstance(declare, Composite)
    assert [provider.name for provider in declare.fields[0].providers] == ["global-id"]


def test_names_of_the_standard_do_not_change(spec: Spec) -> None:
    identifiers = [definition.identifier for definition in spec.definitions]
    assert (identifiers[0], identifiers[-1]) == ("PORT", "FILTERS_PORT")
    assert spec.rules
    assert [rule.path for rule in spec.rules][-1] == "parked/later"


def test_clashes_with_the_standard_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "x.xml"
    file.write_text(
        "<amqp name='x'><section name='s'>\n<type name='open' class='composite'>\n"
        "<descriptor name='amqp:begin:list' code='0x0:0x12'/></type>\n"
        "<type name='new' class='composite'>\n<descriptor name='amqp:begin:list' code='0x0:0x12'/></type>\n"
        "</section></amqp>"
    )
    raw, _ = load_amqp1([*resolve_input("1.0").files, file])
    spec, problems = resolved_amqp1(raw)
    assert spec is None
    assert [(problem.rule_id, problem.position.line) for problem in problems if problem.position][:3] == [
        ("duplicate-type", 2),
        ("duplicate-descriptor", 5),
        ("duplicate-descriptor", 5),
    ]


def test_a_part_of_the_standard_is_not_given_twice(tmp_path: Path) -> None:
    files = resolve_input("1.0").files
    with pytest.raises(SpecError, match="part 'types' is given already"):
        load_amqp1([*files, files[0]])
