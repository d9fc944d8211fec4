"""Comments and strings of other languages: no text ends them, and strings say what the text says."""

from __future__ import annotations

import ast

import pytest
from amqp_codegen.emit.source_text import CommentStyle, c_string, comment_lines
from hypothesis import given
from hypothesis import strategies as st

from tests.many_cases import in_one_test

from .nasty_specifications import ILLEGAL_TEXTS, TEXTS

STYLES = [("#", ""), ("//", ""), ("--", ""), ("/*", "*/"), ("<!--", "-->"), ("{", "}"), ("(*", "*)")]
anything = st.text(st.sampled_from("*/<!->(){} \\?x#\n\r\u2028\u202e\x00é")) | st.text()


@pytest.mark.parametrize(("start", "end"), STYLES)
@given(text=anything)
def test_no_text_leaves_a_comment(start: str, end: str, text: str) -> None:
    for line in comment_lines(text, start, end):
        assert line.splitlines() == [line]
        inside = line[len(start) : len(line) - len(end)]
        assert line == f"{start}{inside}{end}"
        if end:
            assert end not in inside
            assert start not in inside
            # Nor may what is inside be half of a token whose other half is ours.
            assert (inside[:1], inside[-1:]) == (" ", " ")
        else:
            assert not line.endswith(("\\", "??/"))


@pytest.mark.parametrize(("start", "end"), STYLES)
def test_texts_are_told_whole(start: str, end: str) -> None:
    text = "Nothing in it asks for an escape. " * 20
    lines = comment_lines(text, start, end, 60)
    assert len(lines) > 10
    assert max(map(len, lines)) <= 60
    assert " ".join(line[len(start) : len(line) - len(end)].strip() for line in lines) == text.strip()


def test_one_line() -> None:
    assert comment_lines("") == comment_lines(" \n ") == []
    assert comment_lines("a\nb") == ["# a b"]
    assert comment_lines("a */ b /* c", "/*", "*/") == ["/* a *\\x2f b /\\x2a c */"]
    assert comment_lines("a -- b", "<!--", "-->") == ["<!-- a -\\x2d b -->"]
    assert comment_lines("C:\\", "//") == ["// C:\\\\x5c"]
    assert CommentStyle("//").line("a??/") == "// a??\\x2f"


@given(text=anything)
def test_strings_say_what_the_text_says(text: str) -> None:
    source = c_string(text)
    assert source.isascii()
    assert source.isprintable()
    assert "??" not in source
    assert ast.literal_eval("b" + source.replace("\\?", "?")) == text.encode()


@in_one_test("text", {text: text for text in [*TEXTS, *ILLEGAL_TEXTS]})
def test_nasty_strings(text: str) -> None:
    assert ast.literal_eval("b" + c_string(text).replace("\\?", "?")) == text.encode("utf-8", "surrogatepass")


def test_strings_of_octets() -> None:
    assert c_string(b'AMQP\0\0\t1"\xff') == '"AMQP\\000\\000\\0111\\"\\377"'
