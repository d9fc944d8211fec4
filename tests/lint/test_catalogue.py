"""The catalogue: whole, well-formed, and each rule of it tested."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import amqp_codegen
import pytest
from amqp_codegen.lint.catalogue import CALL, RULES
from amqp_codegen.lint.examine import examine
from amqp_codegen.lint.rule import Rule, Severity
from amqp_codegen.model.problem import Severity as ProblemSeverity
from amqp_codegen.model.problem import SpecError
from amqp_codegen.spec.inputs import Inputs
from amqp_codegen.spec.load import Documents
from amqp_codegen.spec.versions import KnownVersion

from .bad_specs import BAD_SPECS, BadSpec
from .test_limits import LIMITED

PACKAGE = Path(amqp_codegen.__file__).parent
ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
# Calls that take the id of a rule, whose argument it is.
MAKERS = {
    "Problem": 0,
    "Finding": 0,
    "_odd": 0,
    "_wrong": 0,
    "_refusal": 0,
    "duplicates": 3,
    "repeated_names": 0,
}


def ids_in(*folders: str) -> Iterator[tuple[str, str]]:
    """The ids of rules that the code of some folders names, each with the file."""
    for folder in folders:
        for path in sorted((PACKAGE / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                    place = MAKERS.get(node.func.id)
                    argument = None if place is None or place >= len(node.args) else node.args[place]
                    value = argument.value if isinstance(argument, ast.Constant) else None
                    if isinstance(value, str) and ID.fullmatch(value):
                        yield value, path.name


def test_every_problem_and_finding_is_in_the_catalogue() -> None:
    named = dict(ids_in("spec", "passes", "lint"))
    assert len(named) > 100
    assert {rule: file for rule, file in named.items() if rule not in RULES} == {}


def test_every_rule_of_the_catalogue_is_looked_for() -> None:
    named = {rule for rule, _ in ids_in("spec", "passes", "lint")}
    assert set(RULES) - named == set()


def test_every_rule_has_a_test() -> None:
    tested = {line.rpartition(" ")[2] for spec in BAD_SPECS for line in spec.expected}
    calls = {rule.id for rule in RULES.values() if rule.category == CALL}  # tests/lint/test_calls.py
    assert set(RULES) - tested - LIMITED - calls == set()


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.id)
def test_rule(rule: Rule) -> None:
    assert ID.fullmatch(rule.id)
    assert rule.category
    assert rule.purpose[0].isupper()
    assert not rule.purpose.endswith(".")
    assert rule.example
    assert "`" not in rule.example + rule.purpose


def test_no_id_is_there_twice() -> None:
    listed = [rule for path in (PACKAGE / "lint").glob("rules_*.py") for rule in _listed(path)]
    assert sorted(listed) == sorted(RULES)


def _listed(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Rule":
            assert isinstance(node.args[0], ast.Constant)
            yield str(node.args[0].value)


@pytest.mark.parametrize("spec", BAD_SPECS, ids=lambda spec: spec.path.stem)
def test_errors_are_what_stops_generation(spec: BadSpec) -> None:
    """A note or warning of the catalogue is one that packages are generated in spite of; an error is not."""
    try:
        documents = Documents()
        version = documents.read(spec.path).version
    except SpecError:
        return  # no XML: nothing is generated
    assert isinstance(version, KnownVersion)
    for problem in examine(Inputs((spec.path, *spec.parts), spec.overlays), documents).problems:
        stops = problem.severity is ProblemSeverity.ERROR
        assert stops == (RULES[problem.rule_id].severity is Severity.ERROR), problem


def test_findings_beyond_the_problems_stop_nothing() -> None:
    assert {rule for rule, _ in ids_in("lint") if RULES[rule].severity is Severity.ERROR} == set()
