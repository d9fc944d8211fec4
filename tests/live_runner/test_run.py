"""Trials side by side and alone, a broker that dies, what is left behind, and an interrupted run."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import amqp_0_9_1_rabbitmq as amqp
import pytest
from amqp_conformance.amqp0.broker import Broker
from amqp_conformance.engine.run_result import BrokerDied, Result, Verdict
from amqp_conformance.engine.runner import RunInterrupted, TrialRunner
from amqp_conformance.engine.transcript import Transcript

from .fake_broker import close_channel, die, fake_broker, keep_silent
from .made_trials import declare, make_setting, make_trial, run, run_one

methods = amqp.methods
PATIENT = 10.0


def shoot(broker: Broker) -> None:
    """Sends what the broker dies of."""
    broker.open_channel().call(methods.QueuePurge())


def verdicts(results: tuple[Result, ...]) -> dict[str, Verdict]:
    return {result.rule.name: result.verdict for result in results}


# --- side by side ---


def test_trials_run_side_by_side() -> None:
    meeting = threading.Barrier(3, timeout=PATIENT)

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
        runner = TrialRunner(make_setting(fake), Broker, 1, lambda result: told.append(result.rule.name))
        results = runner.run(trials)
    assert order == told == ["slow", "quick", "alone", "restart"]
    assert [result.rule.name for result in results] == ["restart", "quick", "alone", "slow"]


# --- death ---


def test_a_broker_that_dies_ends_the_run() -> None:
    trials = [make_trial(declare, "queue/before"), make_trial(shoot, "queue/shoot")]
    trials += [make_trial(declare, f"queue/after{number}") for number in range(3)]
    with fake_broker({"queue.purge": die}) as fake:
        results = run(fake, trials, workers=1)
    before, culprit, *after = results
    assert before.verdict is Verdict.PASSED
    assert culprit.verdict is Verdict.BROKER_DIED
    assert culprit.detail.startswith(
        "the broker no longer answers: expected queue.purge-ok, but the broker closed"
    )
    assert [result.verdict for result in after] == [Verdict.BROKER_DIED] * 3
    assert {result.detail for result in after} == {
        "not run: the broker had died (no --restart-cmd to go on with)"
    }


def test_a_broker_that_only_hangs_is_dead_too() -> None:
    def hang(conversation: Any, channel: int, method: Any) -> None:
        conversation.broker.answers["protocol header"] = keep_silent

    with fake_broker({"queue.purge": hang}) as fake:
        result = run_one(fake, shoot)
    assert result.verdict is Verdict.BROKER_DIED


def test_with_a_restart_the_culprit_is_found_and_the_run_goes_on() -> None:
    """Three trials are under way when the broker dies; each is tried again alone, and only one dies again."""
    meeting = threading.Barrier(3, timeout=PATIENT)
    restarts: list[None] = []

    def meet_once() -> None:
        if not restarts:
            meeting.wait()

    def victim(broker: Broker) -> None:
        channel = broker.open_channel()
        meet_once()
        if not restarts:
            channel.next(PATIENT)  # until the other one has shot the broker
            channel.next(PATIENT)
        declare(broker)

    def culprit(broker: Broker) -> None:
        channel = broker.open_channel()
        meet_once()
        channel.call(methods.QueuePurge())

    trials = [make_trial(victim, "queue/1"), make_trial(culprit, "queue/2"), make_trial(victim, "queue/3")]
    trials += [make_trial(declare, "queue/4"), make_trial(declare, "queue/5", exclusive=True)]
    with fake_broker({"queue.purge": die}) as fake:

        def restart() -> None:
            restarts.append(None)
            fake.start()

        runner = TrialRunner(make_setting(fake, restart=restart), Broker, 3)
        results = runner.run(trials)
    assert [result.verdict for result in results] == [
        Verdict.PASSED,
        Verdict.BROKER_DIED,
        Verdict.PASSED,
        Verdict.PASSED,
        Verdict.PASSED,
    ]
    assert len(restarts) == 2
    assert runner.remarks == ()


def test_a_death_that_the_driver_does_not_notice_is_its_own_all_the_same() -> None:
    def leave(broker: Broker) -> None:
        """Sends what the broker dies of, and does not wait for an answer."""
        broker.open_channel().send(methods.QueuePurge())

    with fake_broker({"queue.purge": die}) as fake:
        result = run_one(fake, leave)
    assert (result.verdict, result.detail) == (Verdict.BROKER_DIED, "the broker no longer answers")


def test_a_death_is_not_blamed_on_who_was_there_and_not_hidden() -> None:
    """Of two trials side by side the one that ends first does not notice what it has done."""
    done = threading.Event()

    def leave(broker: Broker) -> None:
        broker.connect().close()
        if not done.is_set():
            fake.stop()
            done.set()

    def victim(broker: Broker) -> None:
        channel = broker.open_channel()
        assert done.wait(PATIENT)
        channel.declare_queue()

    with fake_broker() as fake:
        runner = TrialRunner(make_setting(fake, restart=fake.start), Broker)
        results = runner.run([make_trial(leave), make_trial(victim)])
    assert [result.verdict for result in results] == [Verdict.PASSED, Verdict.PASSED]
    assert runner.remarks == ("the broker died of none of these alone, but while they ran: queue/victim",)


def test_a_death_at_the_very_end_is_seen() -> None:
    def leave(broker: Broker) -> None:
        broker.connect().close()
        fake.stop()

    with fake_broker() as fake:
        runner = TrialRunner(make_setting(fake), Broker)
        (result,) = runner.run([make_trial(leave)])
    assert result.verdict is Verdict.PASSED
    assert runner.remarks == ("the broker no longer answers at the end of the run",)


def test_a_death_is_not_blamed_on_the_next_one_and_not_hidden() -> None:
    """Nothing tells that the broker has died when the first trial ends, and nobody dies when tried again."""
    restarts: list[None] = []

    def leave(broker: Broker) -> None:
        broker.connect().close()
        fake.stop()

    def restart() -> None:
        restarts.append(None)
        fake.start()

    trials = [make_trial(leave, exclusive=True), make_trial(declare, exclusive=True)]
    with fake_broker() as fake:
        runner = TrialRunner(make_setting(fake, restart=restart), Broker)
        results = runner.run(trials)
    assert [result.verdict for result in results] == [Verdict.PASSED, Verdict.PASSED]
    assert len(restarts) == 1
    assert runner.remarks == ("the broker died of none of these alone, but while they ran: queue/declare",)


def test_a_broker_that_does_not_come_back_ends_the_run() -> None:
    def restart() -> None:
        raise BrokerDied("it stays away")

    trials = [make_trial(shoot, "queue/shoot"), make_trial(declare, "queue/after", exclusive=True)]
    with fake_broker({"queue.purge": die}) as fake:
        results = run(fake, trials, restart=restart)
    assert [result.verdict for result in results] == [Verdict.BROKER_DIED] * 2
    assert results[1].detail == "not run: the broker had died (it stays away)"


def test_a_driver_restarts_the_broker() -> None:
    def over_a_restart(broker: Broker) -> None:
        broker.open_channel().declare_queue(broker.name("queue"), exclusive=False)
        broker.restart()
        broker.open_channel().declare_queue(broker.name("queue"))

    with fake_broker() as fake:

        def restart() -> None:
            fake.stop()
            fake.start()

        result = run(fake, [make_trial(over_a_restart, restarts=True)], restart=restart)[0]
    assert result.verdict is Verdict.PASSED
    assert [each.name for each in result.evidence].count("restart") == 1
    assert {each.connection for each in result.evidence} == {0, 1, 2}
    assert fake.queues == set()


# --- cleaning up ---


def test_what_is_created_is_removed_even_after_a_failure() -> None:
    def fail(broker: Broker) -> None:
        broker.open_channel().declare_queue(broker.name("queue"), exclusive=False)
        raise ValueError("on purpose")

    with fake_broker() as fake:
        results = run(fake, [make_trial(declare), make_trial(fail)])
        assert fake.queues == set()
    deleted = {method.queue for method in fake.came if isinstance(method, methods.QueueDelete)}
    assert len(deleted) == 2
    assert all(name.startswith("amqp-codegen.queue.") for name in deleted)
    assert [result.verdict for result in results] == [Verdict.PASSED, Verdict.FAILED]


def test_what_is_not_there_or_locked_does_not_stop_the_cleaning() -> None:
    def many(broker: Broker) -> None:
        for label in ("one", "two", "three"):
            broker.open_channel().declare_queue(broker.name(label))

    answers = {"exchange.delete": close_channel(404), "queue.delete": close_channel(405)}
    with fake_broker(answers) as fake:
        runner = TrialRunner(make_setting(fake), Broker)
        runner.run([make_trial(many)])
    assert runner.leftovers == []
    assert len([method for method in fake.came if isinstance(method, methods.QueueDelete)]) == 3


def test_what_cannot_be_removed_is_told() -> None:
    with fake_broker({"exchange.delete": keep_silent}) as fake:
        runner = TrialRunner(make_setting(fake), Broker)
        (result,) = runner.run([make_trial(declare)])
    assert result.verdict is Verdict.PASSED
    (name,) = fake.queues
    assert runner.remarks == (f"could not be removed from the broker: {name}",)


def test_connections_are_closed_in_good_order() -> None:
    def three(broker: Broker) -> None:
        broker.connect()
        broker.connect().close()
        broker.open_channel()

    with fake_broker() as fake:
        run_one(fake, three)
    closes = [method for method in fake.came if isinstance(method, methods.ConnectionClose)]
    # The last one is the runner's, which sees that the broker lives.
    assert [method.reply_code for method in closes] == [200] * 4


# --- interrupts and faults of ours ---


def test_an_interrupt_ends_the_trials_at_once_and_cleans_up() -> None:
    """The one that waits for the broker would do so for much longer than the test may take."""
    waiting = threading.Event()

    def wait(broker: Broker) -> None:
        channel = broker.open_channel()
        channel.declare_queue(broker.name("queue"), exclusive=False)
        waiting.set()
        channel.call(methods.QueuePurge())

    def interrupt(result: Result) -> None:
        assert waiting.wait(PATIENT)
        raise KeyboardInterrupt

    begin = time.monotonic()
    with fake_broker() as fake:
        runner = TrialRunner(make_setting(fake, patience=600.0), Broker, 2, interrupt)
        with pytest.raises(RunInterrupted) as caught:
            runner.run(
                [make_trial(wait), make_trial(declare), make_trial(declare, "queue/other", exclusive=True)]
            )
        assert fake.queues == set()
    assert caught.value.leftovers == ()
    assert time.monotonic() - begin < 600.0


def test_a_fault_of_the_runner_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def remove(self: Broker, names: list[str]) -> list[str]:
        raise ZeroDivisionError

    monkeypatch.setattr(Broker, "remove", remove)
    with fake_broker() as fake, pytest.raises(ZeroDivisionError):
        run_one(fake, declare)


# --- the transcript ---


@pytest.mark.parametrize(("count", "kept"), [(0, 0), (150, 150), (300, 300), (301, 301), (5000, 301)])
def test_of_very_many_entries_the_first_and_the_last_are_kept(count: int, kept: int) -> None:
    transcript = Transcript()
    for number in range(count):
        transcript.add("sent", 1, 0, "frame", str(number), bytes(2000))
    evidence = transcript.evidence()
    assert len(evidence) == kept
    if count:
        assert (evidence[0].text, evidence[-1].text) == ("0", str(count - 1))
        assert (len(evidence[0].octets), evidence[0].size) == (1024, 2000)
    gaps = [each.text for each in evidence if each.name == "left out"]
    assert gaps == ([f"{count - 300} entries are left out"] if count > 300 else [])
