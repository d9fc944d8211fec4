"""Overlays merged into a tree."""

from __future__ import annotations

import pytest
from amqp_codegen.reader.element import Element
from amqp_codegen.reader.xml_tree import read_xml

from tests.growth import LARGEST_EXPONENT, exponent, lines
from tests.reader.write_xml import write_xml

from .overlays import BASE, WHY, merge


def merged(*overlays: str, base: str = BASE) -> Element:
    root, problems = merge(*overlays, base=base)
    assert problems == []
    return root


def names(element: Element, tag: str) -> list[str]:
    return [child.attributes["name"] for child in element.find_all(tag)]


def test_no_overlay_changes_nothing() -> None:
    assert merged() == read_xml(BASE.encode(), "base.xml")


def test_an_added_element_goes_after_the_last_of_its_tag() -> None:
    root = merged(f'<constant name="three" value="3" overlay="add" {WHY}/>')
    assert [child.attributes["name"] for child in root.children] == ["one", "two", "three", "basic"]


def test_an_added_element_of_a_new_tag_goes_to_the_end() -> None:
    root = merged(f'<domain name="d" type="bit" overlay="add" {WHY}/><class name="tx" overlay="add" {WHY}/>')
    assert [child.tag for child in root.children] == ["constant", "constant", "class", "class", "domain"]
    assert root.content[-1] == "\n"


def test_an_added_element_keeps_its_place_in_the_overlay_and_says_why() -> None:
    root = merged(
        '<class name="basic"><method name="nack" index="120" overlay="add"\n'
        ' reason="more than\n one" source="https://example.org"><chassis name="server" implement="MUST"/>'
        "</method></class>"
    )
    nack = root.find_all("class")[0].find_all("method")[2]
    assert nack.attributes == {"name": "nack", "index": "120"}
    assert str(nack.position) == "over1.xml:2:21"
    assert nack.origin == "more than one (https://example.org)"
    assert nack.children[0].origin == ""


def test_before_and_after_name_a_sibling() -> None:
    root = merged(
        f'<constant name="b" overlay="add" after="ONE" {WHY}/>'
        f'<constant name="c" overlay="add" after="b" {WHY}/>'
        f'<constant name="d" overlay="add" after="one" {WHY}/>'
        f'<constant name="e" overlay="add" before="two" {WHY}/>'
        f'<constant name="f" overlay="add" before="two" {WHY}/>'
        f'<constant name="z" overlay="add" {WHY}/>'
        f'<constant name="a" overlay="add" before="one" {WHY}/>'
    )
    assert names(root, "constant") == ["a", "one", "b", "c", "d", "e", "f", "two", "z"]


def test_a_long_chain_of_additions_is_no_deep_recursion() -> None:
    entries = [f'<constant name="n{n}" overlay="add" after="n{n - 1}" {WHY}/>' for n in range(1, 5000)]
    root = merged(f'<constant name="n0" overlay="add" {WHY}/>' + "".join(entries))
    assert names(root, "constant") == ["one", "two"] + [f"n{n}" for n in range(5000)]


def test_a_replaced_element_stays_where_it_was() -> None:
    root = merged(f'<constant name="ONE" value="10" overlay="replace" {WHY}/>')
    assert root.children[0].attributes == {"name": "ONE", "value": "10"}
    assert (root.children[0].origin, root.children[1].origin) == ("r (s)", "")


def test_a_replaced_element_can_get_another_name() -> None:
    root = merged(
        '<class name="basic"><method name="reject">'
        f'<field name="reserved_1" rename="ticket" domain="ticket" overlay="replace" {WHY}/></method></class>'
    )
    (field,) = root.find_all("class")[0].find_all("method")[1].children
    assert field.attributes == {"name": "ticket", "domain": "ticket"}


def test_a_new_name_can_be_an_anchor_and_a_new_spelling_is_no_clash() -> None:
    root = merged(
        f'<constant name="one" rename="One" value="1" overlay="replace" {WHY}/>'
        f'<constant name="two" rename="deux" value="2" overlay="replace" {WHY}/>'
        f'<constant name="x" before="deux" overlay="add" {WHY}/>'
        f'<constant name="y" before="two" overlay="add" {WHY}/>'
    )
    assert names(root, "constant") == ["One", "x", "y", "deux"]


def test_a_removed_element_is_gone() -> None:
    root = merged(
        f'<constant name="one" value="1" overlay="remove" {WHY}/><class name="basic" overlay="remove" {WHY}/>'
    )
    assert [child.attributes["name"] for child in root.children] == ["two"]


