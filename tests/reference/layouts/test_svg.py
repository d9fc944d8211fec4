"""What all pictures are written with."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from amqp_codegen.reference.layouts.svg import (
    Line,
    Picture,
    Rect,
    Shape,
    Text,
    picture_id,
    svg,
    text_width,
    wrapped,
)
from hypothesis import given
from hypothesis import strategies as st

from .svg_contents import NASTY


@given(st.text(), st.integers(20, 300))
def test_wrapping_loses_nothing_but_blanks(text: str, width: int) -> None:
    lines = wrapped(text, width)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(len(line) < 3 or text_width(line) <= max(width, text_width("xxxx")) + 0.01 for line in lines)


def test_wrapping_breaks_behind_hyphens() -> None:
    assert wrapped("incomplete-unsettled", 100) == ["incomplete-", "unsettled"]
    assert wrapped("word and word", 60) == ["word and", "word"]
    assert wrapped("", 60) == [""]


@given(st.text(), st.text(), st.text())
def test_any_text_is_text(title: str, description: str, text: str) -> None:
    shapes: list[Shape] = [
        Rect(0, 0, 5, 5, "raised", "line"),
        Text(1, 10, text),
        Line(((0, 0), (9, 0)), "text", True),
    ]
    root = ET.fromstring(svg(Picture(picture_id(title), title, description, 100, 50, shapes)))
    assert [item.tag for item in root] == ["title", "desc", "rect", "text", "polyline", "polygon"]


@given(st.lists(st.text(), max_size=3), st.lists(st.text(), max_size=3))
def test_ids_tell_names_apart(names: list[str], others: list[str]) -> None:
    first, second = picture_id(*names), picture_id(*others)
    assert (first == second) == (".".join(names) == ".".join(others))
    assert first.isascii() and not set(first) & set(" \t\n\"'<>&#")


def test_what_turns_text_around_is_replaced() -> None:
    picture = svg(Picture("x", NASTY, "a\x00b\ud800c", 10, 10, []))
    assert "\u202e" not in picture
    assert "a\ufffdb\ufffdc" in picture
