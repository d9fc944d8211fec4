"""Trees against grammars."""

from __future__ import annotations

import pytest
from amqp_codegen.reader.amqp0.schema import AMQP0_SCHEMA
from amqp_codegen.reader.check_schema import MAX_PROBLEMS, check_schema
from amqp_codegen.reader.schema import NAME, TEXT, ElementSchema, Schema, optional, overlay_schema, required
from amqp_codegen.reader.xml_tree import read_xml

from tests.growth import LARGEST_EXPONENT, line_exponent


def problems(text: str, schema: Schema = AMQP0_SCHEMA) -> list[str]:
    return [str(problem) for problem in check_schema(read_xml(text.encode(), "s.xml"), schema)]


def inside(text: str) -> list[str]:
    """Return the problems of what stands on line 2 inside a root element."""
    return problems(f"<amqp major='0' minor='9'>\n{text}\n</amqp>")


def test_a_fitting_tree_has_no_problems() -> None:
    assert inside("<class name='c' index='1'><method name='m' index='2' synchronous='1'/></class>") == []


def test_all_problems_are_found_in_file_order() -> None:
    assert problems(
        "<amqp major='0' minor='x' prot='1'>\n"
        " <constant name='a' value='-1' class='soft'/>\n"
        " <domian name='b'/>\n"
        " <class name=' ' index='65536'>\n"
        "  <method nam='m' synchronus='1' content='yes' index='1'>label"
        "<chassis name='server'>text</chassis></method>\n"
        " </class>\n"
        "</amqp>"
    ) == [
        "s.xml:1:1: error: amqp: minor 'x' is not a number [bad-value]",
        "s.xml:1:1: error: unknown attribute 'prot' of amqp (did you mean 'port'?) [unknown-attribute]",
        "s.xml:2:2: error: constant 'a': value '-1' is negative [bad-value]",
        "s.xml:2:2: error: constant 'a': class 'soft' is not one of soft-error, hard-error, soft error and "
        "hard error [bad-value]",
        "s.xml:3:2: error: unknown element <domian> in <amqp> (did you mean 'domain'?) [unknown-element]",
        "s.xml:4:2: error: class ' ': name ' ' is empty [bad-value]",
        "s.xml:4:2: error: class ' ': index '65536' is larger than 65535 [bad-value]",
        "s.xml:5:3: error: unknown attribute 'nam' of method (did you mean 'name'?) [unknown-attribute]",
        "s.xml:5:3: error: unknown attribute 'synchronus' of method (did you mean 'synchronous'?) "
        "[unknown-attribute]",
        "s.xml:5:3: error: method: content 'yes' is neither 0 nor 1 [bad-value]",
        "s.xml:5:3: error: method has no attribute 'name' [missing-attribute]",
        "s.xml:5:63: error: chassis 'server' has no attribute 'implement' [missing-attribute]",
        "s.xml:5:63: error: text in <chassis>, where none belongs: 'text' [misplaced-text]",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<codegen value='no-gen'/>", "unknown element <codegen> in <amqp>"),
        ("<method name='m' index='1'/>", "unknown element <method> in <amqp> (<method> belongs elsewhere)"),
        ("<constant name='c' value='1'><doc type='grammar'/></constant>",
         "unknown attribute 'type' of doc 'grammar'"),
        ("<domain name='d' type='short'><doc><p/></doc></domain>", "unknown element <p> in <doc>"),
        ("<class name='c' index='1'><rule><doc type='grammar'/></rule></class>",
         "doc 'grammar': type 'grammar' is not scenario"),
        ("<class xmlns='urn:other' name='c' index='1'/>", "unknown element <class> in namespace 'urn:other'"),
        ("<constant xmlns:o='urn:o' o:name='c' name='c' value='1'/>", "unknown attribute '{urn:o}name' of"),
        ("<constant xml:lang='en' name='c' value='1'/>", "unknown attribute '{http://www.w3.org/XML/"),
        ("<constant name='c' value='1' overlay='add'/>", "unknown attribute 'overlay' of constant"),
    ],
)  # fmt: skip
def test_what_stands_in_the_wrong_place_is_unknown(text: str, expected: str) -> None:
    (problem,) = inside(text)
    assert problem.startswith("s.xml:2:")
    assert f": error: {expected}" in problem


def test_the_inside_of_an_unknown_element_is_not_looked_at() -> None:
    assert len(inside("<unknown><class/><x y='z'/></unknown>")) == 1


def test_another_root_is_unknown() -> None:
    assert problems("<protocol><x/></protocol>") == [
        "s.xml:1:1: error: the root element is <protocol>, expected <amqp> [unknown-element]"
    ]


def test_a_namespace_is_unknown_where_the_grammar_has_none() -> None:
    assert problems("<amqp xmlns='urn:x' major='0' minor='9'/>") == [
        "s.xml:1:1: error: unknown element <amqp> in namespace 'urn:x' "
        "(these files have no namespace) [unknown-element]"
    ]


def test_any_one_namespace_will_do_where_the_grammar_has_them() -> None:
    schema = Schema("a", {"a": ElementSchema({}, {"b": "b"}), "b": ElementSchema({})}, namespaces=True)
    assert problems("<a><b/></a>", schema) == []
    assert problems("<a xmlns='urn:x'><b/></a>", schema) == []
    assert problems("<a xmlns='urn:x'><b xmlns='urn:y'/></a>", schema) == [
        "s.xml:1:18: error: unknown element <b> in namespace 'urn:y' [unknown-element]"
    ]


def test_one_tag_can_have_a_rule_for_each_parent() -> None:
    schema = Schema(
        "a",
        {
            "a": ElementSchema({}, {"b": "b", "x": "x of a"}),
            "b": ElementSchema({}, {"x": "x of b"}),
            "x of a": ElementSchema({"name": required(NAME)}),
            "x of b": ElementSchema({"type": optional(TEXT)}, text=True),
        },
    )
    assert problems("<a><x name='n'/><b><x type=''>text</x></b></a>", schema) == []
    assert problems("<a><x type=''/><b><x name='n'/></b></a>", schema) == [
        "s.xml:1:4: error: unknown attribute 'type' of x '' [unknown-attribute]",
        "s.xml:1:4: error: x '' has no attribute 'name' [missing-attribute]",
        "s.xml:1:19: error: unknown attribute 'name' of x 'n' [unknown-attribute]",
    ]


def test_an_overlay_needs_nothing_but_to_say_that_it_is_one() -> None:
    overlay = overlay_schema(AMQP0_SCHEMA)
    place = "<amqp overlay='x'><class name='c'><chassis name='server'/></class></amqp>"
    assert problems(place, overlay) == []
    assert problems("<amqp><class overlay='ad' reson='r'/></amqp>", overlay) == [
        "s.xml:1:1: error: amqp has no attribute 'overlay' [missing-attribute]",
        "s.xml:1:7: error: class: overlay 'ad' is not one of add, replace and remove "
        "(did you mean 'add'?) [bad-value]",
        "s.xml:1:7: error: unknown attribute 'reson' of class (did you mean 'reason'?) [unknown-attribute]",
    ]


def test_a_thousand_problems_are_enough() -> None:
    found = inside("".join(f"<clas{number}/>" for number in range(20 * MAX_PROBLEMS)))
    assert len(found) == MAX_PROBLEMS + 1
    assert found[-1].endswith("there are more problems from here on [too-many-problems]")


def test_many_problems_take_linear_time() -> None:
    def text(count: int) -> str:
        return "".join(f"<clas{number}/>" for number in range(count))

    assert line_exponent(text, inside, MAX_PROBLEMS // 8) <= LARGEST_EXPONENT