def test_docs_asserts_and_others_are_found_by_what_tells_them_apart() -> None:
    base = (
        "<amqp><doc>p</doc><doc type='grammar'>g</doc>"
        "<assert check='null'/><assert check='length' value='1'/>"
        "<encoding code='0x40'/><encoding code='0x41'/><descriptor name='d'/></amqp>"
    )
    root = merged(
        f"<doc overlay='replace' {WHY}>P</doc><doc name='grammar' overlay='replace' {WHY}>G</doc>"
        f"<assert check='length' value='2' overlay='replace' {WHY}/>"
        f"<encoding code='0X41' overlay='remove' {WHY}/>",
        base=base,
    )
    assert [(child.tag, child.text) for child in root.children] == [
        ("doc", "P"),
        ("doc", "G"),
        ("assert", ""),
        ("assert", ""),
        ("encoding", ""),
        ("descriptor", ""),
    ]
    assert root.children[3].attributes == {"check": "length", "value": "2"}


def test_unnamed_rules_can_be_added_beside_others() -> None:
    base = "<amqp><rule>one</rule><doc name='rule'>two</doc></amqp>"
    root = merged(
        f"<rule overlay='add' {WHY}>three</rule><rule overlay='add' {WHY}>four</rule>"
        f"<doc name='rule' overlay='add' {WHY}>five</doc>",
        base=base,
    )
    assert [child.text for child in root.children] == ["one", "three", "four", "two", "five"]


def test_a_lone_unnamed_element_can_be_replaced() -> None:
    root = merged(f"<rule overlay='replace' {WHY}>new</rule>", base="<amqp><rule>old</rule></amqp>")
    assert [child.text for child in root.children] == ["new"]


def test_places_may_repeat_what_the_base_has() -> None:
    root = merged(
        f'<class name="Basic" index="60"><method name="ack" index="80" overlay="remove" {WHY}/></class>'
    )
    assert names(root.find_all("class")[0], "method") == ["reject"]


def test_several_overlays_apply_whatever_their_order() -> None:
    first = f'<class name="basic"><method name="ack" overlay="remove" {WHY}/></class>'
    second = f'<class name="basic"><method name="reject"><doc overlay="add" {WHY}>D</doc></method></class>'
    assert write_xml(merged(first, second)) == write_xml(merged(second, first))


def test_an_overlay_follows_the_namespace_of_its_base() -> None:
    root = merged(
        f"<section name='s'><type name='t' overlay='add' {WHY}><field name='f'/></type></section>",
        base="<amqp xmlns='urn:x'><section name='s'/></amqp>",
    )
    assert {element.namespace for element in root.walk()} == {"urn:x"}


def test_a_source_of_the_element_itself_is_kept_beside_overlay_source() -> None:
    root = merged("<type name='t' source='list' overlay='add' reason='r' overlay-source='s'/>")
    assert root.find_all("type")[0].attributes == {"name": "t", "source": "list"}
    assert root.find_all("type")[0].origin == "r (s)"


def test_mixed_text_survives_a_merge() -> None:
    base = "<amqp><class name='c'>\n label\n <method name='m'/>\n</class></amqp>"
    root = merged(f"<class name='c'><method name='n' overlay='add' {WHY}/></class>", base=base)
    assert root.children[0].text == "label"
    assert write_xml(root).endswith(
        '  <class name="c">\n    label\n    <method name="m"/>\n'
        '    <!-- r (s) -->\n    <method name="n"/>\n  </class>\n</amqp>\n'
    )


@pytest.mark.parametrize(
    "entry",
    [
        '<constant name="n{}" overlay="add" {WHY}/>',
        '<constant name="n{}" after="one" overlay="add" {WHY}/>',
        '<constant name="n{}" after="no" overlay="add" {WHY}/>',
        '<constant name="n{}" overlay="remove" {WHY}/>',
        '<constant name="c{}" rename="n{}" overlay="replace" {WHY}/>',
        '<constant name="c1" overlay="remove" {WHY}/>',
    ],
)
def test_many_entries_take_linear_time(entry: str) -> None:
    """Of so many names none is looked for that was meant."""

    def work(count: int) -> int:
        base = "".join(f"<constant name='c{number}'/>" for number in range(count))
        overlay = "".join(entry.format(number, number, WHY=WHY) for number in range(count))
        return lines(lambda text: merge(text, base=f"<amqp>{base}</amqp>"), overlay)

    assert exponent([(count, work(count)) for count in (1000, 2000)]) <= LARGEST_EXPONENT
