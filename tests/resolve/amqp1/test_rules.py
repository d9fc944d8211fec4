"""Rules of 1.0: where they stand and what they say."""

from __future__ import annotations

import pytest
from amqp_codegen.resolve.amqp1.rules import actor

from .small_specifications import COMPOSITE, refusal, resolved, restricted

ERROR = restricted("e", "symbol", "<choice name='lost' value='x:lost'/>", "provides='error-condition'")


def rule(name: str, text: str = "A peer MUST NOT wait.", attributes: str = "") -> str:
    return (
        f"<rule name='{name}' label='l' section='2.7.1' {attributes}><doc><p>{text}</p></doc>"
        f"<doc type='scenario'><p>Wait.</p></doc></rule>"
    )


def test_paths_tell_where_a_rule_stands() -> None:
    text = rule("b") + COMPOSITE.format(f"<field name='f-g'>{rule('d')}</field>{rule('c')}")
    text += restricted("t", "uint", f"<choice name='n' value='1'>{rule('e')}</choice>")
    spec = resolved(text)
    assert [rule.path for rule in spec.rules if rule.position.file == "p.xml"] == [
        "s/b",
        "c/c",
        "c.f-g/d",
        "t.n/e",
    ]


def test_a_rule_says_what_it_says() -> None:
    spec = resolved(rule("r", "The receiver MUST stay and SHOULD not go.", "on-failure='x:lost'") + ERROR)
    (found,) = (rule for rule in spec.rules if rule.path == "s/r")
    assert (found.name, found.label, found.section, found.scenario) == ("r", "l", "2.7.1", "Wait.")
    assert found.text == "The receiver MUST stay and SHOULD not go."
    assert (found.levels, found.actor, found.on_failure) == (("MUST", "SHOULD NOT"), "receiver", "x:lost")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A peer MUST.", "peer"),
        ("Senders and receivers MUST.", "sender"),
        ("Intermediaries MUST NOT.", "intermediary"),
        ("The peerless MUST.", "other"),
    ],
)
def test_actors(text: str, expected: str) -> None:
    assert actor(text) == expected


def test_errors_must_be_known() -> None:
    assert refusal(f"{rule('r', 'x', chr(32) + 'on-failure=' + repr('x:lots'))}\n{ERROR}") == [
        "p.xml:2:1: error: on-failure names 'x:lots', which is not an error condition (did you mean 'x:lost'?) "
        "[unknown-on-failure]"
    ]


def test_paths_are_unique() -> None:
    text = (
        f"{rule('r')}\n{restricted('s', 'uint', rule('r'))}\n{restricted('t', 'uint', rule('r') + rule('r'))}"
    )
    problems = refusal(text)
    assert [problem.partition(" at ")[0] for problem in problems] == [
        "p.xml:3:50: error: rule 's/r' repeats the path of rule 's/r'",
        "p.xml:4:177: error: rule 't/r' repeats the path of rule 't/r'",
    ]
    assert all(problem.endswith("(give each its own) [duplicate-rule]") for problem in problems)
