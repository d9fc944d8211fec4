"""What concerns several attributes of a 0-x element."""

from __future__ import annotations

import pytest
from amqp_codegen.reader.amqp0.schema import AMQP0_SCHEMA, check_amqp0
from amqp_codegen.reader.check_schema import check_schema
from amqp_codegen.reader.xml_tree import read_xml

from tests.written_cases import written_cases

METHOD = (
    "<amqp major='0' minor='9'><class name='c' index='1'><method name='m' index='1'>\n{}"
    "</method></class></amqp>"
)
DOMAIN = "<amqp major='0' minor='9'><domain name='d' type='short'>\n{}</domain></amqp>"


@pytest.mark.parametrize(
    ("text", "expected"),
    written_cases("""
        METHOD <field name='f'/>
            field 'f' has neither 'type' nor 'domain' [missing-attribute]
        METHOD <field name='f' type='bit' domain='bit'/>
            field 'f' has both 'type' and 'domain' (keep the one that is right) [conflicting-attributes]
        METHOD <field name='f' type='bit' label='one'>two</field>
            field 'f' has a label and text, which is a label too: 'two' (put the text into a <doc>) [misplaced-text]
        DOMAIN <assert check='length'/>
            assert 'length' has no attribute 'value' [missing-attribute]
        DOMAIN <assert check='length' value='-1'/>
            assert 'length': value '-1' is negative [bad-value]
        DOMAIN <assert check='regexp' value='['/>
            assert 'regexp': value '[' is not a regular expression: unterminated character set at position 0 [bad-value]
        DOMAIN <assert check='ne'/>
            assert 'ne' has no attribute 'value' [missing-attribute]
        DOMAIN <assert check='le' method='tune'/>
            assert 'le' has no attribute 'field' [missing-attribute]
        DOMAIN <assert check='syntax'/>
            assert 'syntax' has no attribute 'rule' [missing-attribute]
        DOMAIN <assert check='enum'/>
            assert 'enum' has no <value> [missing-element]
        DOMAIN <assert check='null'><value name='v'/></assert>
            assert 'null' has a <value> (only an assert 'enum' has them) [unknown-element]
        DOMAIN <doc test='t'/>
            doc of domain 'd' has an attribute 'test' but is not a rule (only <doc name="rule"> has it here)
                [unknown-attribute]
        """),
)
def test_each_problem_has_its_place(text: str, expected: list[str]) -> None:
    where, _, inside = text.partition(" ")
    root = read_xml({"METHOD": METHOD, "DOMAIN": DOMAIN}[where].format(inside).encode(), "s.xml")
    assert check_schema(root, AMQP0_SCHEMA) == []
    assert [str(problem) for problem in check_amqp0(root)] == [
        f"s.xml:2:1: error: {problem}" for problem in expected
    ]


def test_a_doc_is_of_one_kind() -> None:
    root = read_xml(
        b"<amqp><class name='c'><doc type='grammar' name='rule'/><doc type='grammar' name='grammar'/>"
        b"</class></amqp>",
        "s.xml",
    )
    assert [str(problem) for problem in check_amqp0(root)] == [
        "s.xml:1:23: error: doc is of two kinds, 'grammar' and 'rule' [conflicting-attributes]"
    ]
