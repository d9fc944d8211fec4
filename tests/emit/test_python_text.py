"""Text as Python source: nothing breaks out, nothing is lost."""

from __future__ import annotations

import ast
import io
import tokenize
import unicodedata

import pytest
from amqp_codegen.emit.python_text import (
    LINE_LENGTH,
    comment_lines,
    docstring,
    docstring_text,
    import_from,
    join_words,
    literal,
    paragraphs,
    sentence,
    tuple_literal,
    wrap,
)
from hypothesis import example, given
from hypothesis import strategies as st

from tests.many_cases import in_one_test
from tests.sampling import examples

from .nasty_specifications import ILLEGAL_TEXTS, TEXTS, folded

ALL_TEXTS = [*TEXTS, *ILLEGAL_TEXTS]
# Every character there is, those that matter here more often.
TEXT = st.text(st.one_of(st.sampled_from("\"'\\\n\r\t #{}%:u\u2028\u0085N0x"), st.characters()), max_size=60)
PLAIN_VALUES = st.one_of(TEXT, st.binary(max_size=40), st.integers(), st.booleans(), st.none())


def named(text: str) -> str:
    return ascii(text)[:30]


def nodes(source: str) -> list[type[ast.AST]]:
    return [type(node) for node in ast.walk(ast.parse(source, type_comments=True))]


def is_plain_source(text: str) -> bool:
    """No character that people do not see; lines end with ``\\n`` and nothing else.

    Judged by an old table that every Python has: characters that it does not know may stand as they are.
    """
    categories = {
        character: unicodedata.ucd_3_2_0.category(character) for character in set(text) - set(" \n")
    }
    return all(category[0] not in "CZ" or category == "Cn" for category in categories.values())


# --- Docstrings ----------------------------------------------------------------------------------


def check_docstring(text: str, indent: int) -> None:
    margin = " " * indent
    body = f"{margin}{docstring(text, indent)}"
    source = body if indent == 0 else f"class C:\n{body}\n"
    assert is_plain_source(source)
    tree = ast.parse(source, type_comments=True)
    assert nodes(source) == nodes('"""x"""' if indent == 0 else 'class C:\n    """x"""')
    owner = tree if indent == 0 else tree.body[0]
    assert isinstance(owner, (ast.Module, ast.ClassDef))
    assert folded(ast.get_docstring(owner) or "") == folded(text)


each_text = in_one_test("text", {text: text for text in ALL_TEXTS})


@pytest.mark.parametrize("indent", [0, 4])
@each_text
def test_a_docstring_is_its_text(text: str, indent: int) -> None:
    check_docstring(text, indent)


@given(TEXT, st.sampled_from([0, 4, 8]))
@example('"', 0)
@example('\\"', 4)
@example('"\n', 4)
@example("\\\n", 0)
@examples(400)
def test_a_docstring_is_its_text_whatever_it_is(text: str, indent: int) -> None:
    check_docstring(text, indent)


def test_a_docstring_of_one_line_ends_on_it() -> None:
    assert docstring("One line.", 4) == '"""One line."""'


def test_a_docstring_of_two_lines() -> None:
    assert docstring("One.\n\n  Two.\nThree.", 4) == '"""One.\n\n      Two.\n    Three.\n    """'


@given(TEXT)
def test_a_text_inside_a_docstring_of_ours(text: str) -> None:
    source = f'"""Before {docstring_text(text)} after."""'
    assert is_plain_source(source)
    assert folded(ast.literal_eval(source)) == folded(f"Before {text} after.")


# --- Comments ------------------------------------------------------------------------------------


def comments(source: str) -> list[str]:
    return [
        token.string
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT
    ]


def check_comment(text: str) -> None:
    lines = comment_lines(text)
    source = "".join(f"# {line}\n" for line in lines) + "x = 1\n"
    assert is_plain_source(source)
    assert nodes(source) == nodes("x = 1")
    assert len(comments(source)) == len(lines)
    # Words that tools obey stand in parentheses; escapes say what there was.
    kept = " ".join(
        line[1:-1] if line.startswith("(") and line.endswith(")") and f"({line}" not in text else line
        for line in lines
    )
    if text.isascii() and "\\" not in text and text.isprintable() and "(" not in text:
        assert kept == folded(text)


