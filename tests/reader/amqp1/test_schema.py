"""What the 1.0 grammar and the checks beside it refuse, each with its place and its words."""

from __future__ import annotations

import pytest
from amqp_codegen.reader.amqp1.schema import AMQP1_SCHEMA, check_amqp1
from amqp_codegen.reader.check_schema import check_schema
from amqp_codegen.reader.xml_tree import read_xml

from tests.written_cases import written_cases

NAMESPACE = "http://www.amqp.org/schema/amqp.xsd"


def complaints(text: str) -> list[str]:
    """Return the problems of what stands on line 2 inside a section, without the name of the file."""
    root = read_xml(f"<amqp name='p'><section name='s'>\n{text}\n</section></amqp>".encode(), "s")
    return [
        str(problem).removeprefix("s:") for problem in check_schema(root, AMQP1_SCHEMA) + check_amqp1(root)
    ]


def test_the_whole_grammar_is_read() -> None:
    assert (
        complaints(
            "<doc name='d' title='D'><doc><p title='P'>text <anchor name='a'/><xref name='x' type='type' choice='c'>x"
            "</xref><b>b<sub>1</sub><sup>2<sub>3</sub></sup><i>i<br/></i><anchor name='b'/></b><i><b/></i><term>t"
            "</term><br/></p></doc><ul title='u'><li>text<p/><ul/><dl/></li></ul><ol title='o'><li/></ol>"
            "<dl title='d'><dt>term</dt><dd><p/><picture/><ul/><ol/></dd></dl><picture title='p'>+--+</picture></doc>"
            "<definition name='N' value='1' label='l'><doc/></definition>"
            "<type name='p' class='primitive' provides='a, b' label='l'><doc/>"
            "<encoding code='0x40' category='fixed'/>"
            "<encoding name='e' code='0xe0' category='array' width='1' label='l'><doc/></encoding></type>"
            "<type name='c' class='composite' source='list'><descriptor name='n'/><descriptor code='0x1:0x2'><doc/>"
            "</descriptor><field name='f'/><field name='g' type='*' requires='a,b' label='l' mandatory='true' "
            "multiple='false'><doc/></field><field name='h' type='uint' default='1' mandatory='false'/></type>"
            "<type name='r' class='restricted' source='*'><choice name='n' value='v'><doc/></choice></type>"
        )
        == []
    )


def test_our_additions_to_the_grammar_are_read() -> None:
    rule = (
        "<rule name='n' label='l' section='2.7.1' on-failure='x'><doc><p>MUST.</p></doc>"
        "<doc type='scenario'><p>Do.</p></doc></rule>"
    )
    assert (
        complaints(
            f"{rule}<type name='r' class='restricted' source='uint'><choice name='n' value='1' label='l'>{rule}</choice>"
            f"{rule}</type><type name='c' class='composite'><descriptor code='1'/><field name='f'>{rule}</field></type>"
        )
        == []
    )
    root = read_xml(f"<amqp name='p' label='l'>{rule}<doc/></amqp>".encode(), "s")
    assert check_schema(root, AMQP1_SCHEMA) == []


