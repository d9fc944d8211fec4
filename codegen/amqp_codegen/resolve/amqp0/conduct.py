"""The names of the states of connections and channels: which method leads to which (``conduct`` of ``wire.toml``)."""

from __future__ import annotations

from ...model.amqp0.spec import Class, Spec

# The key of the state before any method.
FIRST = "first"


def named_states(spec: Spec, entry: Class) -> tuple[str, ...]:
    """Return the name of each state of a class, by number: that of the last method that gives one, ``OPENING``.

    There are none but for connection and channel. Several states have one name, where a method changes nothing that lasts:
    a channel is open before, between and after flow and flow-ok.
    """
    steps = spec.conduct.states.get(entry.name)
    if steps is None or not entry.automaton.states:
        return ("",) * len(entry.automaton.states)
    states = entry.automaton.states
    names = {0: steps[FIRST]}
    for state in states:
        for transition in state.transitions:
            if transition.method in steps:
                names.setdefault(transition.target, steps[transition.method])
    pending = list(names)  # the last first: with ping, what resume leads to counts as open
    while pending:
        number = pending.pop()
        for transition in states[number].transitions:
            if transition.target not in names:
                names[transition.target] = names[number]
                pending.append(transition.target)
    return tuple(names.get(number, "") for number in range(len(states)))
