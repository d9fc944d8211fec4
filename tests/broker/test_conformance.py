"""The live runner on RabbitMQ: every rule that has a driver, on the one that runs; restarts on one of our own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from threading import Event

import pytest
from amqp_conformance.amqp0.broker import Broker
from amqp_conformance.engine.broker_socket import read_target
from amqp_conformance.engine.broker_view import NAME_PREFIX
from amqp_conformance.engine.registry import rule
from amqp_conformance.engine.request import RunRequest, carry_out, prepare
from amqp_conformance.engine.run_result import Result, RunResult, Verdict
from amqp_conformance.engine.runner import TrialRunner

from .client import URL
from .own_broker import OwnBroker, find_scripts

EXECUTED = (Verdict.PASSED, Verdict.DEVIATES, Verdict.FAILED)
OTHER_HOST = "other"
RESTARTS = {"queue.declare.durable/persistence", "queue.bind/durable-exchange", "basic/01"}
SEPARATION = "connection.open.virtual-host/separation"


def run(order: RunRequest) -> RunResult:
    return carry_out(prepare(order))


def executed(results: tuple[Result, ...]) -> set[str]:
    """The paths of the rules that were really tried on the broker."""
    return {result.rule.path for result in results if result.verdict in EXECUTED}


def unexpected(run: RunResult) -> dict[str, str]:
    return {result.rule.path: result.surprise for result in run.surprises}


@pytest.mark.parametrize(
    ("spec", "wanted"), [("0-9-1", 170), ("0-9-1-rabbitmq", 190), ("0-9", 85), ("0-8", 170)]
)
def test_every_rule_that_has_a_driver(spec: str, wanted: int) -> None:
    found = run(RunRequest(read_target(URL), spec))
    assert unexpected(found) == {}
    assert found.remarks == ()
    assert len(executed(found.results)) >= wanted
    assert found.expectations
    assert found.seconds < 120
    for result in found.results:
        assert result.evidence or result.verdict not in EXECUTED, result.rule.path


@pytest.fixture(scope="module")
def own_broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnBroker]:
    scripts = find_scripts()
    if scripts is None:
        pytest.skip("rabbitmq-server is not installed here, so there is none that may be restarted")
    broker = OwnBroker(scripts, tmp_path_factory.mktemp("rabbitmq"))
    broker.start()
    yield broker
    broker.stop()


@pytest.fixture(scope="module")
def whole_run(own_broker: OwnBroker) -> RunResult:
    """Every rule of 0-9-1 and of RabbitMQ's extensions, with all that a run can be given."""
    own_broker.add_virtual_host(OTHER_HOST)
    order = RunRequest(
        read_target(own_broker.url),
        "0-9-1-rabbitmq",
        restart_command=own_broker.restart_command,
        second_virtual_host=OTHER_HOST,
    )
    return run(order)


def test_a_broker_that_may_be_restarted(whole_run: RunResult) -> None:
    assert unexpected(whole_run) == {}
    assert {*RESTARTS, SEPARATION} <= executed(whole_run.results)
    for result in whole_run.results:
        if result.rule.path in RESTARTS:
            assert "restarted" in {exchange.name for exchange in result.evidence}
    assert whole_run.seconds < 180


def test_nothing_is_left_on_the_broker(whole_run: RunResult, own_broker: OwnBroker) -> None:
    assert whole_run.remarks == ()
    for spec, glob in (
        ("0-8", "*"),
        ("1.0", "transfer*"),
    ):  # 1.0 as a whole has a test of its own, and takes long
        found = run(RunRequest(read_target(own_broker.url), spec, glob))
        assert unexpected(found) == {}
        assert found.remarks == ()
    assert own_broker.names("queues") == set()
    assert not {name for name in own_broker.names("exchanges") if name.startswith(NAME_PREFIX)}


def test_a_broker_that_is_killed(own_broker: OwnBroker) -> None:
    """The run goes on; the rule that kills it is found, the one that ran beside it is tried once more."""
    check = prepare(
        RunRequest(read_target(own_broker.url), "0-9-1", restart_command=own_broker.restart_command)
    )
    begun = Event()

    def kill(broker: Broker) -> None:
        broker.connect()
        begun.wait(60)
        own_broker.kill()

    def publish(broker: Broker) -> None:
        channel = broker.open_channel()
        queue = channel.declare_queue()
        while not begun.is_set():
            begun.set()
            channel.next(60)
        channel.publish(queue, b"x")
        channel.fetch(queue)

    drivers = {"exchange/required-types": kill, "queue.bind/unique": publish}
    trials = [
        replace(trial, driver=rule({"0-9-1": trial.rule.path})(drivers[trial.rule.path]))
        for trial in check.plan
        if trial.rule.path in drivers
    ]
    killed, published = TrialRunner(check.setting, check.make_broker).run(trials)
    assert (killed.verdict, published.verdict) == (Verdict.BROKER_DIED, Verdict.PASSED)
    assert killed.detail.startswith("the broker no longer answers")


def test_a_restart_command_that_fails(own_broker: OwnBroker) -> None:
    order = RunRequest(read_target(own_broker.url), "0-9-1", "queue.declare.durable/persistence")
    (result,) = run(replace(order, restart_command="echo not today; exit 3")).results
    assert (result.verdict, result.detail) == (
        Verdict.NOT_TESTABLE,
        "--restart-cmd: exit code 3: not today",
    )


def test_a_restart_that_loses_what_is_durable(own_broker: OwnBroker) -> None:
    """The same drivers on a broker whose queues are gone after the restart: the rules do not hold."""
    order = RunRequest(read_target(own_broker.url), "0-9-1", "queue.declare.durable/*")
    settings = own_broker.restart_command.partition(";")[0]
    steps = (f"{find_scripts()}/rabbitmqctl {step}" for step in ("stop_app", "reset", "start_app"))
    forget = f"{settings}; {' && '.join(steps)}"
    found = {result.rule.name: result for result in run(replace(order, restart_command=forget)).results}
    assert found["persistence"].verdict is Verdict.FAILED
    assert "404" in found["persistence"].detail
