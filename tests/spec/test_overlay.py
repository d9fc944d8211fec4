"""Overlays merged into a tree, and every way in which they do not fit."""

from __future__ import annotations

import pytest
from amqp_codegen.spec.element import Element
from amqp_codegen.spec.overlay import merge_overlays
from amqp_codegen.spec.write_xml import write_xml
from amqp_codegen.spec.xml_reader import read_xml

BASE = """<amqp major="0" minor="9">
<constant name="one" value="1"/>
<constant name="two" value="2"/>
<class name="basic" index="60">
<doc>Plain.</doc>
<doc type="grammar">g</doc>
<method name="ack" index="80"><chassis name="server" implement="MUST"/></method>
<method name="reject" index="90"><field name="reserved-1" type="short" reserved="1"/></method>
</class>
</amqp>"""
WHY = 'reason="r" source="s"'


def merge(*overlays: str, base: str = BASE) -> tuple[Element, list[str]]:
    """Merge overlays into the base; each overlay is what stands on line 2 of a file of its own."""
    roots = [
        read_xml(f'<amqp overlay="base.xml">\n{text}\n</amqp>'.encode(), f"over{number}.xml")
        for number, text in enumerate(overlays, 1)
    ]
    merged, problems = merge_overlays(read_xml(base.encode(), "base.xml"), roots)
    return merged, [str(problem) for problem in problems]


def merged(*overlays: str, base: str = BASE) -> Element:
    root, problems = merge(*overlays, base=base)
    assert problems == []
    return root


