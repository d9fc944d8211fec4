"""Runs of the live runner over whole specifications, and over a broker that dies, on a RabbitMQ of their own."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event

from amqp_conformance.amqp0.broker import Broker
from amqp_conformance.engine.broker_socket import read_target
from amqp_conformance.engine.registry import rule
from amqp_conformance.engine.request import RunRequest, carry_out, prepare
from amqp_conformance.engine.run_result import Result, RunResult
from amqp_conformance.engine.runner import TrialRunner

from tests.patience import PATIENCE

from .client import URL
from .own_broker import OwnBroker, find_scripts

OTHER_HOST = "other"


@dataclass
class LiveRuns:
    """What was found.

    Attributes:
        of: The run of each specification, with all that a run can be given.
        left: The queues and exchanges that are on the broker afterwards; these and all others are None if it is not ours.
        killed: The rules during which the broker was killed: that did it, and one beside it.
        refused: A rule whose restart command fails.
        forgotten: Rules whose restart command loses what is durable, by their names.
    """

    of: dict[str, RunResult] = field(default_factory=dict)
    left: tuple[set[str], set[str]] | None = None
    killed: tuple[Result, ...] | None = None
    refused: Result | None = None
    forgotten: dict[str, Result] | None = None


def run(order: RunRequest) -> RunResult:
    return carry_out(prepare(order))


def all_runs(folder: Path) -> LiveRuns:
    """Run all; without an installed RabbitMQ, what needs no restarts, on the one that runs."""
    scripts = find_scripts()
    found = LiveRuns()
    if scripts is None:
        found.of = {
            spec: run(RunRequest(read_target(URL), spec))
            for spec in ("1.0", "0-8", "0-9", "0-9-1", "0-9-1-rabbitmq")
        }
        return found
    with started(OwnBroker(scripts, folder)) as broker:
        target = read_target(broker.url)
        # Of 1.0, a rule waits for half a minute.
        with ThreadPoolExecutor(1) as beside:
            of_1_0 = beside.submit(run, RunRequest(target, "1.0"))
            found.of = {spec: run(RunRequest(target, spec)) for spec in ("0-8", "0-9", "0-9-1")}
            found.of["1.0"] = of_1_0.result()
        broker.add_virtual_host(OTHER_HOST)
        restart = broker.restart_command
        whole = RunRequest(target, "0-9-1-rabbitmq", restart_command=restart, second_virtual_host=OTHER_HOST)
        found.of["0-9-1-rabbitmq"] = run(whole)
        found.left = broker.names("queues"), broker.names("exchanges")
        found.killed = _with_a_rule_that_kills(broker)
        durable = RunRequest(target, "0-9-1", "queue.declare.durable/*")
        (found.refused,) = run(
            replace(
                durable, glob="queue.declare.durable/persistence", restart_command="echo not today; exit 3"
            )
        ).results
        steps = (f"{scripts}/rabbitmqctl {step}" for step in ("stop_app", "reset", "start_app"))
        forget = f"{restart.partition(';')[0]}; {' && '.join(steps)}"
        found.forgotten = {
            result.rule.name: result for result in run(replace(durable, restart_command=forget)).results
        }
    return found


@contextmanager
def started(broker: OwnBroker) -> Iterator[OwnBroker]:
    broker.start()
    try:
        yield broker
    finally:
        broker.stop()


def _with_a_rule_that_kills(own_broker: OwnBroker) -> tuple[Result, ...]:
    order = RunRequest(read_target(own_broker.url), "0-9-1", restart_command=own_broker.restart_command)
    check = prepare(order)
    begun = Event()

    def kill(broker: Broker) -> None:
        broker.connect()
        begun.wait(PATIENCE)
        own_broker.kill()

    def publish(broker: Broker) -> None:
        channel = broker.open_channel()
        queue = channel.declare_queue()
        while not begun.is_set():
            begun.set()
            channel.next(PATIENCE)
        channel.publish(queue, b"x")
        channel.fetch(queue)

    drivers = {"exchange/required-types": kill, "queue.bind/unique": publish}
    trials = [
        replace(trial, driver=rule({"0-9-1": trial.rule.path}, seconds=PATIENCE)(drivers[trial.rule.path]))
        for trial in check.plan
        if trial.rule.path in drivers
    ]
    return TrialRunner(check.setting, check.make_broker).run(trials)
