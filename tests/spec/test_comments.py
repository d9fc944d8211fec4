"""Comments, and which element each is about."""

from __future__ import annotations

import pytest
from amqp_codegen.spec.comments import Comment, read_comments


def spans(text: str) -> list[tuple[str, int, int]]:
    return [(each.text, each.first_line, each.last_line) for each in read_comments(text.encode())]


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
    assert read_comments(b"<a>\n  <!-- x --></a>") == [Comment(" x ", 2, 3, 0, 0)]


@pytest.mark.parametrize("data", [b"", b"<a><!--x-->", b'<!DOCTYPE a [<!ENTITY e "x">]><!--x--><a/>'])
def test_what_is_no_document_has_none(data: bytes) -> None:
    assert read_comments(data) == []
