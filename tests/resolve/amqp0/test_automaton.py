"""Automata: they accept what the expression says, and nothing is in them twice."""

from __future__ import annotations

import itertools
import re

import pytest
from amqp_codegen.model.amqp0.class_grammar import (
    Automaton,
    Choice,
    Expression,
    Optional,
    Reference,
    Repeat,
    Sequence,
    Token,
)
from amqp_codegen.model.problem import Position
from amqp_codegen.resolve.amqp0.automaton import build_automaton
from hypothesis import given
from hypothesis import strategies as st

HERE = Position("s.xml", 1, 1)
LETTERS = "abc"


def built(expression: Expression, max_states: int = 1000) -> Automaton | None:
    return build_automaton(
        expression, {}, lambda symbol: (LETTERS.index(symbol[1]), 0), lambda name: name == "c", max_states
    )


def token(name: str) -> Token:
    return Token("client", name, False, HERE)


def pattern(expression: Expression) -> str:
    """The same as a regular expression, in which a reference out of the class is nothing."""
    if isinstance(expression, Token):
        return expression.name
    if isinstance(expression, Reference):
        return ""
    if isinstance(expression, Repeat):
        return f"(?:{pattern(expression.item)})*"
    if isinstance(expression, Optional):
        return f"(?:{pattern(expression.item)})?"
    sign = "" if isinstance(expression, Sequence) else "|"
    return f"(?:{sign.join(map(pattern, expression.items))})"


def accepts(automaton: Automaton, word: str) -> bool:
    number = 0
    for letter in word:
        targets = [
            transition.target
            for transition in automaton.states[number].transitions
            if transition.method == letter
        ]
        if not targets:
            return False
        [number] = targets
    return automaton.states[number].accepting


def several(items: st.SearchStrategy[Expression]) -> st.SearchStrategy[tuple[Expression, ...]]:
    return st.lists(items, min_size=2, max_size=3).map(tuple)


EXPRESSIONS: st.SearchStrategy[Expression] = st.recursive(
    st.one_of(st.sampled_from(LETTERS).map(token), st.just(Reference("elsewhere", HERE))),
    lambda inner: st.one_of(
        several(inner).map(Sequence), several(inner).map(Choice), inner.map(Repeat), inner.map(Optional)
    ),
    max_leaves=8,
)


@given(EXPRESSIONS)
def test_it_accepts_what_the_expression_says(expression: Expression) -> None:
    automaton = built(expression)
    assert automaton is not None
    wanted = re.compile(pattern(expression))
    for length in range(5):
        for letters in itertools.product(LETTERS, repeat=length):
            word = "".join(letters)
            assert accepts(automaton, word) == bool(wanted.fullmatch(word)), word


@given(EXPRESSIONS)
def test_no_two_states_are_the_same_and_all_can_be_reached_in_order(expression: Expression) -> None:
    automaton = built(expression)
    assert automaton is not None
    classes = [(state.accepting, state.others) for state in automaton.states]
    for _ in automaton.states:
        classes = [
            (
                classes[number],
                frozenset(
                    (transition.method, classes[transition.target]) for transition in state.transitions
                ),
            )
            for number, state in enumerate(automaton.states)
        ]
    assert len(set(classes)) == len(classes)
    order = list(
        dict.fromkeys(
            [0, *(transition.target for state in automaton.states for transition in state.transitions)]
        )
    )
    assert order == list(range(len(automaton.states)))


def test_references_out_of_the_class_are_remembered_where_they_may_happen() -> None:
    inside = Sequence((token("a"), Repeat(Choice((Reference("others", HERE), token("b")))), token("c")))
    automaton = built(inside)
    assert automaton is not None
    assert [state.others for state in automaton.states] == [(), ("others",), ()]
    assert [str(transition) for transition in automaton.states[1].transitions] == ["C:B", "C:C content"]


def test_the_header_is_no_transition() -> None:
    header = Token("client", "protocol-header", False, HERE)
    automaton = built(Sequence((header, token("a"))))
    assert automaton is not None
    assert automaton.begins_with_header
    assert [str(transition) for transition in automaton.states[0].transitions] == ["C:A"]
    plain = built(token("a"))
    assert plain is not None
    assert not plain.begins_with_header


@pytest.mark.parametrize(("limit", "found"), [(3000, True), (500, False)])
def test_a_grammar_whose_automaton_explodes_has_none(limit: int, found: bool) -> None:
    """The n-th word from the end is an a: 2^n states."""
    either = Choice((token("a"), token("b")))
    expression = Sequence((Repeat(either), token("a"), *[either] * 9))
    assert (built(expression, limit) is not None) == found
