"""From 0-x trees to the raw model, with all the ways the published files write things."""

from __future__ import annotations

import pytest
from amqp_codegen.model.amqp0.raw import (
    RawAssert,
    RawChassis,
    RawClass,
    RawConstant,
    RawDomain,
    RawField,
    RawMethod,
    RawResponse,
    RawRule,
    RawSource,
    RawSpec,
)
from amqp_codegen.model.problem import Position, Problem
from amqp_codegen.reader.amqp0.raw_model import read_amqp0
from amqp_codegen.reader.xml_tree import read_xml

SOURCES = (RawSource("s.xml", "00"),)


def outcome(text: str) -> tuple[RawSpec | None, list[Problem]]:
    return read_amqp0(read_xml(text.encode(), "s.xml"), SOURCES)


def read(text: str) -> RawSpec:
    """Read what stands on line 2 inside a root element."""
    spec, problems = outcome(f"<amqp major='0' minor='9'>\n{text}\n</amqp>")
    assert problems == []
    assert spec is not None
    return spec


def one_class(text: str) -> RawClass:
    return read(f"<class name='c' index='1'>{text}</class>").classes[0]


def one_method(text: str) -> RawMethod:
    return one_class(f"<method name='m' index='2'>{text}</method>").methods[0]


def one_field(text: str) -> RawField:
    return one_method(text).fields[0]


def one_domain(text: str) -> RawDomain:
    return read(f"<domain name='d' type='short'>{text}</domain>").domains[0]


def at(column: int, line: int = 2) -> Position:
    return Position("s.xml", line, column)


def test_the_root_says_what_it_says() -> None:
    spec, problems = outcome(
        "<amqp major='0' minor='9' revision='1' port='5672' comment='AMQ Protocol version 0-9-1'/>"
    )
    assert problems == []
    assert spec == RawSpec(
        0, 9, 1, 5672, "AMQ Protocol version 0-9-1", "", SOURCES, (), (), (), at(1, 1), "0-9-1"
    )


def test_0_8_labels_its_root_by_text() -> None:
    spec, _ = outcome("<amqp major='8' minor='0'>\n  AMQ Protocol 0.80\n<!-- CONSTANTS -->\n</amqp>")
    assert spec is not None
    assert (spec.label, spec.version, spec.revision) == ("AMQ Protocol 0.80", "0-8", 0)


def test_qpid_numbers_0_9_1_in_its_own_way() -> None:
    spec, _ = outcome("<amqp major='0' minor='91' port='5672'/>")
    assert spec is not None
    assert (spec.major, spec.minor, spec.version) == (0, 91, "0-9-1")


def test_a_0_8_constant_has_its_meaning_as_text() -> None:
    assert read(
        "<constant name='not found' value='404' class='soft error'>\n  Not\n  there.\n</constant>"
    ).constants == (
        RawConstant("not found", 404, "soft-error", "", "Not there.", at(1)),
    )


def test_a_0_9_constant_has_its_meaning_as_doc() -> None:
    assert read(
        "<constant name='not-found' value='404' class='soft-error' label='gone'>"
        "<doc>Not there.</doc></constant>"
    ).constants == (
        RawConstant("not-found", 404, "soft-error", "gone", "Not there.", at(1)),
    )


def test_a_domain() -> None:
    domain = one_domain(
        " label <doc> It is. </doc><assert check='notnull'/><rule name='r'><doc>MUST be.</doc></rule>"
    )
    assert (domain.label, domain.doc) == ("label", "It is.")
    assert domain.asserts == (RawAssert("notnull", "", "", "", "", (), at(57)),)
    assert [rule.text for rule in domain.rules] == ["MUST be."]


@pytest.mark.parametrize(
    "text",
    [
        "\n  a label\n  <doc>text</doc>",
        "<!-- BANNER -->\n a label <doc>text</doc>",
        "<doc>text</doc> a <!-- no --> label\n",
        "a<doc>text</doc>label",
    ],
)
def test_a_0_8_label_is_text_before_between_or_after(text: str) -> None:
    read_class = one_class(text)
    assert (read_class.label, read_class.doc) == ("a label", "text")


def test_a_field_without_docs_may_still_have_a_label_as_text() -> None:
    field = one_field("<field name='f' type='bit'>\n  server properties\n</field>")
    assert field.label == "server properties"


def test_rabbitmq_labels_two_methods_of_0_9_1_by_text() -> None:
    assert one_method("\n  select confirm mode\n <doc>Doc.</doc>").label == "select confirm mode"


def test_a_0_8_rule_is_text_around_its_tests() -> None:
    (rule,) = one_domain(
        "<rule implement='SHOULD'>\n<test>t_29</test>\n<test>t_30</test>\n The server\n SHOULD.\n</rule>"
    ).rules
    assert rule == RawRule("", "", "The server SHOULD.", "SHOULD", "", None, "t_29 t_30", at(31))


def test_a_0_9_rule_has_docs() -> None:
    (rule,) = one_domain(
        "<rule name='not immediate' label='l' on-failure='not-found'>"
        "<doc>One.</doc><doc type='scenario'>Try.</doc><doc>Two.</doc><doc type='scenario'>\n</doc></rule>"
    ).rules
    assert rule == RawRule("not immediate", "l", "One.\n\nTwo.", "", "not-found", "Try.", None, at(31))


