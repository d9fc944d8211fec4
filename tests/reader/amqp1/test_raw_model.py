"""From 1.0 trees to the raw model."""

from __future__ import annotations

from amqp_codegen.model.amqp0.raw import RawSource
from amqp_codegen.model.amqp1.raw import (
    RawChoice,
    RawDefinition,
    RawDescriptor,
    RawEncoding,
    RawField,
    RawPart,
    RawRule,
    RawSection,
    RawSpec,
    RawType,
)
from amqp_codegen.model.problem import Position, Problem
from amqp_codegen.reader.xml_tree import read_xml

from tests.reader.raw_models import read_trees

SOURCES = (RawSource("s.xml", "00"),)


def outcome(*texts: str) -> tuple[RawSpec | None, list[Problem]]:
    roots = [read_xml(text.encode(), f"{number}.xml") for number, text in enumerate(texts, 1)]
    return read_trees(roots, SOURCES)


def one_section(text: str) -> RawSection:
    """Read what stands on line 2 inside a section."""
    spec, problems = outcome(f"<amqp name='p'><section name='s'>\n{text}</section></amqp>")
    assert problems == []
    assert spec is not None
    return spec.parts[0].sections[0]


def one_type(text: str) -> RawType:
    return one_section(text).types[0]


def at(column: int, line: int = 2, file: str = "1.xml") -> Position:
    return Position(file, line, column)


def test_parts_and_sections() -> None:
    spec, problems = outcome(
        "<amqp name='one' label='l'><doc><p>What.</p></doc><section name='s' title='T' label='l'>"
        "<doc><p>Why.</p></doc></section></amqp>",
        "<amqp name='two' xmlns='urn:any'><section name='s'/><section name='t'/></amqp>",
    )
    assert problems == []
    assert spec == RawSpec(
        (
            RawPart(
                "one", "l", "What.", (RawSection("s", "T", "l", "Why.", (), (), (), at(51, 1)),), (), at(1, 1)
            ),
            RawPart(
                "two",
                "",
                "",
                (
                    RawSection("s", "", "", "", (), (), (), at(34, 1, "2.xml")),
                    RawSection("t", "", "", "", (), (), (), at(53, 1, "2.xml")),
                ),
                (),
                at(1, 1, "2.xml"),
            ),
        ),
        SOURCES,
        "1.0",
    )


def test_a_definition() -> None:
    section = one_section("<definition name='PORT' value='5672' label='l'><doc><p>D.</p></doc></definition>")
    assert section.definitions == (RawDefinition("PORT", "5672", "l", "D.", at(1)),)


def test_a_primitive_type() -> None:
    assert one_type(
        "<type name='uint' class='primitive' label='l' provides='a,\n b'><doc><p>D.</p></doc>\n"
        "<encoding code='0x70' category='fixed' width='4'/>\n"
        "<encoding name='uint0' code='67' category='fixed' label='l'><doc><p>D.</p></doc></encoding></type>"
    ) == RawType(
        name="uint",
        type_class="primitive",
        source="",
        provides=("a", "b"),
        label="l",
        doc="D.",
        encodings=(
            RawEncoding("", 0x70, "fixed", 4, "", "", at(1, 4)),
            RawEncoding("uint0", 0x43, "fixed", None, "l", "D.", at(1, 5)),
        ),
        descriptors=(),
        fields=(),
        choices=(),
        rules=(),
        position=at(1),
    )


def test_a_composite_type() -> None:
    read = one_type(
        "<type name='c' class='composite'>\n"
        "<descriptor name='x:c:list' code='0x00000001:0x00000002'/>\n"
        "<descriptor code='3'><doc><p>D.</p></doc></descriptor>\n"
        "<field name='f' type='uint' default='1' multiple='true' mandatory='false' label='l'/>\n"
        "<field name='g' requires='a , b' mandatory='true'><doc><p>D.</p></doc></field></type>"
    )
    assert read.source == "list"
    assert read.descriptors == (
        RawDescriptor("x:c:list", 1 << 32 | 2, "", at(1, 3)),
        RawDescriptor("", 3, "D.", at(1, 4)),
    )
    assert read.fields == (
        RawField("f", "uint", (), "1", False, True, "l", "", (), at(1, 5)),
        RawField("g", "*", ("a", "b"), None, True, False, "", "D.", (), at(1, 6)),
    )


def test_a_restricted_type() -> None:
    read = one_type(
        "<type name='r' class='restricted' source='boolean'><descriptor name='d'/>\n"
        "<choice name='no' value='false' label='l'><doc><p>D.</p></doc></choice></type>"
    )
    assert (read.source, read.descriptors[0].code) == ("boolean", None)
    assert read.choices == (RawChoice("no", "false", "l", "D.", (), at(1, 3)),)


def test_an_empty_default_is_a_default() -> None:
    read = one_type(
        "<type name='c' class='composite'><descriptor code='1'/><field name='f' type='string' default=''/></type>"
    )
    assert read.fields[0].default == ""


def test_a_rule() -> None:
    rules = one_section(
        "<rule name='n' label='l' section='2.7.1' on-failure='amqp:not-found'><doc><p>A peer MUST.</p></doc>"
        "<doc type='scenario'><p>Do.</p><p>See.</p></doc></rule><rule name='bare'/>"
    ).rules
    assert rules == (
        RawRule("n", "l", "2.7.1", "A peer MUST.", "amqp:not-found", "Do.\n\nSee.", at(1)),
        RawRule("bare", "", "", "", "", None, at(155)),
    )


def test_rules_stand_in_parts_types_fields_and_choices() -> None:
    rule = "<rule name='{}'><doc/></rule>"
    spec, problems = outcome(
        f"<amqp name='p'>{rule.format('p')}<section name='s'><type name='c' class='composite'><descriptor code='1'/>"
        f"<field name='f'>{rule.format('f')}</field>{rule.format('c')}</type><type name='r' class='restricted' "
        f"source='*'><choice name='n' value='v'>{rule.format('n')}</choice></type></section></amqp>"
    )
    assert problems == []
    assert spec is not None
    composite, restricted = spec.types
    owners = (spec.parts[0], composite.fields[0], composite, restricted.choices[0])
    assert [[rule.name for rule in owner.rules] for owner in owners] == [["p"], ["f"], ["c"], ["n"]]


def test_all_problems_of_all_trees_are_found() -> None:
    spec, problems = outcome(
        "<amqp major='0' minor='9'/>", "<amqp name='a' nam='b'/>", "<amqp name='b'><section/></amqp>"
    )
    assert spec is None
    assert [str(problem) for problem in problems] == [
        "1.xml:1:1: error: this file describes AMQP 0-9, it is not part of 1.0 [unsupported-version]",
        "2.xml:1:1: error: unknown attribute 'nam' of amqp 'a' (did you mean 'name'?) [unknown-attribute]",
        "3.xml:1:16: error: section has no attribute 'name' [missing-attribute]",
    ]


def test_a_warning_stops_nothing() -> None:
    spec, problems = outcome(
        "<amqp name='p'><section name='s'><type name='u' class='union'/></section></amqp>"
    )
    assert spec is not None
    assert spec.types[0].type_class == "union"
    assert [problem.rule_id for problem in problems] == ["reserved-class"]
