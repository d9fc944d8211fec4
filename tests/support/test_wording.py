"""The words of messages."""

from __future__ import annotations

import pytest
from amqp_codegen.reader.xml_tree import read_xml
from amqp_codegen.support.wording import describe, did_you_mean, listing, quote, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "'plain'"),
        ("it's", '"it\'s"'),
        ("a\nb\u202e\u2028", r"'a\nb\u202e\u2028'"),
        ("x" * 60, "'" + "x" * 60 + "'"),
        ("x" * 61, "'" + "x" * 57 + "...'"),
    ],
)
def test_input_is_shown_on_one_short_line(text: str, shown: str) -> None:
    assert quote(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain: ü, 漢, \\", "plain: ü, 漢, \\"),
        ("a\nb\r\t\x1b[31m\x7f\x85", r"a\nb\r\t\x1b[31m\x7f\x85"),
        ("\u202eabc\u2066\u200f\u2028\u00a0", r"\u202eabc\u2066\u200f\u2028\xa0"),
        ("\ud800", r"\ud800"),
    ],
)
def test_what_cannot_be_seen_is_shown_as_escapes(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize(
    ("text", "described"),
    [
        ("<method name='ack'/>", "method 'ack'"),
        ("<assert check='length'/>", "assert 'length'"),
        ("<doc type='grammar'/>", "doc 'grammar'"),
        ("<doc/>", "doc"),
        ("<döc/>", "'döc'"),
        (f"<{'x' * 61}/>", f"'{'x' * 57}...'"),
    ],
)
def test_an_element_is_named_by_what_tells_it_apart(text: str, described: str) -> None:
    assert describe(read_xml(text.encode(), "f")) == described


def test_lists_read_as_prose() -> None:
    assert listing(["a"]) == "a"
    assert listing(["a", "b", "c"]) == "a, b and c"


def test_the_closest_known_word_is_suggested() -> None:
    assert did_you_mean("synchronus", ["name", "synchronous"]) == "did you mean 'synchronous'?"
    assert did_you_mean("colour", ["name", "synchronous"]) == ""


def test_comparing_is_given_up_where_it_would_take_long() -> None:
    assert did_you_mean("a" * 1_000_000, ["a"]) == ""
    assert did_you_mean("abc1", [f"abc{n}" for n in range(1_000)]) == ""
