"""Class grammars as plain data, for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..model.problem import Problem
from ..model.spec0 import Class, Spec
from ..passes.amqp0.grammar_irregularities import grammar_irregularities


def grammar_record(spec: Spec, classes: Sequence[Class]) -> dict[str, Any]:
    """The specification's version, and of each class the automaton and what is odd."""
    return {"spec": spec.version, "classes": [_class(entry) for entry in classes]}


def _class(entry: Class) -> dict[str, Any]:
    return {
        "name": entry.name,
        "grammar": list(entry.grammars) if entry.productions else [],
        "derived": list(entry.automaton.derived),
        "begins_with_header": entry.automaton.begins_with_header,
        "states": [
            {
                "state": number,
                "accepting": state.accepting,
                "others": list(state.others),
                "transitions": [
                    {
                        "sender": each.sender,
                        "method": each.method,
                        "content": each.content,
                        "target": each.target,
                    }
                    for each in state.transitions
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
