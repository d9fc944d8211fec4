"""Every way in which overlays do not fit; each problem names its place."""

from __future__ import annotations

import pytest
from amqp_codegen.reader.overlay import merge_overlays
from amqp_codegen.reader.xml_tree import read_xml

from tests.written_cases import written_cases

from .overlays import BASE, WHY, merge


def problems(*overlays: str, base: str = BASE) -> list[str]:
    return merge(*overlays, base=base)[1]


@pytest.mark.parametrize(
    ("text", "expected"),
    written_cases("""
        <constant name="x" overlay="add"/>
            constant 'x' has overlay='add' but no reason [overlay-attribute]
            constant 'x' has overlay='add' but no source [overlay-attribute]
        <constant name="one" overlay="remove" reason=" " source="s"/>
            constant 'one' has overlay='remove' but no reason [overlay-attribute]
        <constant name="one" overlay="delete" {WHY}/>
            constant 'one': overlay 'delete' is not one of add, replace and remove [overlay-attribute]
        <constant name="one" overlay="replac" {WHY}/>
            constant 'one': overlay 'replac' is not one of add, replace and remove (did you mean 'replace'?)
                [overlay-attribute]
        <constant name="x" overlay="add" rename="y" {WHY}/>
            constant 'x': only overlay='replace' can rename [overlay-attribute]
        <class name="basic"><doc overlay="replace" rename="y" {WHY}/></class>
            doc has no name that could be changed [overlay-attribute]
        <constant name="one" overlay="replace" after="two" {WHY}/>
            constant 'one': only overlay='add' can say 'after' [overlay-attribute]
        <constant name="x" overlay="add" after="one" before="two" {WHY}/>
            constant 'x' says both 'before' and 'after' [overlay-attribute]
        <constant name="one" overlay="remove" {WHY}>text</constant>
            constant 'one' has overlay='remove' but is not empty [overlay-attribute]
        <class name="x" overlay="add" {WHY}><method name="m" overlay="add" {WHY}/></class>
            method 'm' is inside an element that has overlay='add' already (what is inside it needs no overlay
                attribute) [overlay-attribute]
        <constant name="one"/>
            constant 'one' only says where we are, and nothing is there (say overlay="add", "replace" or "remove")
                [overlay-attribute]
        <constant name="one">text</constant>
            constant 'one' only says where we are, but has text: 'text' (say overlay="add", "replace" or "remove")
                [overlay-attribute]
        <class name="basic" reason="r"><doc overlay="remove" {WHY}/></class>
            class 'basic' has 'reason' but no 'overlay' (say overlay="add", "replace" or "remove") [overlay-attribute]
        <class name="basic" index="61"><doc overlay="remove" {WHY}/></class>
            class 'basic' has index '61', but '60' at base.xml:4:1 (to change it, say overlay="replace")
                [overlay-target]
        <constant name="one" class="soft" overlay="remove" {WHY}/>
            constant 'one' has an attribute 'class', but none at base.xml:2:1 (to change it, say overlay="replace")
                [overlay-target]
        <class name="basik"><doc overlay="remove" {WHY}/></class>
            amqp has no class 'basik' (did you mean 'basic'?) [overlay-target]
        <class name="confirm"><method name="m"/></class>
            amqp has no class 'confirm' (to add it, say overlay="add") [overlay-target]
        <class name="basic"><method name="rejct" overlay="remove" {WHY}/></class>
            class 'basic' has no method 'rejct' (did you mean 'reject'?) [overlay-target]
        <constant name="x" overlay="add" after="twwo" {WHY}/>
            constant 'x' is to stand after constant 'twwo', but there is none (did you mean 'two'?) [overlay-target]
        <constant name="x" overlay="add" after="y" {WHY}/><constant name="y" overlay="add" {WHY}/>
            constant 'x' is to stand after constant 'y', but there is none ('y' must be added first) [overlay-target]
        <domain name="x" overlay="add" before="one" {WHY}/>
            domain 'x' is to stand before domain 'one', but there is none [overlay-target]
        <constant name="One" value="1" overlay="add" {WHY}/>
            constant 'One' exists already at base.xml:2:1 (say overlay="replace" to change it) [overlay-conflict]
        <constant name="one" overlay="replace" rename="TWO" {WHY}/>
            constant 'one' cannot be renamed to 'TWO': that is taken at base.xml:3:1 [overlay-conflict]
        """),
)
def test_what_does_not_fit_is_a_problem(text: str, expected: list[str]) -> None:
    found = problems(text.replace("{WHY}", WHY))
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
    assert [constant.attributes["name"] for constant in root.find_all("constant")] == ["one", "two", "x"]
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
        "(is the overlay for another version?) [overlay-target]"
    ]
