"""Misspellings corrected, so that lint can go on; and what cannot be, left out."""

from __future__ import annotations

from amqp_codegen.lint.examine import repaired
from amqp_codegen.reader.amqp0.schema import AMQP0_SCHEMA
from amqp_codegen.reader.check_schema import check_schema
from amqp_codegen.reader.xml_tree import read_xml

from tests.reader.write_xml import write_xml


def repair(text: str) -> str:
    root = repaired(read_xml(text.encode(), "s.xml"), AMQP0_SCHEMA)
    return "".join(line.strip() for line in write_xml(root).splitlines() if not line.startswith("<?"))


def test_misspelt_names_are_corrected() -> None:
    text = '<amqp major="0" minr="9"><clas name="c" indx="1"/></amqp>'
    assert repair(text) == '<amqp major="0" minor="9"><class name="c" index="1"/></amqp>'


def test_what_is_there_already_stays() -> None:
    text = '<amqp major="0" minor="9" minr="8"/>'
    assert repair(text) == '<amqp major="0" minor="9"/>'


def test_what_nobody_could_guess_goes() -> None:
    text = '<amqp major="0" minor="9" zzz="1"><zzz/><class name="c" index="1"><response name="a">x</response></class></amqp>'
    assert repair(text) == '<amqp major="0" minor="9"><class name="c" index="1"/></amqp>'


def test_wrong_values_stay() -> None:
    root = read_xml(b'<amqp major="x" minor="9"/>', "s.xml")
    assert [problem.rule_id for problem in check_schema(repaired(root, AMQP0_SCHEMA), AMQP0_SCHEMA)] == [
        "bad-value"
    ]
