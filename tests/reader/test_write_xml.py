"""Trees written as XML again."""

from __future__ import annotations

from dataclasses import replace

import pytest
from amqp_codegen.model.problem import Position
from amqp_codegen.reader.element import Element, layout
from amqp_codegen.reader.xml_tree import read_xml
from hypothesis import given
from hypothesis import strategies as st

from tests.write_xml import write_xml


def rewritten(text: str) -> str:
    return write_xml(read_xml(text.encode(), "f"))


def test_elements_are_indented_and_texts_keep_their_lines() -> None:
    assert rewritten(
        "<amqp><class name='c'>  label\n<doc type='grammar'>\n      a\n        b\n</doc>\n<doc> one </doc>"
        "</class></amqp>"
    ) == (
        '<?xml version="1.0"?>\n'
        "<amqp>\n"
        '  <class name="c">\n'
        "    label\n"
        '    <doc type="grammar">\n'
        "      a\n"
        "        b\n"
        "    </doc>\n"
        "    <doc>one</doc>\n"
        "  </class>\n"
        "</amqp>\n"
    )


def test_text_that_touches_elements_stays_in_its_line() -> None:
    assert "<p>one <i>two </i>, <b> three</b><u/> four</p>" in rewritten(
        "<doc>\n<p>one <i>two </i>, <b> three</b><u/> four</p></doc>"
    )


def test_what_an_overlay_put_there_says_why() -> None:
    child = Element("b", {}, (), Position("f", 1, 1), origin="a--reason (---source)")
    assert write_xml(Element("a", {}, (child,), Position("f", 1, 1))) == (
        '<?xml version="1.0"?>\n<a>\n  <!-- a- -reason (- - -source) -->\n  <b/>\n</a>\n'
    )


def test_special_characters_survive() -> None:
    text = "<a b='&lt;&amp;&quot;&#9;&#10;&#13;>'>&lt;]]&gt;&amp;&#13;x</a>"
    assert read_xml(rewritten(text).encode(), "f") == replace(
        read_xml(text.encode(), "f"), position=Position("f", 2, 1)
    )


def test_namespaces_survive() -> None:
    text = "<a xmlns='urn:a' xmlns:o='urn:o' o:x='1' xml:lang='en'><b xmlns=''/><o:c/><d/></a>"
    once = rewritten(text)
    again = read_xml(once.encode(), "f")
    assert again.attributes == {"{urn:o}x": "1", "{http://www.w3.org/XML/1998/namespace}lang": "en"}
    assert [child.namespace for child in again.children] == ["", "urn:o", "urn:a"]
    assert rewritten(once) == once


XML_TEXT = st.text(st.sampled_from("ab &<>\"'\n\t]-"), max_size=8)


def elements() -> st.SearchStrategy[Element]:
    def element(content: st.SearchStrategy[list[Element | str]]) -> st.SearchStrategy[Element]:
        return st.builds(
            lambda tag, attributes, pieces: Element(tag, attributes, tuple(pieces), Position("f", 1, 1)),
            st.sampled_from(["class", "doc"]),
            st.dictionaries(st.sampled_from(["name", "label"]), XML_TEXT),
            content,
        )

    return st.recursive(
        element(st.lists(XML_TEXT, max_size=1)),
        lambda inner: element(st.lists(inner | XML_TEXT, max_size=4)),
        max_leaves=12,
    )


def essence(element: Element) -> object:
    """Return what must survive: all but positions and the white space at the ends of texts."""
    pieces: list[object] = []
    text = ""
    for piece in (*element.content, None):
        if isinstance(piece, str):
            text += piece
            continue
        if text.strip():
            pieces.append(layout(text).split())
        text = ""
        if piece is not None:
            pieces.append(essence(piece))
    return element.tag, dict(element.attributes), pieces


@given(elements())
def test_what_is_written_reads_the_same(element: Element) -> None:
    again = read_xml(write_xml(element).encode(), "f")
    assert essence(again) == essence(element)


@pytest.mark.parametrize("text", ["<a/>", "<a></a>", "<a> \n </a>"])
def test_nothing_to_say_is_an_empty_element(text: str) -> None:
    assert rewritten(text) == '<?xml version="1.0"?>\n<a/>\n'
