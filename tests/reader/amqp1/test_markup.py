"""The markup of 1.0 docs as plain paragraphs."""

from __future__ import annotations

import pytest
from amqp_codegen.reader.amqp1.markup import plain_text
from amqp_codegen.reader.xml_tree import read_xml


def plain(text: str) -> str:
    return plain_text([read_xml(f"<doc>{text}</doc>".encode(), "s.xml")])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("<p/>", ""),
        ("<p> one\n  two </p>", "one two"),
        ("<p>one</p><p>two</p>", "one\n\ntwo"),
        ("<doc><p>in</p></doc><p>out</p>", "in\n\nout"),
        ("<p title='Head'>text</p>", "Head\n\ntext"),
        ("<doc title='Head'><p>text</p></doc>", "Head\n\ntext"),
        ("<p>a <b>bold <i>and</i></b> <i>slanted</i> <term>word</term></p>", "a bold and slanted word"),
        ("<p>2<sup>32</sup> - 1</p>", "2^32 - 1"),
        ("<p>2<sup>n + 1</sup> and x<sub>0</sub><sub/></p>", "2^(n + 1) and x_0"),
        ("<p>one<br/>\n two</p>", "one\ntwo"),
        ("<p>see <xref name='open'/></p>", "see open"),
        ("<p>see <xref type='type' name='amqp-error' choice='not-found'/></p>", "see not-found"),
        ("<p>see <xref name='open'>the open</xref></p>", "see the open"),
        ("<p><anchor name='here'/>text</p>", "text"),
        ("<ul><li>one</li><li>two\n words</li></ul>", "- one\n\n- two words"),
        ("<ol title='Steps'><li>one</li><li>two</li></ol>", "Steps\n\n1. one\n\n2. two"),
        ("<ul><li><p>one</p><p>more</p></li></ul>", "- one\n\n  more"),
        (
            "<ul><li>one<ul><li>two<ul><li>three</li></ul></li></ul>four</li></ul>",
            "- one\n\n  - two\n\n    - three\n\n  four",
        ),
        ("<ul><li/></ul>", ""),
        ("<dl><dt>term</dt><dd><p>means</p><p>this</p></dd></dl>", "term: means\n\n  this"),
        ("<dl><dt>one</dt><dt>two</dt><dd/><dt>three</dt></dl>", "one:\n\nthree:"),
        ("<dl><dt>list</dt><dd><ul><li>a</li><li>b</li></ul></dd></dl>", "list: - a\n\n  - b"),
        ("<dl><dt>drawing</dt><dd><picture>+-+</picture></dd></dl>", "drawing:\n\n      +-+"),
        ("<picture>\n   +--+\n   |  |\n\n   +--+\n</picture>", "    +--+\n    |  |\n\n    +--+"),
        ("<picture title='Frame'>+</picture>", "Frame\n\n    +"),
    ],
)
def test_markup(text: str, expected: str) -> None:
    assert plain(text) == expected


def test_several_docs_are_joined() -> None:
    docs = [read_xml(f"<doc><p>{text}</p></doc>".encode(), "s.xml") for text in ("one", "", "two")]
    assert plain_text(docs) == "one\n\ntwo"