@each_text
def test_a_comment_is_nothing_but_a_comment(text: str) -> None:
    check_comment(text)


@given(TEXT)
@examples(300)
def test_a_comment_is_nothing_but_a_comment_whatever_it_is(text: str) -> None:
    check_comment(text)


@pytest.mark.parametrize(
    "directive",
    [
        *(
            "type: ignore",
            "type: int",
            "noqa",
            "noqa: F401",
            "fmt: off",
            "fmt: on",
            "fmt: skip",
            "isort: skip_file",
        ),
        *("mypy: ignore-errors", "pyright: basic", "ruff: noqa", "pylint: disable=all", "pragma: no cover"),
    ],
)
def test_no_comment_speaks_to_a_tool(directive: str) -> None:
    """However it is folded: a directive counts only where the comment starts with it."""
    for text in (directive, f"{directive} " * 40, f"{'x' * LINE_LENGTH} {directive} {'x' * LINE_LENGTH}"):
        for line in comment_lines(text):
            assert not line.lower().startswith(directive.split(":", maxsplit=1)[0])
        source = "".join(f"# {line}\n" for line in comment_lines(text))
        ast.parse(f"{source}x = 1", type_comments=True)


def test_comments_fit_into_a_line() -> None:
    assert all(len(line) <= LINE_LENGTH - 8 for line in comment_lines("some words " * 100))


# --- Literals ------------------------------------------------------------------------------------


@given(PLAIN_VALUES)
@examples(400)
def test_a_literal_is_its_value(value: object) -> None:
    text = literal(value)
    assert is_plain_source(text)
    assert "\n" not in text
    assert ast.literal_eval(text) == value
    assert type(ast.literal_eval(text)) is type(value)


@each_text
def test_a_literal_of_a_nasty_text(text: str) -> None:
    assert ast.literal_eval(literal(text)) == text
    assert is_plain_source(literal(text))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("plain", '"plain"'),
        ("it's", '"it\'s"'),
        ('say "x"', "'say \"x\"'"),
        ("", '""'),
        (b"AMQP\0", 'b"AMQP\\x00"'),
        (b'"', "b'\"'"),
        (5672, "5672"),
        (True, "True"),
    ],
)
def test_literals_have_double_quotes_where_they_can(value: object, expected: str) -> None:
    assert literal(value) == expected


@given(st.lists(PLAIN_VALUES, max_size=4))
def test_a_literal_of_a_tuple(values: list[object]) -> None:
    assert ast.literal_eval(tuple_literal(values)) == tuple(values)


# --- Folding -------------------------------------------------------------------------------------


@given(TEXT, st.integers(10, 110))
def test_wrapping_loses_no_word(text: str, width: int) -> None:
    lines = wrap(text, width, "  ", first="- ")
    assert " ".join(lines).removeprefix("-").split() == text.split()
    assert all(len(line) <= width or len(line.split()) <= 2 for line in lines)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("\n\n\n", []),
        ("one", ["one"]),
        ("one\n\ntwo", ["one", "", "two"]),
        ("\n\none\n\n\n\ntwo\n\n", ["one", "", "two"]),
        ("one two three", ["one two", "three"]),
    ],
)
def test_paragraphs(text: str, expected: list[str]) -> None:
    assert paragraphs(text, 9) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("  ", ""),
        ("a label", "A label."),
        ("Done.", "Done."),
        ("really?", "Really?"),
        ("two\n words", "Two words."),
        ("4 octets", "4 octets."),
    ],
)
def test_sentence(text: str, expected: str) -> None:
    assert sentence(text) == expected


@pytest.mark.parametrize(
    ("words", "expected"), [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")]
)
def test_join_words(words: list[str], expected: str) -> None:
    assert join_words(words) == expected


# --- Imports -------------------------------------------------------------------------------------


def test_imports_are_ordered_as_sorters_do_whatever_the_order_of_names() -> None:
    names = ["write_table", "FRAME_END", "Frame", "OCTETS", "read_table", "frame", "pack_B", "pack_b"]
    line = "from .x import FRAME_END, OCTETS, Frame, frame, pack_B, pack_b, read_table, write_table"
    assert import_from(".x", names) == import_from(".x", names[::-1]) == line
