"""Folding prose and keeping the layout of grammars."""

from __future__ import annotations

import pytest
from amqp_codegen.reader.element import fold, layout, paragraphs


def test_fold_makes_one_line() -> None:
    assert fold("\n  one\ttwo \r\n three  ") == "one two three"


def test_fold_leaves_what_is_not_xml_white_space() -> None:
    assert fold(" a\u00a0b\u2028c \x85 ") == "a\u00a0b\u2028c \x85"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\n  one\n  two\n", "one two"),
        ("one\n\ntwo", "one\n\ntwo"),
        ("\n\n one \n \t \n\n\n two\n three\n\n", "one\n\ntwo three"),
        (" \n \n ", ""),
    ],
)
def test_blank_lines_part_paragraphs(text: str, expected: str) -> None:
    assert paragraphs(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\n    a = b\n      / c\n\n    d = e  \n  ", "a = b\n  / c\n\nd = e"),
        ("a = b\n    / c\n  / d\n", "a = b\n  / c\n/ d"),
        ("\n\ta\n\t  b\n", "a\n  b"),
        ("   one line  ", "one line"),
        ("\n \n", ""),
    ],
)
def test_layout_keeps_what_lines_do_not_share(text: str, expected: str) -> None:
    assert layout(text) == expected
