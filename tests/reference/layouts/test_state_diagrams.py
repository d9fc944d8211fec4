"""Pictures of class grammars: every state once, every transition, nothing over anything else."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from amqp_codegen.model.amqp0.class_grammar import CLIENT, SENDERS, SERVER, Automaton, State, Transition
from amqp_codegen.reference.layouts.state_diagram import state_diagram
from amqp_codegen.reference.layouts.state_layout import StateLayout, state_layout
from amqp_codegen.reference.layouts.state_names import state_names
from hypothesis import given
from hypothesis import strategies as st

from ..site_pages import AMQP0
from .svg_contents import NASTY, drawn, spec0_of

CLASSES = [(name, class_.name) for name in AMQP0 for class_ in spec0_of(name).classes]


def reached(automaton: Automaton) -> set[int]:
    found, waiting = {0}, [0]
    while waiting:
        for transition in automaton.states[waiting.pop()].transitions:
            if transition.target not in found:
                found.add(transition.target)
                waiting.append(transition.target)
    return found


def is_in_order(automaton: Automaton, layout: StateLayout) -> None:
    """Every state that can be reached has its place, and every transition an edge in a row that is its own."""
    nodes = {node.state: node for node in layout.nodes}
    assert set(nodes) == reached(automaton) and len(layout.nodes) == len(nodes)
    cells = Counter(
        (node.column, row) for node in layout.nodes for row in range(node.row, node.row + node.rows)
    )
    assert max(cells.values()) == 1
    wanted = Counter(
        (number, transition.target, str(transition))
        for number in nodes
        for transition in automaton.states[number].transitions
    )
    wanted.update((number, number, name) for number in nodes for name in automaton.states[number].others)
    assert Counter((edge.source, edge.target, edge.label) for edge in layout.edges) == wanted
    right: Counter[tuple[int, int]] = Counter()
    left: Counter[tuple[int, int]] = Counter()
    for edge in layout.edges:
        source, target = nodes[edge.source], nodes[edge.target]
        inside = range(source.row, source.row + source.rows)
        if edge.way == "down":
            assert target.column == source.column and target.row > edge.row >= source.row + source.rows
        elif edge.way == "left":
            assert edge.row in inside and target.column < source.column
            assert edge.row in range(target.row, target.row + target.rows)
            left[edge.source, edge.row] += 1
        else:
            assert edge.row in inside
            right[edge.source, edge.row] += 1
            if edge.way == "right":
                assert target.column == source.column + 1
                assert edge.row in range(target.row, target.row + target.rows)
            elif edge.way == "around":
                assert edge.arrival in range(target.row, target.row + target.rows)
                right[edge.target, edge.arrival] += 1
            else:
                assert edge.way == "loop" and edge.source == edge.target
    assert set(left.values()) | set(right.values()) <= {1}
    arriving = Counter((edge.target, edge.row) for edge in layout.edges if edge.way == "right")
    assert not set(arriving) & set(left), "what comes and what goes back share a row"
    assert all(node.row + node.rows <= layout.rows for node in layout.nodes)


@pytest.mark.parametrize(("name", "class_name"), CLASSES)
def test_a_class(name: str, class_name: str) -> None:
    spec = spec0_of(name)
    (class_,) = (class_ for class_ in spec.classes if class_.name == class_name)
    is_in_order(class_.automaton, state_layout(class_.automaton))
    picture = drawn(state_diagram(spec, class_))
    shown = Counter(picture.texts)
    names = state_names(class_.automaton)
    for number, state in enumerate(class_.automaton.states):
        assert shown[names[number]] == 1
        for transition in state.transitions:
            assert shown[str(transition)] >= 1
            assert (
                f"{transition} {'stays' if transition.target == number else f'leads to {names[transition.target]}'}"
                in picture.description
            )
        assert set(state.others) <= set(picture.texts)
    assert ("C:protocol-header" in picture.texts) == class_.automaton.begins_with_header
    tuned = sum(state.accepting for state in class_.automaton.states)
    assert len(picture.boxes()) == 1 + len(class_.automaton.states) + tuned


@pytest.mark.parametrize(
    ("version", "class_name", "expected"),
    [
        ("0-9-1", "tx", ["ready", "awaiting select-ok", "awaiting commit-ok", "awaiting rollback-ok"]),
        (
            "0-9-1",
            "channel",
            [
                "awaiting open",
                "awaiting open-ok",
                "open",
                "client awaiting flow-ok",
                "server awaiting flow-ok",
                "client awaiting close-ok",
                "server awaiting close-ok",
                "closed",
            ],
        ),
    ],
)
def test_states_have_names(version: str, class_name: str, expected: list[str]) -> None:
    (class_,) = (class_ for class_ in spec0_of(version).classes if class_.name == class_name)
    assert list(state_names(class_.automaton)) == expected


def test_the_way_of_a_connection() -> None:
    """What leads on goes down; what comes back is beside it."""
    (class_,) = (class_ for class_ in spec0_of("0-9-1").classes if class_.name == "connection")
    layout = state_layout(class_.automaton)
    ways = {edge.label: edge.way for edge in layout.edges if edge.source != 9}
    assert ways["S:START"] == ways["C:OPEN"] == ways["C:CLOSE"] == "down"
    assert ways["S:SECURE"] == "right"
    assert ways["C:SECURE-OK"] == "left"
    assert ways["channel"] == "loop"
    (sideways,) = (edge for edge in layout.edges if edge.way == "around")
    assert (sideways.source, sideways.label, sideways.target) == (9, "C:CLOSE-OK", 10)


@st.composite
def automata(draw: st.DrawFn) -> Automaton:
    count = draw(st.integers(1, 8))
    states = []
    for number in range(count):
        edges = draw(st.lists(st.tuples(st.sampled_from(SENDERS), st.integers(0, count - 1)), max_size=5))
        transitions = tuple(
            Transition(sender, f"m{number}-{place}", False, target)
            for place, (sender, target) in enumerate(edges)
        )
        others = draw(st.sampled_from([(), ("functional-class",)]))
        states.append(State(transitions, draw(st.booleans()), others))
    return Automaton(tuple(states), draw(st.booleans()))


@given(automata())
def test_any_automaton(automaton: Automaton) -> None:
    is_in_order(automaton, state_layout(automaton))
    assert len(set(state_names(automaton))) == len(automaton.states)
    spec = spec0_of("0-9-1")
    drawn(state_diagram(spec, replace(spec.classes[0], automaton=automaton)))


def test_a_long_chain_and_a_large_star() -> None:
    chain = Automaton(
        (
            *(State((Transition(CLIENT, "go", False, number + 1),), False, ()) for number in range(3000)),
            State((), True, ()),
        )
    )
    assert state_layout(chain).rows > 6000
    star = tuple(Transition(SERVER, f"m{number}", False, number + 1) for number in range(1000))
    back = tuple(State((Transition(CLIENT, "back", False, 0),), False, ()) for _ in range(1000))
    is_in_order(
        Automaton((State(star, True, ()), *back)), state_layout(Automaton((State(star, True, ()), *back)))
    )


def test_a_class_without_methods() -> None:
    spec = spec0_of("0-9-1")
    picture = drawn(state_diagram(spec, replace(spec.classes[0], automaton=Automaton(()))))
    assert "no method may come" in picture.texts


def test_names_are_shown_and_never_obeyed() -> None:
    spec = spec0_of("0-9-1")
    states = (
        State((Transition(CLIENT, NASTY, False, 1), Transition(SERVER, NASTY, True, 0)), True, (NASTY,)),
        State((), True, ()),
    )
    picture = drawn(state_diagram(spec, replace(spec.classes[0], name=NASTY, automaton=Automaton(states))))
    assert NASTY.replace("\u202e", "\ufffd") in picture.texts
