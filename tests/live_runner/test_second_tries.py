"""What is not as expected is tried again before it counts."""

from __future__ import annotations

import threading
from collections import Counter
from typing import Any

import amqp_0_9_1_rabbitmq as amqp
import pytest
from amqp_conformance.amqp0.broker import Broker
from amqp_conformance.engine.expectations import Deviation, is_expected
from amqp_conformance.engine.run_result import NoAnswer, Result, Verdict, Violation
from amqp_conformance.engine.runner import TrialRunner

from tests.patience import PATIENCE

from .fake_broker import close_channel, fake_broker
from .made_trials import SHORT_PATIENCE, make_setting, make_trial, run

methods = amqp.methods


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


def test_a_second_try_has_more_patience() -> None:
    """An answer that the first one did not wait for comes in time."""
    patiences: list[float] = []

    def wait(broker: Broker) -> None:
        patiences.append(broker.patience)
        raise NoAnswer("got no answer")

    with fake_broker() as fake:
        run(fake, [make_trial(wait)], patience=SHORT_PATIENCE)
    assert patiences == [SHORT_PATIENCE, 4 * SHORT_PATIENCE]


def test_a_second_try_is_alone() -> None:
    under_way: set[str] = set()
    company: list[int] = []
    begun = threading.Barrier(2, timeout=PATIENCE)

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
        results = run(
            fake,
            [make_trial(hurry, f"queue/{number}") for number in range(3)],
            workers=3,
            patience=SHORT_PATIENCE,
        )
    assert {result.verdict for result in results} == {Verdict.PASSED}


def test_an_answer_that_only_came_late_is_not_flaky() -> None:
    tries = iter((NoAnswer("got none"), None))

    def hesitate(broker: Broker) -> None:
        if error := next(tries):
            raise error

    with fake_broker() as fake:
        (result,) = run(fake, [make_trial(hesitate)])
    assert (result.verdict, result.detail) == (Verdict.PASSED, "")
    assert list(tries) == []