def test_an_empty_scenario_is_one_and_no_scenario_is_none() -> None:
    rules = one_domain("<rule name='a'><doc type='scenario'/></rule><rule name='b'><doc/></rule>").rules
    assert [(rule.scenario, rule.text) for rule in rules] == [("", ""), (None, "")]


def test_0_8_docs_that_are_rules_stand_among_the_rules() -> None:
    method = one_method(
        "<doc>Plain.</doc><doc name='rule' test='amq_1'>First.</doc><rule implement='MAY'>Second.</rule>"
        "<doc name='rule'>\n Third.</doc>"
    )
    assert method.doc == "Plain."
    assert [(rule.text, rule.level, rule.test, rule.name) for rule in method.rules] == [
        ("First.", "", "amq_1", ""),
        ("Second.", "MAY", None, ""),
        ("Third.", "", None, ""),
    ]


def test_a_stripped_test_is_there_but_empty() -> None:
    assert one_field("<field name='f' type='bit'><test/></field>").test == ""


def test_tests_of_fields_and_of_plain_docs_are_kept() -> None:
    method = one_method(
        "<doc test='amq_basic_04'>x</doc><field name='f' type='bit'><test>amq_27</test></field>"
    )
    assert method.test == "amq_basic_04"
    assert method.fields[0].test == "amq_27"
    assert one_method("").test is None


@pytest.mark.parametrize("attribute", ["type", "name"])
def test_grammars_keep_their_lines(attribute: str) -> None:
    read_class = one_class(f"<doc>Doc.</doc><doc {attribute}='grammar'>\n    a = b\n      / c\n  </doc>")
    assert (read_class.doc, read_class.grammars) == ("Doc.", ("a = b\n  / c",))


def test_docs_are_joined_as_paragraphs_and_empty_ones_left_out() -> None:
    assert one_method("<doc>One\n\ttab.\n\n Two.</doc><doc/><doc>\n</doc><doc>Three.</doc>").doc == (
        "One tab.\n\nTwo.\n\nThree."
    )


def test_names_are_kept_as_written() -> None:
    spec = read("<domain name='known hosts ' type='Xid'/><class name='no_ack' index='1' handler='a b'/>")
    assert spec.domains[0].name == "known hosts "
    assert (spec.classes[0].name, spec.classes[0].handler) == ("no_ack", "a b")


def test_a_method() -> None:
    method = one_class(
        "\n<method name='open' synchronous='1' content='1' deprecated='1' index='10' label='l'>\n"
        "<chassis name='server' implement='MUST'/><chassis name='client' implement='SHOULD'/>\n"
        "<response name='open-ok'/><response name='redirect'/></method>"
    ).methods[0]
    assert (method.name, method.index, method.label) == ("open", 10, "l")
    assert (method.synchronous, method.content, method.deprecated) == (True, True, True)
    assert method.chassis == (
        RawChassis("server", "MUST", at(1, 4)),
        RawChassis("client", "SHOULD", at(42, 4)),
    )
    assert method.responses == (RawResponse("open-ok", at(1, 5)), RawResponse("redirect", at(27, 5)))


def test_absent_flags_are_off() -> None:
    method = one_method("")
    assert (method.synchronous, method.content, method.deprecated) == (False, False, False)


def test_a_field() -> None:
    field = one_field(
        "\n<field name='f' domain='class id' reserved='1' required='0'>"
        "<see name='one'/><see name='two'/></field>"
    )
    assert field == RawField(
        "f", "", "class id", True, False, "", "", ("one", "two"), (), (), at(1, 3), None, ""
    )


def test_required_may_be_unsaid() -> None:
    assert one_field("<field name='f' type='bit'/>").required is None
    assert one_field("<field name='f' type='bit' required='1'/>").required is True


def test_asserts_have_all_their_attributes() -> None:
    asserts = one_field(
        "<field name='f' type='octet'>"
        "<assert check='enum'><value name='add'>sum</value><value name='min' label='least'/></assert>"
        "<assert check='le' method='tune' field='channel max'/><assert check='syntax' rule='path'/>"
        "<assert check='regexp' value='^[a-zA-Z0-9/-_]+$'/></field>"
    ).asserts
    assert asserts[0].values == ("add", "min")
    assert asserts[0].value_labels == ("sum", "least")
    assert (asserts[1].method, asserts[1].field) == ("tune", "channel max")
    assert asserts[2].rule == "path"
    assert asserts[3].value == "^[a-zA-Z0-9/-_]+$"


def test_properties_are_the_fields_of_a_class() -> None:
    read_class = one_class(
        "<field name='p' type='bit'/><method name='m' index='1'/><field name='q' type='bit'/>"
    )
    assert [field.name for field in read_class.fields] == ["p", "q"]


def test_errors_leave_no_specification_and_all_are_reported() -> None:
    spec, problems = outcome(
        "<amqp major='0' minor='9'><class name='c' index='x'><field name='f'/></class></amqp>"
    )
    assert spec is None
    assert [problem.rule_id for problem in problems] == ["bad-value", "missing-attribute"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<amqp major='0' minor='10'/>", "AMQP 0-10 is not supported: it is described in another language"),
        ("<amqp name='types'/>", "this file describes AMQP 1.0, not one of the 0-x versions"),
    ],
)
def test_other_versions_are_not_read(text: str, message: str) -> None:
    spec, problems = outcome(text)
    assert spec is None
    assert [problem.message for problem in problems] == [message]
