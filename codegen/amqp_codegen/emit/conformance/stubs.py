"""The rules that no machine can derive a test from, as stubs of tests."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ...model import rule1, spec0
from ..python_text import LINE_LENGTH, paragraphs, wrap

Rule = spec0.Rule | rule1.Rule
_WIDTH = LINE_LENGTH - 4
_NO_WORD = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Stub:
    """A test that waits for a driver.

    Attributes:
        path: The path of its rule.
        function: The name of the test, after the path; unique.
        text: The docstring: the level, whose duty it is, what it demands, how to test it.
    """

    path: str
    function: str
    text: str


def rule_stubs(rules: Iterable[Rule]) -> list[Stub]:
    """A stub for each rule, in order."""
    stubs: list[Stub] = []
    names: set[str] = set()
    for rule in rules:
        name = _unused(f"test_{_NO_WORD.sub('_', rule.path.lower()).strip('_')}", names)
        names.add(name)
        stubs.append(Stub(rule.path, name, "\n".join(_docstring(rule))))
    return stubs


def _unused(name: str, names: set[str]) -> str:
    """The name, with a number behind it if another path gives the same."""
    number = 2
    candidate = name
    while candidate in names:
        candidate, number = f"{name}_{number}", number + 1
    return candidate


def _docstring(rule: Rule) -> list[str]:
    level = ", ".join(dict.fromkeys(rule.levels)) or "no level"
    lines = wrap(f"{rule.path}: {level}; duty of: {rule.actor}.", _WIDTH - 3)
    lines += ["", *paragraphs(rule.text, _WIDTH)]
    if rule.scenario:
        lines += ["", *wrap(rule.scenario, _WIDTH, "    ", "Scenario: ")]
    if rule.on_failure:
        lines += ["", f"On failure: {rule.on_failure}."]
    return lines
