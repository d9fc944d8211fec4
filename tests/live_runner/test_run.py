"""Trials side by side and alone, and a run that ends early."""

from __future__ import annotations

import threading
from collections.abc import Callable

import amqp_0_9_1_rabbitmq as amqp
import pytest
from amqp_conformance.amqp0.broker import Broker
from amqp_conformance.engine.run_result import Result, Verdict
from amqp_conformance.engine.runner import TrialRunner

from tests.patience import PATIENCE

from .fake_broker import fake_broker
from .made_trials import declare, make_setting, make_trial, run, run_one

methods = amqp.methods


def verdicts(results: tuple[Result, ...]) -> dict[str, Verdict]:
    return {result.rule.name: result.verdict for result in results}


def test_trials_run_side_by_side() -> None:
    meeting = threading.Barrier(3, timeout=PATIENCE)

    def meet(broker: Broker) -> None:
        meeting.wait()

    with fake_broker() as fake:
        results = run(fake, [make_trial(meet, f"queue/{number}") for number in range(3)], workers=3)
    assert set(verdicts(results).values()) == {Verdict.PASSED}


def test_no_more_than_there_are_workers_and_exclusive_ones_alone() -> None:
    lock = threading.Lock()
    at_work: list[str] = []
    seen: list[tuple[str, int]] = []

    def work(kind: str) -> Callable[[Broker], None]:
        def trial(broker: Broker) -> None:
            with lock:
                at_work.append(kind)
            declare(broker)
            with lock:
                seen.append((kind, len(at_work)))
                at_work.remove(kind)

        return trial

    trials = [make_trial(work("alone"), f"queue/a{number}", exclusive=True) for number in range(3)]
    trials += [make_trial(work("shared"), f"queue/s{number}") for number in range(12)]
    with fake_broker() as fake:
        results = run(fake, trials, workers=3)
    assert set(verdicts(results).values()) == {Verdict.PASSED}
    assert max(count for kind, count in seen if kind == "shared") <= 3
    assert [count for kind, count in seen if kind == "alone"] == [1, 1, 1]


def test_slow_ones_first_then_exclusive_ones_then_restarts_and_results_in_the_order_of_the_plan() -> None:
    order: list[str] = []

    def work(name: str) -> Callable[[Broker], None]:
        return lambda broker: order.append(name)

    options: dict[str, dict[str, bool]] = {
        "restart": {"restarts": True},
        "quick": {},
        "alone": {"exclusive": True},
        "slow": {"slow": True},
    }
    trials = [make_trial(work(name), f"queue/{name}", **kind) for name, kind in options.items()]
    told: list[str] = []
    with fake_broker() as fake:
        setting = make_setting(fake, restart=lambda: None)
        runner = TrialRunner(setting, Broker, 1, lambda result: told.append(result.rule.name))
        results = runner.run(trials)
    assert order == told == ["slow", "quick", "alone", "restart"]
    assert [result.rule.name for result in results] == ["restart", "quick", "alone", "slow"]


def test_an_interrupt_ends_the_trials_at_once_and_cleans_up() -> None:
    """The one that waits for the broker would do so for longer than anybody."""
    waiting = threading.Event()

    def wait(broker: Broker) -> None:
        channel = broker.open_channel()
        channel.declare_queue(broker.name("queue"), exclusive=False)
        waiting.set()
        channel.call(methods.QueuePurge())

    def interrupt(result: Result) -> None:
        if result.verdict is Verdict.PASSED:
            assert waiting.wait(PATIENCE)
            raise KeyboardInterrupt

    with fake_broker() as fake:
        runner = TrialRunner(make_setting(fake, patience=PATIENCE), Broker, 2, interrupt)
        results = runner.run(
            [make_trial(wait), make_trial(declare), make_trial(declare, "queue/other", exclusive=True)]
        )
        assert fake.queues == set()
    assert runner.interruption is not None
    assert [(result.verdict, result.detail) for result in results] == [
        (Verdict.INCONCLUSIVE, "not run: interrupted"),
        (Verdict.PASSED, ""),
        (Verdict.INCONCLUSIVE, "not run: interrupted"),
    ]
    assert runner.remarks == ()


def test_a_fault_of_the_runner_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def probe(self: Broker, names: list[str]) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Broker, "probe", probe)
    with fake_broker() as fake, pytest.raises(ZeroDivisionError):
        run_one(fake, declare)
