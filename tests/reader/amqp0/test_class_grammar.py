"""The little language of class grammars: what it means, and where exactly something is wrong."""

from __future__ import annotations

import pytest
from amqp_codegen.model.amqp0.class_grammar import (
    Choice,
    Expression,
    Optional,
    Production,
    Reference,
    Repeat,
    Sequence,
    Token,
)
from amqp_codegen.model.problem import Severity
from amqp_codegen.reader.amqp0.class_grammar import MAX_DEPTH, MAX_PRODUCTIONS, read_class_grammar
from amqp_codegen.reader.xml_tree import read_xml
from hypothesis import given
from hypothesis import strategies as st

from tests.written_cases import written_cases


def read(*texts: str) -> tuple[tuple[Production, ...], list[str]]:
    docs = [read_xml(f"<doc>{text}</doc>".encode(), "s.xml") for text in texts]
    productions, problems = read_class_grammar(docs)
    assert all(problem.severity is Severity.WARNING for problem in problems)
    assert not (productions and problems)
    return productions, [str(problem).removeprefix("s.xml:") for problem in problems]


def shown(expression: Expression) -> str:
    """The tree with all its brackets; a choice by bar has a bar."""
    if isinstance(expression, Token):
        return f"{expression.sender[0].upper()}:{expression.name}{'+' if expression.content else ''}"
    if isinstance(expression, Reference):
        return expression.name
    if isinstance(expression, Repeat):
        return f"*{shown(expression.item)}"
    if isinstance(expression, Optional):
        return f"[{shown(expression.item)}]"
    sign = " " if isinstance(expression, Sequence) else "|" if expression.bar else "/"
    return f"({sign.join(map(shown, expression.items))})"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("C:ACK", "C:ack"),
        ("C:DECLARE  S:DECLARE-OK", "(C:declare S:declare-ok)"),
        ("C:PUBLISH content", "C:publish+"),
        ("C:A / S:B C:C / d", "(C:a/(S:b C:c)/d)"),
        ("C:A S:B | S:C C:D", "(C:a (S:b|S:c) C:d)"),  # a bar binds closer than a sequence
        ("C:A / S:B | S:C", "(C:a/(S:b|S:c))"),
        ("C:GET ( S:GET-OK content / S:GET-EMPTY )", "(C:get (S:get-ok+/S:get-empty))"),
        ("*a b *( c / d )", "(*a b *(c/d))"),
        ("[ a ] b", "([a] b)"),
        ("**a", "*a"),
        ("((a))", "a"),
        ("C:a_b Channel_One", "(C:a-b channel-one)"),
        ("C:A\n\n  / <!-- not\n this --> S:B", "(C:a/S:b)"),
    ],
)
def test_expressions(text: str, expected: str) -> None:
    productions, problems = read(f"\n  x = {text}\n")
    assert problems == []
    assert [(production.name, shown(production.expression)) for production in productions] == [
        ("x", expected)
    ]


def test_productions_of_several_docs() -> None:
    productions, problems = read(" a = *b\n   C:X\n b=C:Y c = S:Z", "  ", "d = C:W")
    assert problems == []
    assert [(production.name, shown(production.expression)) for production in productions] == [
        ("a", "(*b C:x)"),
        ("b", "C:y"),
        ("c", "S:z"),
        ("d", "C:w"),
    ]


def test_everything_knows_where_it_stands() -> None:
    [production], _ = read("\n  x = C:A\n    / <!-- two\n lines --> y\n  ")
    assert (production.position.line, production.position.column) == (2, 3)
    assert isinstance(production.expression, Choice)
    token, reference = production.expression.items
    assert isinstance(token, Token)
    assert (token.position.line, token.position.column) == (2, 7)
    assert isinstance(reference, Reference)
    assert (reference.position.line, reference.position.column) == (4, 12)


@pytest.mark.parametrize(
    ("text", "expected"),
    written_cases(r"""
        x = C:A
        \nx = C:A (S:B / )
            2:16: warning: unexpected ')' (nothing opens it, or nothing is in it) [grammar-syntax]
        \nx = C:A ) S:B
            2:9: warning: unexpected ')' (nothing opens it, or nothing is in it) [grammar-syntax]
        \nx = (C:A
            2:5: warning: '(' is never closed [grammar-syntax]
        \nx = [C:A )
            2:5: warning: '[' is never closed [grammar-syntax]
        \nx = / C:A
            2:5: warning: unexpected '/' (something must stand on either side of /) [grammar-syntax]
        \nx = C:A |
            2:9: warning: the grammar ends too early (something must stand after the last word) [grammar-syntax]
        \nx =\ny = C:A *
            2:3: warning: the grammar ends too early (something must stand after the last word) [grammar-syntax]
            3:9: warning: the grammar ends too early (something must stand after the last word) [grammar-syntax]
        \nx = = C:A
            2:5: warning: unexpected '=' (a name must stand before it) [grammar-syntax]
        \nx = c:A
            2:5: warning: 'c' is neither C, the client, nor S, the server (write C:) [grammar-syntax]
        \nx = X:A
            2:5: warning: 'X' is neither C, the client, nor S, the server [grammar-syntax]
        \nx = C: A
            2:6: warning: ':' has no meaning in a grammar (a method follows its sender without a blank: C:DECLARE)
                [grammar-syntax]
        \nx = a content
            2:7: warning: 'content' stands behind nothing that has content (write C:METHOD content) [grammar-syntax]
        \nC:A S:B
            2:1: warning: a production must begin here, not 'C:A' (write name = C:METHOD S:METHOD-OK ...)
                [grammar-syntax]
        \nx = C:A\nX = C:B
            3:1: warning: production 'x' is there already at s.xml:2:1 (part the alternatives of one production with /)
                [grammar-duplicate]
        \nx = C:A é
            2:9: warning: 'é' has no meaning in a grammar [grammar-syntax]
        """),
)
def test_what_is_wrong_is_told_with_its_place(text: str, expected: list[str]) -> None:
    """The first grammar, which is right, is on the line of both tags."""
    assert read(text)[1] == expected


def test_on_the_line_of_the_start_tag_places_are_exact_too() -> None:
    assert read("x = ;\n y = C:A")[1][0].startswith("1:10: ")


def test_limits() -> None:
    deep = "(" * MAX_DEPTH + "a" + ")" * MAX_DEPTH
    assert "nested more than 64 deep" in read(f"\nx = {deep}")[1][0]
    assert read(f"\nx = {deep[1:-1]}")[1] == []
    many = "".join(f"\np{number} = C:A" for number in range(MAX_PRODUCTIONS + 1))
    assert "at most 200 productions" in read(many)[1][0]


WORDS = st.sampled_from(
    ["x", "=", "C:A", "S:B", "*", "/", "|", "(", ")", "[", "]", "content", "y", "\n", ":", "D:E"]
)


@given(st.lists(WORDS, max_size=40), st.sampled_from(["", " "]))
def test_anything_is_read_or_refused_within_the_text(words: list[str], between: str) -> None:
    text = between.join(words)
    element = read_xml(f"<doc>\n{text}\n</doc>".encode(), "s.xml")
    productions, problems = read_class_grammar([element])
    assert not (productions and problems)
    lines = ["", *text.split("\n")]
    for problem in problems:
        assert problem.position is not None
        assert problem.message.isprintable()
        assert 0 < problem.position.column <= len(lines[problem.position.line - 1])
