"""The tables of the generated ``states.py``."""

from __future__ import annotations

from ...model.amqp0.field_types import WireType
from ...model.amqp0.spec import Class, Method, Spec
from ...resolve.amqp0.class_grammars import CHANNEL, CONNECTION

# Number of a state, and its transitions: sender, class name of the method, number of the next state.
_State = tuple[int, list[tuple[str, str, int]]]
# Name of a class, and its states.
ClassStates = tuple[str, list[_State]]


def class_states(spec: Spec) -> list[ClassStates]:
    """Return name and states of each class; connection and channel are always included."""
    tables = [(entry.name, _states(entry)) for entry in spec.classes if entry.methods]
    known = {name for name, _ in tables}
    single: list[_State] = [(0, [])]
    return [(name, single) for name in (CONNECTION, CHANNEL) if name not in known] + tables


def _states(entry: Class) -> list[_State]:
    names = {method.name: method.class_name for method in entry.methods}
    return [
        (
            number,
            [
                (transition.sender, names[transition.method], transition.target)
                for transition in state.transitions
            ],
        )
        for number, state in enumerate(entry.automaton.states)
    ]


def open_states(spec: Spec) -> list[tuple[str, list[int]]]:
    """Return the states of connection and channel that allow methods of other classes; all if the class is missing."""
    classes = {entry.name: entry for entry in spec.classes if entry.methods}
    return [
        (
            (name, [number for number, state in enumerate(classes[name].automaton.states) if state.others])
            if name in classes
            else (name, [0])
        )
        for name in (CONNECTION, CHANNEL)
    ]


def closing_methods(spec: Spec) -> list[tuple[Method, str]]:
    """Return the methods that close a connection or channel, with the class names of their replies."""
    return [
        (method, method.responses[0])
        for entry in spec.classes
        if entry.name in (CONNECTION, CHANNEL)
        for method in entry.methods
        if method.name == "close" and method.responses
    ]


def no_wait_fields(spec: Spec) -> dict[str, str]:
    """Return the identifiers of no-wait fields, by the class name of the method."""
    return {
        method.class_name: field.identifier
        for method in spec.methods
        for field in method.arguments
        if field.type is WireType.BIT and "no-wait" in (field.domain, field.name.replace("nowait", "no-wait"))
    }