def problems(*overlays: str, base: str = BASE) -> list[str]:
    return merge(*overlays, base=base)[1]


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
    ("text", "expected"),
    [
        (
            '<constant name="x" overlay="add"/>',
            [
                "constant 'x' has overlay='add' but no reason [overlay-attribute]",
                "constant 'x' has overlay='add' but no source [overlay-attribute]",
            ],
        ),
        (
            '<constant name="one" overlay="remove" reason=" " source="s"/>',
            ["constant 'one' has overlay='remove' but no reason [overlay-attribute]"],
        ),
        (
            f'<constant name="one" overlay="delete" {WHY}/>',
            ["constant 'one': overlay 'delete' is not one of add, replace and remove [overlay-attribute]"],
        ),
        (
            f'<constant name="one" overlay="replac" {WHY}/>',
            [
                "constant 'one': overlay 'replac' is not one of add, replace and remove "
                "(did you mean 'replace'?) [overlay-attribute]"
            ],
        ),
        (
            f'<constant name="x" overlay="add" rename="y" {WHY}/>',
            ["constant 'x': only overlay='replace' can rename [overlay-attribute]"],
        ),
        (
            f'<class name="basic"><doc overlay="replace" rename="y" {WHY}/></class>',
            ["doc has no name that could be changed [overlay-attribute]"],
        ),
        (
            f'<constant name="one" overlay="replace" after="two" {WHY}/>',
            ["constant 'one': only overlay='add' can say 'after' [overlay-attribute]"],
        ),
        (
            f'<constant name="x" overlay="add" after="one" before="two" {WHY}/>',
            ["constant 'x' says both 'before' and 'after' [overlay-attribute]"],
        ),
        (
            f'<constant name="one" overlay="remove" {WHY}>text</constant>',
            ["constant 'one' has overlay='remove' but is not empty [overlay-attribute]"],
        ),
        (
            f'<class name="x" overlay="add" {WHY}><method name="m" overlay="add" {WHY}/></class>',
            [
                "method 'm' is inside an element that has overlay='add' already "
                "(what is inside it needs no overlay attribute) [overlay-attribute]"
            ],
        ),
        (
            '<constant name="one"/>',
            [
                "constant 'one' only says where we are, and nothing is there "
                '(say overlay="add", "replace" or "remove") [overlay-attribute]'
            ],
        ),
        (
            '<constant name="one">text</constant>',
            [
                "constant 'one' only says where we are, but has text: 'text' "
                '(say overlay="add", "replace" or "remove") [overlay-attribute]'
            ],
        ),
        (
            f'<class name="basic" reason="r"><doc overlay="remove" {WHY}/></class>',
            [
                "class 'basic' has 'reason' but no 'overlay' "
                '(say overlay="add", "replace" or "remove") [overlay-attribute]'
            ],
        ),
        (
            f'<class name="basic" index="61"><doc overlay="remove" {WHY}/></class>',
            [
                "class 'basic' has index '61', but '60' at base.xml:4:1 "
                '(to change it, say overlay="replace") [overlay-target]'
            ],
        ),
        (
            f'<constant name="one" class="soft" overlay="remove" {WHY}/>',
            [
                "constant 'one' has an attribute 'class', but none at base.xml:2:1 "
                '(to change it, say overlay="replace") [overlay-target]'
            ],
        ),
        (
            f'<class name="basik"><doc overlay="remove" {WHY}/></class>',
            ["amqp has no class 'basik' (did you mean 'basic'?) [overlay-target]"],
        ),
        (
            '<class name="confirm"><method name="m"/></class>',
            ["amqp has no class 'confirm' (to add it, say overlay=\"add\") [overlay-target]"],
        ),
        (
            f'<class name="basic"><method name="rejct" overlay="remove" {WHY}/></class>',
            ["class 'basic' has no method 'rejct' (did you mean 'reject'?) [overlay-target]"],
        ),
        (
            f'<constant name="x" overlay="add" after="twwo" {WHY}/>',
            ["constant 'x' is to stand after constant 'twwo', but there is none (did you mean 'two'?) "
             "[overlay-target]"],
        ),
        (
            f'<constant name="x" overlay="add" after="y" {WHY}/><constant name="y" overlay="add" {WHY}/>',
            ["constant 'x' is to stand after constant 'y', but there is none ('y' must be added first) "
             "[overlay-target]"],
        ),
        (
            f'<domain name="x" overlay="add" before="one" {WHY}/>',
            ["domain 'x' is to stand before domain 'one', but there is none [overlay-target]"],
        ),
        (
            f'<constant name="One" value="1" overlay="add" {WHY}/>',
            [
                "constant 'One' exists already at base.xml:2:1 "
                '(say overlay="replace" to change it) [overlay-conflict]'
            ],
        ),
        (
            f'<constant name="one" overlay="replace" rename="TWO" {WHY}/>',
            ["constant 'one' cannot be renamed to 'TWO': that is taken at base.xml:3:1 [overlay-conflict]"],
        ),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_a_problem(text: str, expected: list[str]) -> None:
    found = problems(text)
    assert [problem.split("error: ")[1] for problem in found] == expected
    assert all(problem.startswith("over1.xml:2:") for problem in found)


ONLY_ONE = "(only one overlay entry may touch an element) [overlay-conflict]"


def test_two_entries_for_one_element_conflict_and_both_are_named() -> None:
    one = f'<constant name="one" overlay="remove" {WHY}/>'
    assert problems(one, one) == [
        f"over2.xml:2:1: error: constant 'one' is changed here, and already at over1.xml:2:1 {ONLY_ONE}"
    ]
    assert problems(f"{one}\n{one}") == [
        f"over1.xml:3:1: error: constant 'one' is changed here, and already at over1.xml:2:1 {ONLY_ONE}"
    ]


def test_a_change_conflicts_with_a_change_inside() -> None:
    whole = f'<class name="basic" overlay="remove" {WHY}/>'
    inside = f'<class name="basic"><doc overlay="remove" {WHY}/></class>'
    expected = "is changed here, and what is inside it at"
    assert problems(whole, inside) == [
        f"over1.xml:2:1: error: class 'basic' {expected} over2.xml:2:1 {ONLY_ONE}"
    ]
    assert problems(inside, whole) == [
        f"over2.xml:2:1: error: class 'basic' {expected} over1.xml:2:1 {ONLY_ONE}"
    ]


def test_two_additions_of_one_name_conflict() -> None:
    assert problems(
        f'<constant name="x-y" overlay="add" {WHY}/>', f'<constant name="X y" overlay="add" {WHY}/>'
    ) == ["over2.xml:2:1: error: constant 'X y' is introduced already at over1.xml:2:1 [overlay-conflict]"]


def test_an_addition_conflicts_with_a_rename_to_its_name() -> None:
    add = f'<constant name="x" overlay="add" {WHY}/>'
    rename = f'<constant name="one" rename="x" overlay="replace" {WHY}/>'
    assert problems(add, rename) == [
        "over2.xml:2:1: error: constant 'one' cannot be renamed to 'x': that is taken at over1.xml:2:1 "
        "[overlay-conflict]"
    ]
    assert problems(rename, add) == [
        "over2.xml:2:1: error: constant 'x' is introduced already at over1.xml:2:1 [overlay-conflict]"
    ]


def test_a_removed_sibling_is_no_anchor() -> None:
    remove = f'<constant name="one" overlay="remove" {WHY}/>'
    assert problems(remove, f'<constant name="x" overlay="add" after="one" {WHY}/>') == [
        "over2.xml:2:1: error: constant 'x' is to stand after constant 'one', but there is none "
        "[overlay-target]"
    ]


def test_one_of_several_alike_cannot_be_meant() -> None:
    assert problems(
        f"<rule overlay='remove' {WHY}/>", base="<amqp><rule>one</rule><rule>two</rule></amqp>"
    ) == ["over1.xml:2:1: error: amqp has 2 of rule: which one is meant cannot be told [overlay-target]"]


def test_what_can_be_applied_is_applied_beside_problems() -> None:
    root, found = merge(
        f'<constant name="x" overlay="add" {WHY}/><constant name="no" overlay="remove" {WHY}/>'
    )
    assert names(root, "constant") == ["one", "two", "x"]
    assert len(found) == 1


def root_problems(text: str) -> list[str]:
    base = read_xml(BASE.encode(), "base.xml")
    unchanged, found = merge_overlays(base, [read_xml(text.encode(), "over.xml")])
    assert unchanged == base
    return [str(problem) for problem in found]


def test_a_root_must_say_that_it_is_an_overlay_and_be_of_the_same_kind() -> None:
    assert root_problems("<amqp/>") == [
        "over.xml:1:1: error: this file is not an overlay: its root element has no attribute 'overlay' "
        "[overlay-attribute]"
    ]
    assert root_problems("<protocol overlay='x'/>") == [
        "over.xml:1:1: error: the root element is <protocol>, but <amqp> at base.xml:1:1 [overlay-target]"
    ]
    assert root_problems("<amqp overlay='x' major='8' label='free'/>") == [
        "over.xml:1:1: error: amqp has major '8', but '0' at base.xml:1:1 "
        '(to change it, say overlay="replace") [overlay-target]'
    ]
