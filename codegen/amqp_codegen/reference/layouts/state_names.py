"""Names for the states of a class grammar, made from the methods that lead to them and from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ...model.amqp0.class_grammar import OPPOSITE, Automaton, State

_MOST_METHODS = 3


def state_names(automaton: Automaton) -> tuple[str, ...]:
    """Return a name for each state, by number; no two are the same.

    ``ready`` is where an exchange begins, ``open`` where both sides may send or other classes are used, ``closed``
    where nothing may follow. A state in which one side has to send is ``awaiting tune-ok``.
    """
    names = [_name(number, state) for number, state in enumerate(automaton.states)]
    ambiguous = {name for name, count in Counter(names).items() if count > 1}
    sided = [
        f"{_waiting_side(state)} {name}".lstrip() if name in ambiguous else name
        for name, state in zip(names, automaton.states, strict=True)
    ]
    return tuple(_numbered(sided))


def _name(number: int, state: State) -> str:
    if not state.transitions and not state.others:
        return "closed"
    if number == 0 and state.accepting:
        return "ready"
    if state.others or not _waiting_side(state):
        return "open"
    methods = list(dict.fromkeys(transition.method for transition in state.transitions))
    if len(methods) > _MOST_METHODS:
        return f"awaiting one of {len(methods)}"
    return f"awaiting {' or '.join(methods)}"


def _waiting_side(state: State) -> str:
    """Return the side that can only wait, because the other one has to send; empty if either may send."""
    senders = {transition.sender for transition in state.transitions}
    return OPPOSITE[senders.pop()] if len(senders) == 1 else ""


def _numbered(names: Sequence[str]) -> Iterator[str]:
    """Yield the names; a name that comes again gets a number."""
    taken: set[str] = set()
    numbers: dict[str, int] = {}
    for name in names:
        number = numbers.get(name, 1)
        candidate = name if number == 1 else f"{name} {number}"
        while candidate in taken:
            number += 1
            candidate = f"{name} {number}"
        numbers[name] = number
        taken.add(candidate)
        yield candidate
