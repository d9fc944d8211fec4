"""The automata of class grammars as text, as state diagrams for Graphviz (DOT), and as data for JSON.

Text and data also report the irregularities of a grammar.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..model.amqp0.class_grammar import CLIENT, SERVER, State
from ..model.amqp0.spec import Class, Spec
from ..model.problem import Problem
from ..resolve.amqp0.conduct import named_states
from ..resolve.amqp0.grammar_irregularities import grammar_irregularities


def grammar_text(spec: Spec, classes: Sequence[Class]) -> str:
    """Return the grammars of classes as text that ends with a line break."""
    return "\n".join("".join(f"{line}\n" for line in _class_lines(spec, entry)) for entry in classes)


def _class_lines(spec: Spec, entry: Class) -> Iterator[str]:
    automaton = entry.automaton
    yield f"class {entry.name}"
    for grammar in entry.grammars if entry.productions else ():
        for line in grammar.splitlines():
            yield f"    {line}"
    for exchange in automaton.derived:
        yield f"  by its methods alone: {exchange}"
    if automaton.begins_with_header:
        yield "  first of all: the protocol header of the client"
    names = named_states(spec, entry)
    for number, state in enumerate(automaton.states):
        yield f"  state {number}{f' {names[number]}' if names[number] else ''}{_remarks(state)}"
        for transition in state.transitions:
            yield f"    {str(transition).ljust(28)} -> {transition.target}"
    for problem in grammar_irregularities(entry):
        yield f"  {problem}"


def _remarks(state: State) -> str:
    remarks = [f"open to {name}" for name in state.others]
    if state.accepting:
        remarks.append("may end here")
    return f" ({', '.join(remarks)})" if remarks else ""


_COLOURS = {CLIENT: "#1f5fa8", SERVER: "#b03a2e"}


def grammar_dot(spec: Spec, classes: Sequence[Class]) -> str:
    """Return one graph with a box for each class; it ends with a line break.

    A double circle is an accepting state. The client sends blue methods, the server red ones. Small boxes are
    loops: methods that do not leave the state, dashed if they are of other classes.
    """
    lines = [
        "digraph grammar {",
        f"  label={_quoted(spec.title)}; labelloc=t; rankdir=LR; fontname=sans;",
        "  node [shape=circle, fontname=sans]; edge [fontname=sans, fontsize=10];",
    ]
    for number, entry in reversed(list(enumerate(classes))):  # Graphviz places clusters from the bottom up
        lines += (f"  {line}" for line in _cluster(spec, entry, f"c{number}"))
    return "\n".join([*lines, "}", ""])


def _cluster(spec: Spec, entry: Class, prefix: str) -> Iterator[str]:
    yield f"subgraph cluster_{prefix} {{"
    yield f"  label={_quoted(f'class {entry.name}')}; color=grey;"
    yield f"  {prefix}_start [shape=point];"
    header = "C:protocol-header" if entry.automaton.begins_with_header else ""
    yield f"  {prefix}_start -> {prefix}_0 [label={_quoted(header)}];"
    names = named_states(spec, entry)
    for number, state in enumerate(entry.automaton.states):
        label = _quoted(f"{number}\n{names[number]}") if names[number] else number
        yield f"  {prefix}_{number} [label={label}{', shape=doublecircle' if state.accepting else ''}];"
        yield from (f"  {line}" for line in _edges(state, number, prefix))
    yield "}"


def _edges(state: State, number: int, prefix: str) -> Iterator[str]:
    node = f"{prefix}_{number}"
    if state.others:
        yield from _loop(node, f"{node}_others", "\n".join(state.others), "#555555", ", style=dashed")
    together: dict[tuple[int, str], list[str]] = {}
    for transition in state.transitions:
        together.setdefault((transition.target, transition.sender), []).append(str(transition))
    for (target, sender), names in together.items():
        label, colour = "\n".join(names), _COLOURS[sender]
        if target == number:
            yield from _loop(node, f"{node}_{sender}", label, colour, "")
        else:
            yield (
                f"{node} -> {prefix}_{target} "
                f'[label={_quoted(label)}, color="{colour}", fontcolor="{colour}"];'
            )


def _loop(node: str, box: str, label: str, colour: str, style: str) -> Iterator[str]:
    """Yield a box beside a state; in real loops, Graphviz puts the labels on top of each other."""
    yield f'{box} [shape=box, fontsize=10, label={_quoted(label)}, color="{colour}", fontcolor="{colour}"{style}];'
    yield f'{node} -> {box} [dir=both, color="{colour}"{style}];'


def _quoted(text: str) -> str:
    r"""Return a DOT string, in which ``\n`` is a line break."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def grammar_record(spec: Spec, classes: Sequence[Class]) -> dict[str, Any]:
    """Return the version of a specification, and the automaton and irregularities of each class."""
    return {"spec": spec.version, "classes": [_class(spec, entry) for entry in classes]}


def _class(spec: Spec, entry: Class) -> dict[str, Any]:
    names = named_states(spec, entry)
    return {
        "name": entry.name,
        "grammar": list(entry.grammars) if entry.productions else [],
        "derived": list(entry.automaton.derived),
        "begins_with_header": entry.automaton.begins_with_header,
        "states": [
            {
                "state": number,
                **({"name": names[number]} if names[number] else {}),
                "accepting": state.accepting,
                "others": list(state.others),
                "transitions": [
                    {
                        "sender": transition.sender,
                        "method": transition.method,
                        "content": transition.content,
                        "target": transition.target,
                    }
                    for transition in state.transitions
                ],
            }
            for number, state in enumerate(entry.automaton.states)
        ],
        "irregularities": [_irregularity(problem) for problem in grammar_irregularities(entry)],
    }


def _irregularity(problem: Problem) -> dict[str, Any]:
    place = problem.position
    return {
        "rule": problem.rule_id,
        "message": problem.message,
        "hint": problem.hint,
        "file": place.file if place else "",
        "line": place.line if place else 0,
        "column": place.column if place else 0,
    }
