"""The live runner on RabbitMQ: every rule that has a driver, restarts, and a broker that is killed."""

from __future__ import annotations

from typing import TypeVar

import pytest
from amqp_conformance.engine.broker_socket import read_target
from amqp_conformance.engine.broker_view import NAME_PREFIX
from amqp_conformance.engine.run_result import RunResult, Verdict

from .client import URL
from .live_runs import LiveRuns

EXECUTED = (Verdict.PASSED, Verdict.DEVIATES, Verdict.FAILED)
RESTARTS = {"queue.declare.durable/persistence", "queue.bind/durable-exchange", "basic/01"}
SEPARATION = "connection.open.virtual-host/separation"
T = TypeVar("T")


def executed(run: RunResult) -> set[str]:
    """The paths of the rules that were really tried on the broker."""
    return {result.rule.path for result in run.results if result.verdict in EXECUTED}


def of_own_broker(found: T | None) -> T:
    if found is None:
        pytest.skip("needs rabbitmq-server: only a broker of our own may be restarted")
    return found


@pytest.mark.parametrize(
    ("spec", "wanted"), [("0-9-1", 170), ("0-9-1-rabbitmq", 190), ("0-9", 85), ("0-8", 170), ("1.0", 300)]
)
def test_every_rule_that_has_a_driver(live_runs: LiveRuns, spec: str, wanted: int) -> None:
    found = live_runs.of[spec]
    assert {result.rule.path: result.surprise for result in found.surprises} == {}
    assert found.remarks == ()  # nothing that it declared is left
    assert len(executed(found)) >= wanted
    assert found.expectations == "rabbitmq-3.10.toml"
    for result in found.results:
        assert result.evidence or result.verdict not in EXECUTED, result.rule.path
        assert result.procedure or result.verdict not in EXECUTED, result.rule.path


def test_most_rules_of_1_0_hold(live_runs: LiveRuns) -> None:
    assert live_runs.of["1.0"].count(Verdict.PASSED) >= 240


def test_no_password_in_the_evidence(live_runs: LiveRuns) -> None:
    secret = read_target(URL).password.encode()
    for result in live_runs.of["1.0"].results:
        for exchange in result.evidence:
            if exchange.name == "sasl-init":
                assert b"\0" + secret not in exchange.octets, result.rule.path
                assert "***" in exchange.text or "PLAIN" not in exchange.text, exchange.text


def test_a_broker_that_may_be_restarted(live_runs: LiveRuns) -> None:
    of_own_broker(live_runs.left)
    found = live_runs.of["0-9-1-rabbitmq"]
    assert {*RESTARTS, SEPARATION} <= executed(found)
    for result in found.results:
        if result.rule.path in RESTARTS:
            assert "restarted" in {exchange.name for exchange in result.evidence}


def test_nothing_is_left_on_the_broker(live_runs: LiveRuns) -> None:
    queues, exchanges = of_own_broker(live_runs.left)
    assert queues == set()
    assert not {name for name in exchanges if name.startswith(NAME_PREFIX)}


def test_a_broker_that_is_killed(live_runs: LiveRuns) -> None:
    """The run goes on; the rule that kills it is found, the one that ran beside it is tried once more."""
    killed, published = of_own_broker(live_runs.killed)
    assert (killed.verdict, published.verdict) == (Verdict.BROKER_DIED, Verdict.PASSED)
    assert killed.detail.startswith("the broker no longer answers")


def test_a_restart_command_that_fails(live_runs: LiveRuns) -> None:
    result = of_own_broker(live_runs.refused)
    assert (result.verdict, result.detail) == (Verdict.NOT_TESTABLE, "--restart-cmd: exit code 3: not today")


def test_a_restart_that_loses_what_is_durable(live_runs: LiveRuns) -> None:
    """The same drivers on a broker whose queues are gone after the restart: the rules do not hold."""
    found = of_own_broker(live_runs.forgotten)["persistence"]
    assert found.verdict is Verdict.FAILED
    assert "404" in found.detail
