"""A broker that dies or hangs in a run, the search for the rule that it died of, and restarts."""

from __future__ import annotations

import threading
from typing import Any

import amqp_0_9_1_rabbitmq as amqp
from amqp_conformance.amqp0.broker import Broker
from amqp_conformance.engine.broker_view import NEEDS_RESTART
from amqp_conformance.engine.run_result import BrokerDied, Verdict
from amqp_conformance.engine.runner import TrialRunner

from tests.patience import PATIENCE

from .fake_broker import die, fake_broker, keep_silent
from .made_trials import SHORT_PATIENCE, declare, make_setting, make_trial, run, run_one

methods = amqp.methods


def shoot(broker: Broker) -> None:
    """Sends what the broker dies of."""
    broker.open_channel().call(methods.QueuePurge())


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
        result = run_one(fake, shoot, SHORT_PATIENCE)
    assert result.verdict is Verdict.BROKER_DIED


def test_with_a_restart_the_culprit_is_found_and_the_run_goes_on() -> None:
    """Three trials are under way when the broker dies; each is tried again alone, and only one dies again."""
    meeting = threading.Barrier(3, timeout=PATIENCE)
    restarts: list[None] = []

    def meet_once() -> None:
        if not restarts:
            meeting.wait()

    def victim(broker: Broker) -> None:
        channel = broker.open_channel()
        meet_once()
        if not restarts:
            channel.next(PATIENCE)  # until the other one has shot the broker
            channel.next(PATIENCE)
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
        assert done.wait(PATIENCE)
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
        runner = TrialRunner(make_setting(fake, restart=restart, patience=SHORT_PATIENCE), Broker, 1)
        results = runner.run(trials)
    assert [result.verdict for result in results] == [Verdict.PASSED, Verdict.BROKER_DIED, Verdict.PASSED]
    assert "expected an answer to queue.delete, got no answer" in results[1].detail


def test_a_broker_that_cannot_be_asked_is_not_dead() -> None:
    """What it never answered is not expected of it later; the queue of the trial goes with its connection."""
    with fake_broker({"queue.delete": keep_silent}) as fake:
        result = run_one(fake, declare, SHORT_PATIENCE)
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
    assert [item.name for item in result.evidence].count("restart") == 1
    assert {item.connection for item in result.evidence} == {0, 1, 2, 3}
    assert fake.queues == set()


def test_a_command_that_restarts_nothing_makes_the_rule_inconclusive() -> None:
    def over_a_restart(broker: Broker) -> None:
        queue = broker.open_channel().declare_queue(broker.name("queue"), exclusive=False)
        broker.restart()
        broker.open_channel().call(methods.QueueDeclare(queue=queue))

    with fake_broker() as fake:
        trial = make_trial(over_a_restart, restarts=True)
        (result,) = run(fake, [trial], restart=lambda: None, patience=SHORT_PATIENCE)
    assert result.verdict is Verdict.INCONCLUSIVE
    assert "did not end a connection, so it restarted nothing" in result.detail


def test_without_a_command_a_driver_that_restarts_is_not_run() -> None:
    with fake_broker() as fake:
        (result,) = run(fake, [make_trial(shoot, restarts=True)])
    assert (result.verdict, result.detail) == (Verdict.NOT_TESTABLE, NEEDS_RESTART)
    assert result.evidence == ()
