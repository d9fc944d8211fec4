"""Class grammars: resolved, completed from the methods, and useless ones put aside with a warning."""

from __future__ import annotations

import pytest
from amqp_codegen.model.amqp0.spec import Class

from .small_specifications import outcome, resolved

METHODS = (
    '<method name="ask" index="10"><chassis name="server" implement="MUST"/><response name="yes"/>'
    '<response name="no"/></method>'
    '<method name="yes" index="11" content="1"><chassis name="client" implement="MUST"/></method>'
    '<method name="no" index="12"><chassis name="client" implement="MUST"/></method>'
    '<method name="tell" index="20"><chassis name="client" implement="MUST"/>'
    '<chassis name="server" implement="MAY"/></method>'
    '<method name="lost" index="30"/>'
)


def spec(grammar: str, name: str = "c", more: str = "") -> str:
    doc = f'<doc type="grammar">{grammar}</doc>' if grammar else ""
    return f'<class name="{name}" index="1">{doc}{METHODS}</class>{more}'


def the_class(body: str, name: str = "c", warnings: int = 0) -> Class:
    found, problems = outcome(body)
    assert len(problems) == warnings, problems
    assert found is not None
    [entry] = [class_ for class_ in found.classes if class_.name == name]
    return entry


def shown(entry: Class) -> list[str]:
    return [
        " ".join([*(f"{transition}->{transition.target}" for transition in state.transitions), *state.others])
        + (" ." if state.accepting else "")
        for state in entry.automaton.states
    ]


EVERYTHING = "C:LOST->0 S:LOST->0"


def test_a_class_repeats_its_grammar_and_what_that_lacks() -> None:
    entry = the_class(spec("c = C:ASK ( S:YES content / S:NO ) / C:TELL"))
    assert shown(entry) == [f"C:ASK->1 C:TELL->0 S:TELL->0 {EVERYTHING} .", "S:YES content->0 S:NO->0"]
    assert entry.automaton.derived == ("S:TELL", "C:LOST", "S:LOST")


def test_without_a_grammar_the_methods_say_it_all() -> None:
    entry = the_class(spec(""))
    assert shown(entry) == [f"C:ASK->1 C:TELL->0 S:TELL->0 {EVERYTHING} .", "S:YES content->0 S:NO->0"]
    assert entry.productions == ()
    assert entry.automaton.derived[0] == "C:ASK ( S:YES content / S:NO )"


def test_a_class_without_methods() -> None:
    found = resolved(f'<class name="empty" index="2"/>{spec("")}')
    assert shown(found.classes[0]) == [" ."]


def test_connection_and_channel_are_not_repeated_and_are_completed_where_they_are_open() -> None:
    grammar = "channel = C:ASK S:YES content *use S:NO use = *functional-class / S:TELL"
    entry = the_class(spec(grammar, "channel"), "channel")
    assert shown(entry) == [
        "C:ASK->1",
        "S:YES content->2",
        f"S:NO->3 C:TELL->2 S:TELL->2 {EVERYTHING} functional-class".replace("->0", "->2"),
        " .",
    ]


@pytest.mark.parametrize(("name", "other"), [("connection", "channel"), ("channel", "functional-class")])
def test_without_a_grammar_they_are_open_at_once(name: str, other: str) -> None:
    assert shown(the_class(spec("", name), name))[0].endswith(f"{other} .")


@pytest.mark.parametrize(
    ("grammar", "expected"),
    [
        (
            "c = C:AKS",
            "s.xml:3:5: warning: class 'c' has no method 'aks' (did you mean 'ask'?) [grammar-unknown-method]",
        ),
        (
            "c = asked\nask-ed = C:ASK",
            "s.xml:3:5: warning: 'asked' is neither a production nor a class (did you mean 'ask-ed'?) "
            "[grammar-undefined]",
        ),
        (
            "c = tell",
            "s.xml:3:5: warning: 'tell' is neither a production nor a class "
            "(a method needs its sender: C:TELL or S:TELL) [grammar-undefined]",
        ),
        (
            "c = C:ASK d\nd = C:TELL / c",
            "s.xml:4:14: warning: the production 'c' -> 'd' -> 'c' needs itself (*name repeats) [grammar-cycle]",
        ),
        (
            "c = c",
            "s.xml:3:5: warning: the production 'c' -> 'c' needs itself (*name repeats) [grammar-cycle]",
        ),
    ],
)
def test_a_useless_grammar_is_a_warning_and_the_methods_say_it_all(grammar: str, expected: str) -> None:
    found, problems = outcome(spec(f"\n{grammar}\n"))
    assert found is not None
    assert [str(problem) for problem in problems] == [expected]
    [entry] = found.classes
    assert entry.productions == ()
    assert shown(entry)[1:] == ["S:YES content->0 S:NO->0"]


def test_a_grammar_of_channel_must_leave_room_for_other_classes() -> None:
    found, problems = outcome(spec("channel = C:ASK S:YES", "channel"))
    assert found is not None
    assert [problem.rule_id for problem in problems] == ["grammar-closed"]
    assert problems[0].hint == "refer to functional-class"


def test_a_grammar_that_grows_without_bounds_is_put_aside() -> None:
    doubling = " ".join(f"p{number} = p{number + 1} p{number + 1}" for number in range(60))
    entry = the_class(spec(f"c = p0 {doubling} p60 = C:TELL"), warnings=1)
    assert shown(entry)[1:] == ["S:YES content->0 S:NO->0"]
    either = "( C:TELL / S:TELL )"
    entry = the_class(spec(f"c = *{either} C:TELL {either * 12}"), warnings=1)
    assert shown(entry)[1:] == ["S:YES content->0 S:NO->0"]
    chain = " ".join(f"p{number} = p{number + 1}" for number in range(198))
    assert the_class(spec(f"c = p0 {chain} p198 = C:TELL"), warnings=0).productions


def test_the_first_production_stands_for_the_class_if_none_has_its_name() -> None:
    entry = the_class(spec("start = C:ASK next next = S:NO"))
    assert "S:NO->0" in shown(entry)[1]


def test_names_of_other_classes_lead_out_of_the_class() -> None:
    entry = the_class(spec("c = C:TELL d", more='<class name="d" index="2"/>'))
    assert entry.productions
