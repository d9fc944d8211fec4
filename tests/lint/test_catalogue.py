"""The catalogue: whole, well-formed, and each rule of it tested."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import amqp_codegen
import pytest
from amqp_codegen.lint.catalogue import CALL, RULES, by_id
from amqp_codegen.lint.examine import examine
from amqp_codegen.lint.rule import LintSeverity
from amqp_codegen.model.problem import Severity, SpecError
from amqp_codegen.reader.inputs import Inputs
from amqp_codegen.reader.load import Documents
from amqp_codegen.reader.versions import KnownVersion

from tests.resolve.amqp0.bad_arguments import BAD

from .bad_specifications import BAD_SPECS
from .test_limits import LIMITED

PACKAGE = Path(amqp_codegen.__file__).parent
ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
# Calls that take the id of a rule, whose argument it is.
MAKERS = {
    "Problem": 0,
    "_odd": 0,
    "_wrong": 0,
    "_refusal": 0,
    "duplicates": 3,
    "repeated_names": 0,
    "ArgumentFault": 0,
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


def test_every_problem_is_in_the_catalogue() -> None:
    named = dict(ids_in("reader", "resolve"))
    assert len(named) > 60
    assert {rule: file for rule, file in named.items() if rule not in RULES} == {}


def test_every_rule_of_the_catalogue_is_looked_for() -> None:
    reported = {rule for rule, _ in ids_in("reader", "resolve")}
    silences = {rule.id for rule in RULES.values() if rule.category == "silence"}  # lint/silence.py
    checked = {rule.id for rule in RULES.values() if rule.check}
    assert set(RULES) - silences == reported | checked
    assert reported & checked == set()


def test_the_function_of_a_check_has_the_name_of_its_rule() -> None:
    checked = [rule for rule in RULES.values() if rule.check]
    assert [getattr(rule.check, "__name__", None) for rule in checked] == [
        rule.id.replace("-", "_") for rule in checked
    ]


def test_every_rule_has_a_test() -> None:
    tested = {line.rpartition(" ")[2] for spec in BAD_SPECS for line in spec.expected}
    calls = {rule.id for rule in RULES.values() if rule.category == CALL}  # tests/lint/test_calls.py
    of_arguments = {bad.rule for bad in BAD}  # tests/resolve/amqp0/test_arguments.py
    assert set(RULES) - tested - LIMITED - calls - of_arguments == set()


def test_rules() -> None:
    for rule in RULES.values():
        assert ID.fullmatch(rule.id), rule
        assert rule.category, rule
        assert rule.purpose[0].isupper() and not rule.purpose.endswith("."), rule
        assert rule.example, rule
        assert "`" not in rule.example + rule.purpose, rule


def test_no_id_is_there_twice() -> None:
    twice = [RULES["may-not"], RULES["may-not"]]
    with pytest.raises(ValueError, match="two rules have the id may-not"):
        by_id(twice)


def test_errors_are_what_stops_generation() -> None:
    """A note or warning of the catalogue is one that packages are generated in spite of; an error is not."""
    for spec in BAD_SPECS:
        try:
            documents = Documents()
            version = documents.read(spec.path).version
        except SpecError:
            continue  # no XML: nothing is generated
        assert isinstance(version, KnownVersion)
        for problem in examine(Inputs((spec.path, *spec.parts), spec.overlays), documents).problems:
            stops = problem.severity is Severity.ERROR
            assert stops == (RULES[problem.rule_id].severity is LintSeverity.ERROR), problem


def test_findings_beyond_the_problems_stop_nothing() -> None:
    assert [rule.id for rule in RULES.values() if rule.check and rule.severity is LintSeverity.ERROR] == []
