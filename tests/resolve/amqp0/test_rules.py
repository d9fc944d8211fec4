"""Rules in words: paths, levels, whose duty they are."""

from __future__ import annotations

import pytest
from amqp_codegen.model.amqp0.spec import Rule
from amqp_codegen.resolve.amqp0.rules import actor, level_words

from .small_specifications import field, in_class, marks, method, refusal, resolved, the_class

NOT_FOUND = '<constant name="not-found" value="404" class="soft-error"/>\n'


def rule(text: str = "x", attributes: str = "", content: str = "") -> str:
    return f"<rule {attributes}><doc>{text}</doc>{content}</rule>\n"


def rules_of(content: str, before: str = "", version: str = "0-9-1") -> tuple[Rule, ...]:
    return the_class(resolved(before + in_class(content + method()), version)).rules


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The server MUST do it.", ("MUST",)),
        ("The server MUST NOT do it.", ("MUST NOT",)),
        ("The server MUST not do it.", ("MUST NOT",)),
        ("The server MUST\n NOT do it.", ("MUST NOT",)),
        ("A client SHOULD, a server SHOULD NOT, a peer MAY.", ("SHOULD", "SHOULD NOT", "MAY")),
        ("A client MAY NOT do it.", ("MAY NOT",)),
        ("It MUST do this, and MUST do that.", ("MUST", "MUST")),
        ("The server must do it, should, may.", ()),
        ("MUSTARD, DISMAY and SHOULDER", ()),
        ("MUST NOTHING", ("MUST",)),
        ("It CANNOT and SHALL.", ()),
        ("", ()),
    ],
)
def test_level_words(text: str, expected: tuple[str, ...]) -> None:
    assert level_words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The server MUST do it.", "server"),
        ("The client SHOULD do it.", "client"),
        ("Both peers MAY do it.", "peer"),
        ("A Server MUST do it.", "server"),
        ("The queue MUST be there.", "other"),
        ("The queue MUST be on the server.", "other"),
        ("If the client does something, the server MUST close the connection.", "server"),
        ("If the client does something the server MUST close the connection.", "server"),
        ("When the server asks, the client MUST answer.", "client"),
        ("The server MUST answer the client.", "server"),
        ("A client that cannot work with what is proposed by the server MUST close the socket.", "client"),
        ("Names are kept by the server. A client MUST NOT use them.", "client"),
        ("Names that begin with a dot are the server's: no client MAY use them.", "client"),
        ("The observer MUST NOT look.", "other"),
        ("The server does it.", "other"),  # no duty
        ("", "other"),
    ],
)
def test_actor(text: str, expected: str) -> None:
    assert actor(text) == expected


def test_a_rule_with_everything() -> None:
    scenario = '<doc type="scenario">Try it.</doc>'
    attributes = 'name="Must Exist" label="there is one" on-failure="not found"'
    [found] = rules_of(rule("The server MUST answer 404.", attributes, scenario), NOT_FOUND)
    assert (found.path, found.name, found.label) == ("c/must-exist", "must-exist", "there is one")
    assert (found.text, found.levels, found.actor) == ("The server MUST answer 404.", ("MUST",), "server")
    assert (found.on_failure, found.scenario, found.test) == ("not-found", "Try it.", None)
    assert (found.position.line, found.position.column) == (3, 27)


def test_a_rule_with_nothing() -> None:
    [found] = rules_of("<rule/>")
    assert (found.path, found.label, found.text, found.levels, found.actor) == ("c/01", "", "", (), "other")
    assert (found.on_failure, found.scenario) == ("", None)


def test_an_empty_scenario_is_a_scenario() -> None:
    [found] = rules_of(rule(content='<doc type="scenario"/>'))
    assert found.scenario == ""


def test_unnamed_rules_are_numbered_by_their_place() -> None:
    """0-8 has rules and docs that are rules, all without names."""
    found = rules_of(
        '<rule implement="MUST">One.</rule><doc name="rule" test="t">Two MAY.</doc><rule>Three.</rule>',
        version="0-8",
    )
    assert [item.path for item in found] == ["c/01", "c/02", "c/03"]
    assert [item.levels for item in found] == [("MUST",), ("MAY",), ()]
    assert [item.test for item in found] == [None, "t", None]


def test_words_in_the_text_count_more_than_the_attribute() -> None:
    [found] = rules_of('<rule implement="MUST">It SHOULD.</rule>')
    assert found.levels == ("SHOULD",)


def test_paths_say_where_a_rule_stands() -> None:
    spec = resolved(
        '<domain name="d e" type="bit"><rule name="r"/></domain>'
        + in_class(
            '<rule name="r"/>'
            + field("p q", content='<rule name="r"/>')
            + method('<rule name="r"/>' + field("f g", content='<rule name="r"/><rule/>'), name="m n")
        )
    )
    assert [rule.path for rule in spec.rules] == [
        "d-e/r",
        "c/r",
        "c.properties.p-q/r",
        "c.m-n/r",
        "c.m-n.f-g/r",
        "c.m-n.f-g/02",
    ]


def test_a_name_twice_in_one_element() -> None:
    body = in_class("\n" + rule(attributes='name="a b"') + rule(attributes='name="a-b"') + method())
    assert refusal(body) == [
        "s.xml:4:1: error: rule 'a-b' repeats the name of rule 'a b' at s.xml:3:1 (give each its own) [duplicate-rule]"
    ]


def test_a_name_twice_in_two_elements_is_no_problem() -> None:
    spec = resolved(in_class('<rule name="01"/>' + method('<rule name="01"/>')))
    assert [rule.path for rule in spec.rules] == ["c/01", "c.m/01"]


def test_a_name_that_looks_like_a_number_and_an_unnamed_rule_of_that_number() -> None:
    found = rules_of('<rule name="02"/><rule/>')
    assert len({item.path for item in found}) == 2


@pytest.mark.parametrize("name", ["not-found", "Not Found", "not_found"])
def test_on_failure_names_a_constant_however_it_is_spelt(name: str) -> None:
    [found] = rules_of(rule(attributes=f'on-failure="{name}"'), NOT_FOUND)
    assert found.on_failure == "not-found"


def test_on_failure_that_is_no_constant() -> None:
    body = NOT_FOUND + in_class("\n" + rule(attributes='name="r" on-failure="not-fuond"') + method())
    assert refusal(body) == [
        "s.xml:4:1: error: on-failure names 'not-fuond', which is not a constant (did you mean 'not-found'?) [unknown-on-failure]"
    ]


def test_on_failure_is_checked_everywhere() -> None:
    wrong = '\n<rule on-failure="xyzzy"/>'
    body = f'<domain name="d" type="bit">{wrong}</domain>' + in_class(
        wrong + field("p", content=wrong) + method(wrong + field("f", content=wrong))
    )
    assert marks(refusal(body)) == [f"unknown-on-failure {line}:1" for line in (3, 4, 5, 6, 7)]
