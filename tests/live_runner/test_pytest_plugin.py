"""The plugin for pytest: which outcome a verdict has, and for whose suites there are drivers."""

from __future__ import annotations

import pytest
from amqp_codegen.api import load
from amqp_conformance.engine.level import RuleLevel
from amqp_conformance.engine.registry import SPECS
from amqp_conformance.engine.run_result import Identity, Result, RunResult, Verdict
from amqp_conformance.pytest_plugin import conclude, package_of

RULES = {rule.path: rule for rule in load("0-9-1").spec.rules}
MUST, SHOULD, MAY = "queue.bind/duplicates", "redelivered/implementation", "basic/07"


def outcome(path: str, verdict: Verdict, surprise: str = "", fail_on: RuleLevel = RuleLevel.MUST) -> str:
    """How a test of a rule ends, and what it says."""
    result = Result(RULES[path], verdict, "the detail", "What it does.", surprise=surprise)
    run = RunResult("amqp://localhost", "0-9-1", Identity(), "", (result,), 0.1, fail_on=fail_on)
    try:
        conclude(run)
    except (pytest.skip.Exception, pytest.fail.Exception, pytest.xfail.Exception) as end:
        return f"{type(end).__name__}: {end}"
    return "passed"


@pytest.mark.parametrize(
    ("verdict", "surprise", "expected"),
    [
        (Verdict.PASSED, "", "passed"),
        (Verdict.PASSED, "a deviation was expected", "Failed: a deviation was expected"),
        (Verdict.FAILED, "failed: so", "Failed: failed: so\ndriver: What it does."),
        (Verdict.BROKER_DIED, "the broker died", "Failed: the broker died"),
        (Verdict.FLAKY, "flaky: so", "Failed: flaky: so"),
        (Verdict.FLAKY, "", "XFailed: the detail"),
        (Verdict.DEVIATES, "", "XFailed: the detail"),
        (Verdict.NOT_TESTABLE, "", "Skipped: not testable: the detail"),
        (Verdict.INCONCLUSIVE, "inconclusive: so", "Skipped: inconclusive: the detail"),
        (Verdict.PENDING, "", "Skipped: pending: the detail"),
    ],
)
def test_the_outcome_of_a_verdict(verdict: Verdict, surprise: str, expected: str) -> None:
    assert outcome(MUST, verdict, surprise).startswith(expected)


def test_every_verdict_has_an_outcome() -> None:
    for verdict in Verdict:
        for surprise in ("", "surprise"):
            is_passed = outcome(MUST, verdict, surprise) == "passed"
            assert is_passed == (verdict is Verdict.PASSED and not surprise)


@pytest.mark.parametrize(
    ("path", "fail_on", "expected"),
    [
        (MUST, RuleLevel.MUST, "Failed: "),
        (SHOULD, RuleLevel.MUST, "XFailed: a rule of level should: "),
        (SHOULD, RuleLevel.SHOULD, "Failed: "),
        (MAY, RuleLevel.SHOULD, "XFailed: a rule of level may: "),
        (MAY, RuleLevel.MAY, "Failed: "),
    ],
)
def test_rules_below_the_level_are_expected_to_fail(path: str, fail_on: RuleLevel, expected: str) -> None:
    assert outcome(path, Verdict.FAILED, "failed: so", fail_on).startswith(f"{expected}failed: so")


@pytest.mark.parametrize("spec", SPECS)
def test_drivers_are_found_by_the_usual_name_of_the_package(spec: str) -> None:
    assert package_of(spec) == load(spec).spec.package
