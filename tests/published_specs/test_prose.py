"""Our texts are our own: everything has one, and none is copied."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from amqp_codegen.model.amqp0.spec import Spec

from .plain_model import described
from .spec_sources import FULL, OURS, needs_official, official, ours, wire

RUN = 8


def texts(spec: Spec) -> Iterator[tuple[str, str]]:
    """Every piece of prose with the path of what it belongs to; grammars are facts."""
    for path, type_ in described(spec):
        yield from ((f"{path} label", type_.label), (f"{path} doc", type_.doc))
    for rule in spec.rules:
        yield from (
            (f"{rule.path} label", rule.label),
            (rule.path, rule.text),
            (f"{rule.path} scenario", rule.scenario or ""),
        )


def runs(text: str) -> set[tuple[str, ...]]:
    """Every run of eight words; case, punctuation and mark-up do not count."""
    words = re.findall(r"[a-z0-9]+", text.lower())
    return {tuple(words[start : start + RUN]) for start in range(len(words) - RUN + 1)}


def test_runs_are_found_whatever_stands_between_the_words() -> None:
    assert runs("One, two-three (four) 'five' SIX\nseven. Eight") == {
        ("one", "two", "three", "four", "five", "six", "seven", "eight")
    }
    assert runs("one two three four five six seven") == set()


@needs_official
@pytest.mark.parametrize("name", OURS)
def test_no_eight_words_in_a_row_are_the_published_ones(name: str) -> None:
    theirs = {run for other in FULL for _, text in texts(official(other)) for run in runs(text)}
    copied = [
        f"{path}: {' '.join(run)}" for path, text in texts(ours(name)) for run in sorted(runs(text) & theirs)
    ]
    assert copied == []


@needs_official
def test_wire_toml_copies_nothing_either() -> None:
    theirs = {run for other in FULL for _, text in texts(official(other)) for run in runs(text)}
    own = [dialect.doc for dialect in wire().dialects.values()] + [
        profile.reason for profile in wire().profiles.values()
    ]
    assert not any(runs(text) & theirs for text in [*own, *wire().types.values()])


@pytest.mark.parametrize("name", OURS)
def test_everything_has_a_doc(name: str) -> None:
    assert [path for path, type_ in described(ours(name)) if not type_.doc] == []


@pytest.mark.parametrize("name", OURS)
def test_everything_has_a_label(name: str) -> None:
    """But for 0-8's constants: the text of such an element is its doc, and it has no attribute for a label."""
    unlabelled = [path for path, type_ in described(ours(name)) if not type_.label]
    assert [path for path in unlabelled if name != "0-8" or not path.startswith("constant ")] == []


@pytest.mark.parametrize("name", OURS)
def test_every_rule_says_something(name: str) -> None:
    for rule in ours(name).rules:
        assert rule.text, rule.path
        assert rule.label or name == "0-8", rule.path
        assert rule.scenario is None or len(rule.scenario.split()) > 2, rule.path


@pytest.mark.parametrize("name", OURS)
def test_texts_are_sentences(name: str) -> None:
    """A label is a phrase: no full stop. A doc or rule is made of sentences."""
    for path, type_ in described(ours(name)):
        assert not type_.label.endswith("."), path
        assert type_.doc.endswith((".", "!", "?")), path
    assert [rule.path for rule in ours(name).rules if not rule.text.endswith((".", "!", "?"))] == []
