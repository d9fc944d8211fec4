"""Trials side by side and alone, a broker that dies, what is left behind, and an interrupted run."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import amqp_0_9_1_rabbitmq as amqp
import pytest
from amqp_conformance.amqp0.broker import Broker
from amqp_conformance.engine.expectations import Deviation, is_expected
from amqp_conformance.engine.run_result import BrokerDied, Result, Verdict, Violation
from amqp_conformance.engine.runner import TrialRunner
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
    assert culprit.detail.startswith("the broker no longer answers (no connection to ")
    assert culprit.detail.endswith("expected queue.purge-ok, but the broker closed the socket")
    assert [result.verdict for result in after] == [Verdict.INCONCLUSIVE] * 3
    assert {result.detail for result in after} == {
        "not run: the broker no longer answered (no --restart-cmd to go on with)"
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
    assert result.verdict is Verdict.BROKER_DIED
    assert result.detail.startswith("the broker no longer answers (no connection to ")


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
    (remark,) = runner.remarks
    assert remark.startswith("the broker died of none of these alone, but while they ran: queue/")
    assert "queue/victim" in remark


def test_a_death_is_not_blamed_on_the_next_one() -> None:
    """The first trial ends well and has killed the broker: the second one is not what it died of."""

    def leave(broker: Broker) -> None:
        broker.connect().close()
        fake.stop()

    trials = [make_trial(leave, exclusive=True), make_trial(declare, exclusive=True)]
    with fake_broker() as fake:
        runner = TrialRunner(make_setting(fake, restart=fake.start), Broker)
        results = runner.run(trials)
    assert [result.verdict for result in results] == [Verdict.BROKER_DIED, Verdict.PASSED]
    assert runner.remarks == ()


def test_a_broker_that_hangs_after_a_while_is_restarted_and_the_last_rules_are_tried_again() -> None:
    """It still lets everybody in, but answers no request: the rule before is what it cannot bear."""
    hangs = threading.Event()

    def delete(conversation: Any, channel: int, method: Any) -> None:
        if not hangs.is_set():
            conversation.say(channel, methods.QueueDeleteOk())

    def restart() -> None:
        fake.stop()
        hangs.clear()
        fake.start()

    def poison(broker: Broker) -> None:
        broker.open_channel().send(methods.QueuePurge())
        hangs.set()

    trials = [make_trial(declare, "queue/1"), make_trial(poison, "queue/2"), make_trial(declare, "queue/3")]
    with fake_broker({"queue.delete": delete}) as fake:
        runner = TrialRunner(make_setting(fake, restart=restart), Broker, 1)
        results = runner.run(trials)
    assert [result.verdict for result in results] == [Verdict.PASSED, Verdict.BROKER_DIED, Verdict.PASSED]
    assert "expected an answer to queue.delete, got no answer" in results[1].detail


def test_a_broker_that_cannot_be_asked_is_not_dead() -> None:
    """What it never answered is not expected of it later; the queue of the trial goes with its connection."""
    with fake_broker({"queue.delete": keep_silent}) as fake:
        result = run_one(fake, declare)
    assert result.verdict is Verdict.PASSED


def test_a_broker_that_does_not_come_back_ends_the_run() -> None:
    def restart() -> None:
        raise BrokerDied("it stays away")

    trials = [make_trial(shoot, "queue/shoot"), make_trial(declare, "queue/after", exclusive=True)]
    with fake_broker({"queue.purge": die}) as fake:
        results = run(fake, trials, restart=restart)
    assert [result.verdict for result in results] == [Verdict.BROKER_DIED, Verdict.INCONCLUSIVE]
    assert results[1].detail == "not run: the broker no longer answered (it stays away)"


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
    assert {each.connection for each in result.evidence} == {0, 1, 2, 3}
    assert fake.queues == set()


def test_a_command_that_restarts_nothing_makes_the_rule_inconclusive() -> None:
    def over_a_restart(broker: Broker) -> None:
        queue = broker.open_channel().declare_queue(broker.name("queue"), exclusive=False)
        broker.restart()
        broker.open_channel().call(methods.QueueDeclare(queue=queue))

    with fake_broker() as fake:
        result = run(fake, [make_trial(over_a_restart, restarts=True)], restart=lambda: None)[0]
    assert result.verdict is Verdict.INCONCLUSIVE
    assert "did not end a connection, so it restarted nothing" in result.detail


# --- second tries ---


def verdict_of(*outcomes: str, deviation: str = "") -> tuple[Verdict, str, int]:
    """The verdict on a rule whose tries have these outcomes, its detail, and how often it was tried."""
    tries = iter(outcomes)
    count = 0

    def waver(broker: Broker) -> None:
        nonlocal count
        count += 1
        outcome = next(tries)
        if outcome == "set-up":
            broker.open_channel().declare_queue(outcome)
        elif outcome:
            raise Violation(outcome)

    def is_known(result: Result) -> bool:
        return is_expected(result, Deviation(deviation, "so it is") if deviation else None)

    with fake_broker({"queue.declare": close_channel(540)}) as fake:
        (result,) = TrialRunner(make_setting(fake), Broker, is_expected=is_known).run([make_trial(waver)])
    return result.verdict, result.detail, count


REFUSED = "set-up: expected queue.declare-ok, got channel.close 540 (no)"


@pytest.mark.parametrize(
    ("outcomes", "verdict", "detail"),
    [
        ([""], Verdict.PASSED, ""),
        (["got 1", "got 2"], Verdict.FAILED, "got 2"),
        (["got 1", ""], Verdict.FLAKY, "failed when first tried, passed otherwise: got 1"),
        (["set-up", "set-up"], Verdict.INCONCLUSIVE, REFUSED),
        (["set-up", ""], Verdict.PASSED, ""),
        (["set-up", "got 1"], Verdict.FAILED, "got 1"),
        (["got 1", "set-up"], Verdict.INCONCLUSIVE, f"{REFUSED}; when first tried, failed: got 1"),
    ],
)
def test_what_is_not_as_expected_is_tried_again(outcomes: list[str], verdict: Verdict, detail: str) -> None:
    assert verdict_of(*outcomes) == (verdict, detail, len(outcomes))


@pytest.mark.parametrize(
    ("outcomes", "verdict"),
    [
        (["got 406"], Verdict.FAILED),  # as known: one try is enough
        (["got 403", "got 406"], Verdict.FAILED),
        (["", ""], Verdict.PASSED),
        (["", "got 406"], Verdict.FLAKY),
    ],
)
def test_a_known_deviation_counts_at_once(outcomes: list[str], verdict: Verdict) -> None:
    found, _, count = verdict_of(*outcomes, deviation="406")
    assert (found, count) == (verdict, len(outcomes))


def test_a_second_try_is_alone() -> None:
    under_way: set[str] = set()
    company: list[int] = []
    begun = threading.Barrier(2, timeout=PATIENT)

    def fail_beside_others(broker: Broker) -> None:
        name = broker.rule.name if broker.rule else ""
        under_way.add(name)
        if not company:
            begun.wait()
        seen = len(under_way)
        begun.wait() if not company else None
        company.append(seen)
        under_way.discard(name)
        if seen > 1:
            raise Violation("expected to be alone")

    with fake_broker() as fake:
        results = run(fake, [make_trial(fail_beside_others, f"queue/{number}") for number in range(2)])
    assert company == [2, 2, 1, 1]
    assert {result.verdict for result in results} == {Verdict.FLAKY}


def test_of_what_fails_for_one_cause_one_is_tried_again() -> None:
    counts: Counter[str] = Counter()

    def refused(broker: Broker) -> None:
        counts[broker.rule.name if broker.rule else ""] += 1
        broker.open_channel().declare_queue()

    with fake_broker({"queue.declare": close_channel(540)}) as fake:
        results = run(fake, [make_trial(refused, f"queue/{number}") for number in range(5)])
    assert {(result.verdict, result.detail) for result in results} == {(Verdict.INCONCLUSIVE, REFUSED)}
    assert sorted(counts.values()) == [1, 1, 1, 1, 2]


def test_a_slow_moment_costs_no_rule_its_verdict() -> None:
    """While the first tries run the broker takes longer than the trials wait."""
    slow = threading.Event()
    slow.set()

    def declare_slowly(conversation: Any, channel: int, method: Any) -> None:
        if not slow.is_set():
            conversation.say(channel, methods.QueueDeclareOk(method.queue))

    def hurry(broker: Broker) -> None:
        channel = broker.open_channel()
        try:
            channel.declare_queue()
        finally:
            slow.clear()

    with fake_broker({"queue.declare": declare_slowly}) as fake:
        results = run(fake, [make_trial(hurry, f"queue/{number}") for number in range(3)], workers=3)
    assert {result.verdict for result in results} == {Verdict.PASSED}


# --- cleaning up ---


def test_what_is_created_is_removed_even_after_a_failure() -> None:
    def fail(broker: Broker) -> None:
        broker.open_channel().declare_queue(broker.name("queue"), exclusive=False)
        raise ValueError("on purpose")

    with fake_broker() as fake:
        results = run(fake, [make_trial(declare), make_trial(fail)])
        assert fake.queues == set()
    deleted = {method.queue for method in fake.came if isinstance(method, methods.QueueDelete)}
    deleted.discard("amqp-codegen.none")  # what the runner asks for to see that the broker is well
    assert len(deleted) == 3  # what fails is tried twice
    assert all(name.startswith("amqp-codegen.queue.") for name in deleted)
    assert [result.verdict for result in results] == [Verdict.PASSED, Verdict.INCONCLUSIVE]


def test_what_is_not_there_or_locked_does_not_stop_the_cleaning() -> None:
    def many(broker: Broker) -> None:
        for label in ("one", "two", "three"):
            broker.open_channel().declare_queue(broker.name(label))

    answers = {"exchange.delete": close_channel(404), "queue.delete": close_channel(405)}
    with fake_broker(answers) as fake:
        runner = TrialRunner(make_setting(fake), Broker)
        runner.run([make_trial(many)])
    assert runner.remarks == ()
    assert len([method for method in fake.came if isinstance(method, methods.QueueDelete)]) == 1 + 3


def test_what_cannot_be_removed_is_told() -> None:
    with fake_broker({"exchange.delete": keep_silent}) as fake:
        runner = TrialRunner(make_setting(fake), Broker)
        (result,) = runner.run([make_trial(declare)])
    assert result.verdict is Verdict.PASSED
    (name,) = fake.queues
    assert runner.remarks == (f"could not be removed from the broker: {name}",)


def test_of_very_much_that_is_left_behind_some_names_are_told() -> None:
    def many(broker: Broker) -> None:
        for _ in range(30):
            broker.name("queue")

    with fake_broker({"exchange.delete": keep_silent}) as fake:
        runner = TrialRunner(make_setting(fake), Broker)
        runner.run([make_trial(many)])
    assert len(runner.remarks) == 11
    assert runner.remarks[-1] == "could not be removed from the broker: 20 more"


def test_connections_are_closed_in_good_order() -> None:
    def three(broker: Broker) -> None:
        broker.connect()
        broker.connect().close()
        broker.open_channel()

    with fake_broker() as fake:
        run_one(fake, three)
    closes = [method for method in fake.came if isinstance(method, methods.ConnectionClose)]
    # Besides the trial's three, one of the runner before it and one after it, which see that the broker is well.
    assert [method.reply_code for method in closes] == [200] * 5


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
        if result.verdict is Verdict.PASSED:
            assert waiting.wait(PATIENT)
            raise KeyboardInterrupt

    begin = time.monotonic()
    with fake_broker() as fake:
        runner = TrialRunner(make_setting(fake, patience=600.0), Broker, 2, interrupt)
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
    assert time.monotonic() - begin < 600.0


def test_a_fault_of_the_runner_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def probe(self: Broker, names: list[str]) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Broker, "probe", probe)
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
