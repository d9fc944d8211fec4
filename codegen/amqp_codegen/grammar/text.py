"""Class grammars as text: what may come in each state, and what is odd."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..model.grammar import State
from ..model.spec0 import Class
from ..passes.amqp0.grammar_irregularities import grammar_irregularities


def grammar_text(classes: Sequence[Class]) -> str:
    """The classes one after the other; ends with a line break."""
    return "\n".join("".join(f"{line}\n" for line in _class_lines(entry)) for entry in classes)


def _class_lines(entry: Class) -> Iterator[str]:
    automaton = entry.automaton
    yield f"class {entry.name}"
    for grammar in entry.grammars if entry.productions else ():
        for line in grammar.splitlines():
            yield f"    {line}"
    for exchange in automaton.derived:
        yield f"  by its methods alone: {exchange}"
    if automaton.begins_with_header:
        yield "  first of all: the protocol header of the client"
    for number, state in enumerate(automaton.states):
        yield f"  state {number}{_remarks(state)}"
        for transition in state.transitions:
            yield f"    {str(transition).ljust(28)} -> {transition.target}"
    for problem in grammar_irregularities(entry):
        yield f"  {problem}"


def _remarks(state: State) -> str:
    remarks = [f"open to {name}" for name in state.others]
    if state.accepting:
        remarks.append("may end here")
    return f" ({', '.join(remarks)})" if remarks else ""
