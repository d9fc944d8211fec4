"""What drivers, reasons and expectations say of rules fits the specifications."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import ModuleType

import pytest
from amqp_codegen.model.amqp0 import spec
from amqp_codegen.model.amqp1 import spec as spec1
from amqp_codegen.reader.inputs import resolve_input
from amqp_codegen.resolve.specification import read_specification
from amqp_codegen.support.resources import expectations_dir
from amqp_conformance.engine.expectations import read_expectations
from amqp_conformance.engine.framing import all_rules
from amqp_conformance.engine.plan import Trial, make_plan, read_not_testable
from amqp_conformance.engine.registry import EXTENDS, SPECS, Driver, driver_package, find_drivers, rule

from .made_trials import make_rule

EVERY_SPEC = pytest.mark.parametrize("name", SPECS)


@cache
def specification(name: str) -> spec.Spec | spec1.Spec:
    inputs = resolve_input(name)
    return read_specification(inputs.files, inputs.overlays).spec


def paths(name: str) -> set[str]:
    return {rule.path for rule in all_rules(name, specification(name))}


@cache
def drivers(name: str) -> dict[str, Driver]:
    return find_drivers(name, driver_package(specification(name)))


@EVERY_SPEC
def test_every_driver_is_for_a_rule_that_exists(name: str) -> None:
    assert set(drivers(name)) <= paths(name)


@EVERY_SPEC
def test_every_reason_is_for_a_rule_that_exists_and_has_no_driver(name: str) -> None:
    reasons = read_not_testable(name)
    assert set(reasons) <= paths(name)
    assert not set(reasons) & set(drivers(name))
    assert all(isinstance(reason, str) and reason.endswith(".") for reason in reasons.values())


@pytest.mark.parametrize("name", [name for name in SPECS if name != "0-9"])  # which has no drivers
def test_every_rule_has_a_driver_or_a_reason(name: str) -> None:
    known = set(drivers(name)) | set(read_not_testable(name))
    assert {rule.path for rule in specification(name).rules} - known == set()


@EVERY_SPEC
def test_every_driver_says_what_it_does_and_names_specifications_that_exist(name: str) -> None:
    for driver in drivers(name).values():
        assert driver.procedure, driver.function
        assert set(driver.paths) <= set(SPECS), driver.function
        assert not (driver.exclusive and driver.restarts), driver.function
        for own, extended in EXTENDS.items():  # what is declared for 0-9-1 serves 0-9-1-rabbitmq
            twice = set(driver.paths.get(own, ())) & set(driver.paths.get(extended, ()))
            assert not twice, driver.function


@EVERY_SPEC
def test_the_expectations_that_come_with_us_are_of_rules_that_have_drivers(name: str) -> None:
    files = sorted(expectations_dir().glob("*.toml"))
    assert files
    for file in files:
        known = read_expectations(file, name, sorted(paths(name))).deviations
        assert set(known) <= set(drivers(name)), file


def test_two_drivers_for_one_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    def one(broker: object) -> None: ...

    def two(broker: object) -> None: ...

    def found(given: ModuleType) -> list[Driver]:
        return [
            rule({"0-9-1": "queue/rule"})(one),
            rule({"0-9-1-rabbitmq": ("queue/other", "queue/rule")})(two),
        ]

    monkeypatch.setattr("amqp_conformance.engine.registry._drivers_in", found)
    package = ModuleType("package")
    assert set(find_drivers("0-9-1", package)) == {"queue/rule"}
    with pytest.raises(
        ValueError, match=r"two drivers claim the rule queue/rule of 0-9-1-rabbitmq: .*one and .*two"
    ):
        find_drivers("0-9-1-rabbitmq", package)


@pytest.mark.parametrize(
    ("glob", "wanted"),
    [
        ("*", ["queue/one", "queue.declare.queue/two", "exchange/one"]),
        ("queue*", ["queue/one", "queue.declare.queue/two"]),
        ("queue/*", ["queue/one"]),
        ("*/one", ["queue/one", "exchange/one"]),
        ("queue.declare.queue/two", ["queue.declare.queue/two"]),
        ("[eq]*/on?", ["queue/one", "exchange/one"]),
        ("Queue/one", []),
        ("queue", []),
        ("", []),
    ],
)
def test_patterns(glob: str, wanted: list[str]) -> None:
    rules = [make_rule(path) for path in ("queue/one", "queue.declare.queue/two", "exchange/one")]
    assert [trial.rule.path for trial in make_plan(rules, {}, {}, glob)] == wanted


def test_a_plan_has_the_driver_or_the_reason() -> None:
    function: Callable[[object], None] = lambda broker: None  # noqa: E731
    driver = rule({"0-9-1": "queue/driven"})(function)
    rules = [make_rule(f"queue/{name}") for name in ("driven", "untestable", "pending")]
    assert make_plan(rules, {"queue/driven": driver}, {"queue/untestable": "why"}) == (
        Trial(rules[0], driver, ""),
        Trial(rules[1], None, "why"),
        Trial(rules[2], None, ""),
    )
