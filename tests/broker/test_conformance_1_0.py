"""The live runner on RabbitMQ's AMQP 1.0 plugin: every rule of 1.0 that has a driver."""

from __future__ import annotations

import pytest
from amqp_codegen.model.problem import SpecError
from amqp_conformance.engine.broker_socket import read_target
from amqp_conformance.engine.request import RunRequest, carry_out, prepare
from amqp_conformance.engine.run_result import RunResult, Verdict

from .client import URL


@pytest.fixture(scope="module")
def run() -> RunResult:
    try:
        check = prepare(RunRequest(read_target(URL), "1.0"))
    except SpecError as error:
        pytest.fail(f"{error}; as root: rabbitmq-plugins enable rabbitmq_amqp1_0", pytrace=False)
    return carry_out(check)


pytestmark = pytest.mark.broker


def test_nothing_is_unexpected(run: RunResult) -> None:
    assert {result.rule.path: result.surprise for result in run.surprises} == {}
    assert run.expectations == "rabbitmq-3.10.toml"


def test_enough_is_executed_in_little_time(run: RunResult) -> None:
    executed = [result for result in run.results if result.verdict in (Verdict.PASSED, Verdict.DEVIATES)]
    assert len(executed) >= 300
    assert run.count(Verdict.PASSED) >= 240
    assert run.seconds < 60
    for result in executed:
        assert result.evidence, result.rule.path
        assert result.procedure, result.rule.path


def test_nothing_is_left(run: RunResult) -> None:
    assert run.remarks == ()


def test_no_password_in_the_evidence(run: RunResult) -> None:
    secret = read_target(URL).password.encode()
    for result in run.results:
        for exchange in result.evidence:
            if exchange.name == "sasl-init":
                assert b"\0" + secret not in exchange.octets, result.rule.path
                assert "***" in exchange.text or "PLAIN" not in exchange.text, exchange.text
