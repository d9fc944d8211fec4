"""The grammars of the published files: all of them can be used, and all that is odd in them is known."""

from __future__ import annotations

from collections import Counter

import pytest
from amqp_codegen.model.amqp0.spec import Spec
from amqp_codegen.resolve.amqp0.grammar_irregularities import grammar_irregularities

from .spec_sources import FULL, STRIPPED, needs_official, official, ours, stripped

# Counted by hand in the published files; docs/grammar.md says what and where.
ODD = {
    "0-8": {
        "grammar-bar": 1,
        "grammar-repeat": 1,
        "grammar-content": 8,
        "grammar-direction": 1,
        "grammar-handler": 2,
        "grammar-lacks": 1,
    },
    "0-9": {
        "grammar-bar": 1,
        "grammar-repeat": 1,
        "grammar-content": 4,
        "grammar-direction": 1,
        "grammar-handler": 2,
        "grammar-lacks": 4,
    },
    "0-9-1": {"grammar-repeat": 1},
    "extended": {"grammar-repeat": 1, "grammar-lacks": 6},
}


def odd(spec: Spec) -> list[tuple[str, str]]:
    return [
        (problem.rule_id, problem.message)
        for entry in spec.classes
        for problem in grammar_irregularities(entry)
    ]


@pytest.mark.parametrize("name", FULL)
def test_all_that_is_odd_is_known(name: str) -> None:
    assert Counter(rule for rule, _ in odd(ours(name))) == ODD[name]
    assert all(entry.productions for entry in ours(name).classes)


@needs_official
@pytest.mark.parametrize("name", FULL)
def test_ours_are_those_of_the_published_files(name: str) -> None:
    assert sorted(odd(ours(name))) == sorted(odd(official(name)))
    assert [class_.automaton for class_ in ours(name).classes] == [
        class_.automaton for class_ in official(name).classes
    ]


@needs_official
@pytest.mark.parametrize("name", STRIPPED)
def test_methods_alone_give_the_same_exchanges(name: str) -> None:
    """The classes whose grammar is regular have the same automaton without it."""
    irregular = {entry.name for entry in official(name).classes if grammar_irregularities(entry)}
    irregular |= {"connection", "channel"}  # methods do not tell in which order they come
    irregular |= {"dtx", "file"}  # nor which exchange is the beginning of another
    full = {
        class_.name: class_.automaton for class_ in official(name).classes if class_.name not in irregular
    }
    bare = {class_.name: class_.automaton for class_ in stripped(name).classes}
    assert full
    for item, automaton in full.items():
        assert bare[item].states == automaton.states
