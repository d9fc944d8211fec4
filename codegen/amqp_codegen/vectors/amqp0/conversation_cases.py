"""Cases of conversations, from the class grammars: each method where it is legal, and where it is not."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence

from ...model.amqp0.class_grammar import OPPOSITE, State
from ...model.amqp0.spec import Class, Method, Spec
from ...resolve.amqp0.class_grammars import CHANNEL, CONNECTION
from ..case import Case

# The sender and the full name of a method.
Step = tuple[str, str]


def conversation_cases(spec: Spec) -> Iterator[Case]:
    """Yield, for each method, the shortest legal conversation that it ends, and some illegal ones."""
    opening = _opening_of_a_channel(spec)
    for entry in spec.classes:
        paths = shortest_paths(entry)
        before = [] if entry.name in (CONNECTION, CHANNEL) else opening
        number = 0 if entry.name == CONNECTION else 1
        for (sender, name), path in paths.items():
            yield _case(name, f"legal-from-{sender}", number, [*before, *path], legal=True)
        for method in entry.methods:
            yield from _out_of_place(entry, method, number, before, paths)


def shortest_paths(entry: Class) -> Mapping[Step, Sequence[Step]]:
    """Return the shortest conversation for each step that the grammar of a class allows; the step ends it."""
    states = entry.automaton.states
    paths: dict[Step, Sequence[Step]] = {}
    ways: dict[int, Sequence[Step]] = {0: []}
    todo = deque([0] if states else [])
    while todo:
        number = todo.popleft()
        for step, target in _moves(entry, states[number]):
            path = [*ways[number], step]
            paths.setdefault(step, path)
            if target not in ways:
                ways[target] = path
                todo.append(target)
    return paths


def _moves(entry: Class, state: State) -> list[tuple[Step, int]]:
    return [
        ((transition.sender, f"{entry.name}.{transition.method}"), transition.target)
        for transition in state.transitions
    ]


def _opening_of_a_channel(spec: Spec) -> Sequence[Step]:
    """Return the shortest conversation that leads to the state in which other classes may be used."""
    for entry in spec.classes:
        states = entry.automaton.states
        if entry.name == CHANNEL:
            for path in sorted(shortest_paths(entry).values(), key=len):
                if states[_state_after(entry, path)].others:
                    return path
    return []


def _state_after(entry: Class, path: Sequence[Step]) -> int:
    number = 0
    for step in path:
        number = dict(_moves(entry, entry.automaton.states[number]))[step]
    return number


def _out_of_place(
    entry: Class, method: Method, number: int, before: Sequence[Step], paths: Mapping[Step, Sequence[Step]]
) -> Iterator[Case]:
    name = method.full_name
    for sender in method.sent_by:
        step = (sender, name)
        if step not in paths:
            continue
        path = paths[step]
        if (OPPOSITE[sender], name) not in paths:
            steps = [*before, *path[:-1], (OPPOSITE[sender], name)]
            yield _case(name, f"from-the-{OPPOSITE[sender]}", number, steps, legal=False)
        if len(path) > 1:
            yield _case(name, f"unasked-from-{sender}", number, [*before, step], legal=False)
            if not _may_come_again(entry, path):
                yield _case(name, f"again-from-{sender}", number, [*before, *path, step], legal=False)
        elif before:
            yield _case(name, f"before-the-channel-is-open-from-{sender}", number, [step], legal=False)


def _may_come_again(entry: Class, path: Sequence[Step]) -> bool:
    """Return whether the last step of a path may follow itself, also as the first step of another exchange."""
    states = entry.automaton.states
    idle = [number for number, state in enumerate(states) if number == 0 or state.others]
    return any(
        path[-1] in dict(_moves(entry, states[number])) for number in (_state_after(entry, path), *idle)
    )


def _case(name: str, what: str, number: int, steps: Sequence[Step], legal: bool) -> Case:
    return Case(
        id=f"{name}/{what}",
        element=name,
        kind="conversation",
        input={"channel": number, "steps": [list(step) for step in steps]},
        verdict="accept" if legal else "reject",
        error="" if legal else "order",
        way="ask",
    )
