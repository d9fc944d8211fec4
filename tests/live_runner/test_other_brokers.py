"""Real drivers on brokers that differ in something that their rule is not about: no verdict may come from that."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import amqp_0_9_1_rabbitmq as amqp
import pytest
from amqp_conformance.engine.broker_socket import read_target
from amqp_conformance.engine.level import RuleLevel
from amqp_conformance.engine.request import RunRequest, carry_out, prepare
from amqp_conformance.engine.run_result import RunResult, Verdict

from .fake_broker import (
    Answer,
    Conversation,
    both,
    close_channel,
    close_connection,
    fake_broker,
    hang_up,
    keep_silent,
    say,
    say_octets,
)
from .fake_queues import FakeQueues
from .patience import patiently

methods = amqp.methods
PASSED, FAILED, INCONCLUSIVE = Verdict.PASSED, Verdict.FAILED, Verdict.INCONCLUSIVE


def try_rules(url: str, paths: set[str], spec: str = "0-9-1-rabbitmq", **options: Any) -> RunResult:
    check = prepare(RunRequest(read_target(url), spec, **options))
    plan = tuple(trial for trial in check.plan if trial.rule.path in paths)
    assert {trial.rule.path for trial in plan} == paths
    return carry_out(replace(check, plan=plan))


def refuse_if(
    odd: Callable[[Any], bool], refusal: Answer, otherwise: Callable[[FakeQueues], Answer]
) -> Callable[[FakeQueues], Answer]:
    """Refuses the methods that are like that, and answers others as usual."""

    def make(queues: FakeQueues) -> Answer:
        usual = otherwise(queues)
        return lambda conversation, channel, method: (refusal if odd(method) else usual)(
            conversation, channel, method
        )

    return make


def only_close_ok_after_a_close(queues: FakeQueues) -> Answer:
    """Closes the connection for any method that comes on a channel that it has closed, but for the answer to that."""
    closed: set[tuple[Conversation, int]] = set()

    def acknowledge(conversation: Conversation, channel: int, method: Any) -> None:
        if (conversation, channel) in closed:
            close_connection(504, "the channel is closed")(conversation, channel, method)
            return
        queues.acknowledge(conversation, channel, method)
        if conversation.broker.answers["basic.ack"] is acknowledge and method.delivery_tag == 4711:
            closed.add((conversation, channel))

    return acknowledge


@dataclass(frozen=True)
class Difference:
    """What is different about a broker, by the name of the method, and the verdicts on the rules."""

    answers: Mapping[str, Callable[[FakeQueues], Answer]]
    verdicts: Mapping[str, Verdict]
    detail: str = ""


def always(answer: Answer) -> Callable[[FakeQueues], Answer]:
    return lambda queues: answer


DIFFERENCES = {
    "it names no queues": Difference(
        {
            "queue.declare": refuse_if(
                lambda method: not method.queue,
                close_channel(503, "queue name is required"),
                lambda queues: queues.declare,
            )
        },
        {
            "queue.bind.exchange/exchange-existence": PASSED,
            "queue.bind/duplicates": PASSED,
            "basic.ack.multiple/exists": PASSED,
            "basic/10": PASSED,
            "queue.declare.queue/default-name": FAILED,
        },
        "expected queue.declare-ok, got channel.close 503 (queue name is required)",
    ),
    "it has no queues at all": Difference(
        {"queue.declare": always(close_connection(540, "no queues"))},
        {
            "queue.bind.exchange/exchange-existence": INCONCLUSIVE,
            "basic.ack.multiple/exists": INCONCLUSIVE,
            "queue.declare/minimum-queues": FAILED,
            "channel.open/state": PASSED,
        },
        "expected queue.declare-ok, got connection.close 540 (no queues)",
    ),
    "it lets no client pause a channel": Difference(
        {"channel.flow": always(close_connection(540))},
        {
            "basic.ack.multiple/exists": PASSED,
            "basic.nack.multiple/exists": FAILED,
            "delivery-tag/channel-local": PASSED,
            "basic/10": PASSED,
            "channel.flow/initial-state": FAILED,
        },
    ),
    "it minds what comes on a closed channel": Difference(
        {"basic.ack": only_close_ok_after_a_close, "channel.flow": always(close_connection(504))},
        {"basic.ack.multiple/exists": PASSED, "delivery-tag/channel-local": PASSED}),
    "it recovers nothing": Difference(
        {"basic.recover": always(close_connection(540)), "basic.recover-async": always(close_connection(540))},
        {"basic/09": PASSED, "basic.recover/01": FAILED}),
    "it limits prefetching by count only": Difference(
        {
            "basic.qos": refuse_if(
                lambda method: method.prefetch_size > 0, close_connection(540), lambda queues: queues.limit
            )
        },
        {"basic.qos.prefetch-count/01": PASSED, "basic.qos.prefetch-size/01": FAILED},
    ),
    "it has no transactions": Difference({}, {"basic.ack.multiple/exists": PASSED, "basic/10": PASSED}),
    "it takes ten channels": Difference(
        {
            "connection.start-ok": always(
                lambda conversation, channel, method: conversation.say(
                    0, methods.ConnectionTune(10, 1 << 17, 0)
                )
            )
        },
        {"basic.consume/01": Verdict.NOT_TESTABLE, "basic.consume.consumer-tag/02": FAILED},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", DIFFERENCES)
@patiently
def test_what_a_rule_is_not_about_does_not_decide_it(name: str, timeout: float) -> None:
    difference, queues = DIFFERENCES[name], FakeQueues()
    own = {method: make(queues) for method, make in difference.answers.items()}
    with fake_broker({**queues.answers, **own}) as fake:
        run = try_rules(fake.url, set(difference.verdicts), timeout=timeout)
    assert {result.rule.path: result.verdict for result in run.results} == difference.verdicts
    assert difference.detail in " ".join(result.detail for result in run.results)


@patiently
def test_a_command_that_restarts_nothing_proves_nothing(timeout: float) -> None:
    path = "queue.declare.durable/persistence"
    with fake_broker(FakeQueues().answers) as fake:
        run = try_rules(fake.url, {path}, restart_command="true", timeout=timeout)
    (result,) = run.results
    assert result.verdict is INCONCLUSIVE
    assert "restarted nothing" in result.detail
    assert not run.is_good


@pytest.mark.parametrize(("level", "is_good"), [(RuleLevel.MUST, True), (RuleLevel.MAY, False)])
@patiently
def test_a_rule_that_permits_does_not_fail_the_run(level: RuleLevel, is_good: bool, timeout: float) -> None:
    """The broker has one level of priorities, where it may have ten."""
    with fake_broker(FakeQueues().answers) as fake:
        run = try_rules(fake.url, {"basic/07"}, fail_on=level, timeout=timeout)
    (result,) = run.results
    assert (result.verdict, bool(result.surprise), run.is_good) == (FAILED, True, is_good)


@patiently
def test_a_slow_broker_is_asked_again(timeout: float) -> None:
    """Now and then it takes longer to open a connection than a trial waits, as one does that asks a name server."""
    count = itertools.count(1)

    def open_slowly(conversation: Conversation, channel: int, method: Any) -> None:
        if next(count) % 7 == 4:
            time.sleep(1.5 * timeout)
        conversation.say(0, methods.ConnectionOpenOk())

    paths = {"queue.bind/duplicates", "basic/10", "queue.declare/default-binding", "basic.consume/01"}
    with fake_broker({**FakeQueues().answers, "connection.open": open_slowly}) as fake:
        run = try_rules(fake.url, paths, workers=1, timeout=timeout)
    assert {result.rule.path: result.verdict for result in run.results} == dict.fromkeys(paths, PASSED)


@patiently
def test_a_broker_that_answers_nothing_but_logins_is_asked_little(timeout: float) -> None:
    """It lets everybody in, and is silent then; there is nothing to restart it with."""
    with fake_broker({"channel.open": keep_silent}) as fake:
        check = prepare(RunRequest(read_target(fake.url), "0-9-1", "[cq]*/[bdlmq]*", timeout=timeout))
        run = carry_out(check)
        waits = sum(isinstance(frame, methods.ChannelOpen) for frame in fake.came)
    verdicts = {result.rule.path: result.verdict for result in run.results}
    assert verdicts["queue.bind/duplicates"] is INCONCLUSIVE
    assert verdicts["connection.tune.frame-max/minimum"] is PASSED
    assert FAILED not in verdicts.values()
    tried = sum(trial.driver is not None for trial in check.plan)
    # Each rule waits once, and so does the clean-up after it; so do a second try of one of them, and the first probe.
    assert waits <= 2 * (tried + 2)


START = say(methods.ConnectionStart(0, 9, {"product": "Fake", "version": "1"}, b"PLAIN", b"en_US"))
HEADER_1_0 = b"AMQP\x03\x01\0\0"


def propose(header: bytes, *then: Answer) -> Answer:
    """Answers a version of 99-0 with a header and hangs up, and that header as told; goes on with any other."""

    def answer(conversation: Conversation, channel: int, frame: Any) -> None:
        if conversation.header == b"AMQP\0\x63\0\0":
            both(say_octets(header), hang_up)(conversation, channel, frame)
        elif conversation.header == header:
            both(*then)(conversation, channel, frame)
        else:
            START(conversation, channel, frame)

    return answer


@pytest.mark.parametrize(
    ("header", "then", "detail"),
    [
        (amqp.PROTOCOL_HEADER, [START], ""),
        (HEADER_1_0, [say_octets(HEADER_1_0)], ""),
        (HEADER_1_0, [say_octets(HEADER_1_0), say_octets(b"\0\0\0\x08\x02\x01\0\0")], ""),
        (HEADER_1_0, [say_octets(HEADER_1_0), hang_up], "stays open, but the broker closed the socket"),
        (HEADER_1_0, [say_octets(amqp.PROTOCOL_HEADER)], "got protocol header"),
        (HEADER_1_0, [START], "got connection.start"),
        (b"AMQP\0\x64\0\0", [START], "expected a version no higher than 99-0"),
    ],
)
@patiently
def test_which_versions_a_server_may_propose(
    header: bytes, then: list[Answer], detail: str, timeout: float
) -> None:
    with fake_broker({"protocol header": propose(header, *then)}) as fake:
        (result,) = try_rules(fake.url, {"connection.start/server-support"}, timeout=timeout).results
    assert result.verdict is (FAILED if detail else PASSED), result.detail
    assert detail in result.detail