@pytest.mark.parametrize("namespace", [NAMESPACE, NAMESPACE.replace("http", "https"), "", "urn:other"])
def test_any_namespace_or_none(namespace: str) -> None:
    root = read_xml(
        f"<amqp name='p' xmlns='{namespace}'><section name='s'><doc/></section></amqp>".encode(), "s"
    )
    assert check_schema(root, AMQP1_SCHEMA) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    written_cases(r"""
        <types name='t'/>
            2:1: error: unknown element <types> in <section> (did you mean 'type'?) [unknown-element]
        <field name='f'/>
            2:1: error: unknown element <field> in <section> (<field> belongs elsewhere) [unknown-element]
        <doc>text</doc>
            2:1: error: text in <doc>, where none belongs: 'text' [misplaced-text]
        <doc type='scenario'/>
            2:1: error: unknown attribute 'type' of doc 'scenario' [unknown-attribute]
        <doc><p><ul/></p></doc>
            2:9: error: unknown element <ul> in <p> (<ul> belongs elsewhere) [unknown-element]
        <doc><p><xref>x</xref></p></doc>
            2:9: error: xref has no attribute 'name' [missing-attribute]
        <type name='t' class='compound'/>
            2:1: error: type 't': class 'compound' is not one of primitive, composite, restricted and union [bad-value]
        <type name='t' class='union' provides='a,,b'/>
            2:1: error: type 't': provides 'a,,b' is not a list of names parted by commas [bad-value]
        <type name='t' class='composite'><descriptor name='d'/>\n<field name='f' requires=''/></type>
            3:1: error: field 'f': requires '' is not a list of names parted by commas [bad-value]
        <type name='t' class='composite'><descriptor name='d'/>\n<field name='f' mandatory='1'/></type>
            3:1: error: field 'f': mandatory '1' is not one of true and false [bad-value]
        <type name='t' class='composite'><descriptor name='d'/>\n<field name='f' multipel='true'/></type>
            3:1: error: unknown attribute 'multipel' of field 'f' (did you mean 'multiple'?) [unknown-attribute]
        <rule name='r' section='2.7.'/>
            2:1: error: rule 'r': section '2.7.' is not the number of a section [bad-value]
        <definition name='N'/>
            2:1: error: definition 'N' has no attribute 'value' [missing-attribute]
        <type name='t' class='primitive'>\n<encoding code='256' category='fixed'/></type>
            3:1: error: encoding '256': code '256' is larger than 255 [bad-value]
        <type name='t' class='primitive'>\n<encoding code='0x40' category='fix'/></type>
            3:1: error: encoding '0x40': category 'fix' is not one of fixed, variable, compound and array (did you mean
                'fixed'?) [bad-value]
        """),
)
def test_what_the_grammar_does_not_allow(text: str, expected: list[str]) -> None:
    found = [problem for problem in complaints(text) if "[reserved-class]" not in problem]
    assert found == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    written_cases(r"""
        <type name='t' class='primitive'/>
            2:1: error: primitive type 't' has no <encoding> [missing-element]
        <type name='t' class='primitive' source='uint'><encoding code='0x40' category='fixed'/></type>
            2:1: error: primitive type 't' has an attribute 'source' (only composite and restricted types have it)
                [unknown-attribute]
        <type name='t' class='primitive'>\n<encoding code='0x40' category='fixed'/><choice name='c' value='1'/></type>
            3:41: error: <choice> in primitive type 't' (only restricted types have them) [unknown-element]
        <type name='t' class='composite'/>
            2:1: error: composite type 't' has no <descriptor> [missing-element]
        <type name='t' class='composite'><descriptor name='d'/>\n<encoding code='0x40' category='fixed'/></type>
            3:1: error: <encoding> in composite type 't' (only primitive types have them) [unknown-element]
        <type name='t' class='composite' source='map'><descriptor code='1'/></type>
            2:1: error: composite type 't' has the source 'map', which is not supported (the standard reserves every
                source of composite types but 'list') [unsupported-source]
        <type name='t' class='restricted'/>
            2:1: error: restricted type 't' has no attribute 'source' (it names the type whose values are restricted, or
                is * for any) [missing-attribute]
        <type name='t' class='restricted' source='uint'><field name='f'/></type>
            2:49: error: <field> in restricted type 't' (only composite types have them) [unknown-element]
        <type name='t' class='union'/>
            2:1: warning: union type 't' is of a class that the standard reserves without saying what it means (it is
                taken to hold whatever provides an archetype of its name) [reserved-class]
        <type name='t' class='composite'><descriptor name='d'/>\n<descriptor/></type>
            3:1: error: descriptor has neither 'name' nor 'code' [missing-attribute]
        <type name='t' class='composite'><descriptor name='d'/>\n<descriptor name='ä'/></type>
            3:1: error: descriptor 'ä': name 'ä' is not a symbol: those are ASCII [bad-value]
        <type name='t' class='composite'><descriptor name='d'/>\n<descriptor code='0x10:'/></type>
            3:1: error: descriptor '0x10:': code '0x10:' is not two numbers parted by a colon, like
                0x00000000:0x00000010 [bad-value]
        <type name='t' class='composite'><descriptor name='d'/>\n<descriptor name='n' code='0x100000000:0x1'/></type>
            3:1: error: descriptor 'n': code '0x100000000:0x1' has a domain larger than 0xffffffff [bad-value]
        <type name='t' class='composite'><descriptor name='d'/>\n<field name='f' type='uint' mandatory='true' default='1'/></type>
            3:1: warning: field 'f' is mandatory, its default is never used [useless-default]
        """),
)
def test_what_a_class_of_types_has(text: str, expected: list[str]) -> None:
    assert complaints(text) == expected


def test_a_union_is_made_of_nothing() -> None:
    problems = complaints("<type name='t' class='union' source='uint'><choice name='c' value='1'/></type>")
    assert [problem.split("[")[1] for problem in problems] == [
        "unknown-element]",
        "unknown-attribute]",
        "reserved-class]",
    ]


@pytest.mark.parametrize(
    ("encoding", "expected"),
    written_cases("""
        code='0x3f' category='fixed'
            code '0x3f' is not a format code: those begin at 0x40 [bad-value]
        code='0x4f' category='fixed'
            code '0x4f' needs a second octet, which is not supported [unsupported-code]
        code='0xa1' category='fixed' width='1'
            category 'fixed' does not fit code '0xa1', which is variable [bad-encoding]
        code='0x70' category='fixed' width='3'
            width '3' is none that fixed encodings have (known: 0, 1, 2, 4, 8, 16) [bad-encoding]
        code='0xa1' category='variable' width='2'
            width '2' is none that variable encodings have (known: 1, 4) [bad-encoding]
        code='0xc0' category='compound' width='0'
            width '0' is none that compound encodings have (known: 1, 4) [bad-encoding]
        code='0xe0' category='array' width='8'
            width '8' is none that array encodings have (known: 1, 4) [bad-encoding]
        code='0x70' category='fixed' width='2'
            width 2 does not fit code '0x70', which says 4 [bad-encoding]
        """),
)
def test_encodings_agree_with_their_codes(encoding: str, expected: list[str]) -> None:
    code = encoding.split("'")[1]
    wanted = [f"3:1: error: encoding '{code}': {problem}" for problem in expected]
    assert complaints(f"<type name='t' class='primitive'>\n<encoding {encoding}/></type>") == wanted


def test_all_problems_are_found() -> None:
    problems = complaints(
        "<type name='t' clas='primitive'>\n<encoding code='x' category='fixed'/>\n</type>\n"
        "<type name='u' class='restricted'>\n<choice nam='a' value='1'/></type>\n<typ/>"
    )
    assert [problem.split(" error: ")[0] + problem.split(" [")[1] for problem in problems] == [
        "2:1:unknown-attribute]",
        "2:1:missing-attribute]",
        "3:1:bad-value]",
        "6:1:unknown-attribute]",
        "6:1:missing-attribute]",
        "7:1:unknown-element]",
        "5:1:missing-attribute]",
    ]
