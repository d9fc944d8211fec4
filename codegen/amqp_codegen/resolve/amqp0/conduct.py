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
    names = {0: steps[FIRST]}
    pending = [0]
    while pending:
        number = pending.pop()
        for transition in entry.automaton.states[number].transitions:
            if transition.target not in names:
                names[transition.target] = steps.get(transition.method, names[number])
                pending.append(transition.target)
    return tuple(names.get(number, "") for number in range(len(entry.automaton.states)))
