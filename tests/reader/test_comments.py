"""Comments, and which element each is about."""

from __future__ import annotations

from amqp_codegen.model.problem import Position
from amqp_codegen.reader.element import Comment
from amqp_codegen.reader.xml_tree import read_xml


def spans(text: str) -> list[tuple[str, int, int]]:
    return [
        (comment.text, comment.first_line, comment.last_line)
        for comment in read_xml(text.encode(), "f").comments
    ]


def test_before_beside_and_behind() -> None:
    text = """<!--root--><a>
<!--before-->
<b> <!--beside b-->
  <c/> <!--beside c-->
</b>
<!--behind-->
</a>"""
    assert spans(text) == [
        ("root", 1, 7),
        ("before", 3, 5),
        ("beside b", 3, 5),
        ("beside c", 4, 4),
        ("behind", 0, 0),
    ]


def test_the_last_element_on_the_line_is_meant() -> None:
    assert spans("<a>\n<b/><c/><!--x-->\n</a>") == [("x", 2, 2)]


def test_a_comment_that_ends_further_down() -> None:
    assert spans("<a>\n<!--x\ny--><b/>\n</a>") == [("x\ny", 3, 3)]


def test_where_it_stands() -> None:
    root = read_xml(b"<a>\n  <!-- x --></a>", "f")
    assert root.comments == (Comment(" x ", Position("f", 2, 3), 0, 0),)


def test_a_declaration_and_instructions_are_no_comments() -> None:
    text = "<?xml version='1.0'?>\n<?x y?><!--one--><a/>\n<!--two--><?z?>"
    assert spans(text) == [("one", 2, 2), ("two", 0, 0)]
