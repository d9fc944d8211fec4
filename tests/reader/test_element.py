"""Looking into elements."""

from __future__ import annotations

from amqp_codegen.reader.element import Element
from amqp_codegen.reader.xml_tree import read_xml

ROOT = read_xml(b"<a> one\n<b>two <i>in</i>ner</b> three<c/><b/> <!-- no --> four</a>", "f")


def test_children_are_the_elements() -> None:
    assert [child.tag for child in ROOT.children] == ["b", "c", "b"]
    assert [child.position.column for child in ROOT.find_all("b")] == [1, 34]
    assert ROOT.find_all("x") == ()


def test_text_is_that_between_the_children() -> None:
    assert ROOT.text == "one three four"


def test_walk_goes_through_the_tree_in_file_order() -> None:
    assert [element.tag for element in ROOT.walk()] == ["a", "b", "i", "c", "b"]


def test_an_element_comes_from_no_overlay_unless_it_says_so() -> None:
    assert isinstance(ROOT, Element)
    assert ROOT.origin == ""
