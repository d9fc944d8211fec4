"""A broker that misbehaves in every way there is: each gets the verdict that it deserves, with the reason."""

from __future__ import annotations

from threading import Event
from typing import Any

import amqp_0_9_1_rabbitmq as amqp
import pytest
from amqp_conformance.amqp0.broker import Broker
from amqp_conformance.engine.plan import Trial
from amqp_conformance.engine.run_result import NotTestable, Verdict, Violation

from tests.patience import PATIENCE

from .fake_broker import (
    Answer,
    Conversation,
    both,
    close_channel,
    close_connection,
    fake_broker,
    hang_up,
    keep_silent,
    reset,
    say,
    say_octets,
)
from .made_trials import SHORT_PATIENCE, declare, make_rule, run, run_one, try_once

methods = amqp.methods
DECLARE_OK = amqp.encode_frame(1, methods.QueueDeclareOk("q"))
GET_OK = methods.BasicGetOk(1)


def header(size: int) -> amqp.ContentHeader:
    return amqp.ContentHeader(amqp.BasicProperties(), size)


MISBEHAVIOUR: dict[str, tuple[Answer, str]] = {
    "another reply": (say(methods.QueuePurgeOk(0)), "expected queue.declare-ok, got queue.purge-ok"),
    "silence": (keep_silent, "expected queue.declare-ok, got no answer"),
    "only a heartbeat": (say_octets(amqp.encode_frame(0, amqp.Heartbeat())),
                         "expected queue.declare-ok, got no answer"),
    "an answer on another channel": (say_octets(amqp.encode_frame(2, methods.QueueDeclareOk("q"))),
                                     "expected queue.declare-ok, got no answer"),
    "half an answer": (say_octets(DECLARE_OK[:-1]), "expected queue.declare-ok, got no answer"),
    "hanging up": (hang_up, "expected queue.declare-ok, but the broker closed the socket"),
    "hanging up amid an answer": (both(say_octets(DECLARE_OK[:9]), hang_up),
                                  "expected queue.declare-ok, but the broker closed the socket"),
    "a reset": (reset, "expected queue.declare-ok, but the broker closed the socket"),
    "garbage": (say_octets(b"HTTP/1.1 400 Bad Request\r\n\r\n"), "expected a frame, got octets that are none"),
    "a wrong frame end": (say_octets(DECLARE_OK[:-1] + b"\xcd"), "expected a frame, got octets that are none"),
    "a method that does not exist": (say_octets(bytes.fromhex("01 0001 00000004 0032 00ff ce")),
                                     "expected a frame, got octets that are none"),
    "a frame beyond frame-max": (say_octets(bytes.fromhex("03 0001 00100000")),
                                 "expected a frame, got octets that are none"),
    "closing the channel": (close_channel(405, "locked"),
                            "expected queue.declare-ok, got channel.close 405 (locked)"),
    "closing the connection": (close_connection(541, "oh"),
                               "expected queue.declare-ok, got connection.close 541 (oh)"),
    "a content header out of place": (say(header(0)), "expected a method, got a content header"),
    "a body out of place": (say(amqp.ContentBody(b"x")), "expected a method, got a content body"),
    "a body without a header": (say(GET_OK, amqp.ContentBody(b"x")), "expected a content header, got a content body"),
    "a method amid a content": (say(GET_OK, header(1), methods.QueueDeclareOk("q")),
                                "expected the content of basic.get-ok, got queue.declare-ok"),
    "more body than announced": (say(GET_OK, header(1), amqp.ContentBody(b"xyz")),
                                 "expected a body of 1 octets, got 3"),
    "a message instead of a reply": (say(GET_OK, header(0)), "expected queue.declare-ok, got basic.get-ok"),
}  # fmt: skip


@pytest.mark.parametrize(("answer", "detail"), MISBEHAVIOUR.values(), ids=MISBEHAVIOUR)
def test_misbehaviour_fails_the_rule_and_says_how(answer: Answer, detail: str) -> None:
    with fake_broker({"queue.declare": answer}) as fake:
        result = try_once(fake, declare, SHORT_PATIENCE if "no answer" in detail else PATIENCE)
    assert result.verdict is Verdict.FAILED
    assert result.detail.startswith(detail)


@pytest.mark.parametrize(
    "name", ["protocol header", "connection.start-ok", "connection.open", "channel.open"]
)
@pytest.mark.parametrize(("answer", "got"), [(keep_silent, "no answer"), (hang_up, "closed the socket")])
def test_misbehaviour_before_the_trial_says_nothing_of_the_rule(name: str, answer: Answer, got: str) -> None:
    with fake_broker({name: answer}) as fake:
        result = try_once(fake, declare, SHORT_PATIENCE if got == "no answer" else PATIENCE)
    assert result.verdict is Verdict.INCONCLUSIVE
    assert result.detail.startswith("set-up: expected ")
    assert got in result.detail


def test_what_is_marked_as_set_up_and_what_as_trial() -> None:
    def marked(broker: Broker) -> None:
        with broker.set_up():
            raise Violation("expected one thing, got another")

    def marked_by_the_helper(broker: Broker) -> None:
        broker.open_channel().declare_queue()

    with fake_broker({"queue.declare": close_channel(405)}) as fake:
        found = [try_once(fake, function) for function in (marked, marked_by_the_helper, declare)]
    assert [(result.verdict, result.detail) for result in found] == [
        (Verdict.INCONCLUSIVE, "set-up: expected one thing, got another"),
        (Verdict.INCONCLUSIVE, "set-up: expected queue.declare-ok, got channel.close 405 (no)"),
        (Verdict.FAILED, "expected queue.declare-ok, got channel.close 405 (no)"),
    ]


def test_a_rule_that_holds() -> None:
    with fake_broker() as fake:
        result = run_one(fake, declare)
    assert (result.verdict, result.detail, result.procedure) == (Verdict.PASSED, "", declare.__doc__)


def test_what_a_driver_makes_of_it() -> None:
    def violation(broker: Broker) -> None:
        raise Violation("expected one thing, got another")

    def not_testable(broker: Broker) -> None:
        raise NotTestable("this broker has no such thing")

    def faulty(broker: Broker) -> None:
        raise KeyError("x")

    def needs_a_second_host(broker: Broker) -> None:
        broker.second_virtual_host()

    def restarts(broker: Broker) -> None:
        broker.restart()

    with fake_broker() as fake:
        found = {
            function.__name__: run_one(fake, function)
            for function in (violation, not_testable, faulty, needs_a_second_host, restarts)
        }
    assert {name: (result.verdict, result.detail) for name, result in found.items()} == {
        "violation": (Verdict.FAILED, "expected one thing, got another"),
        "not_testable": (Verdict.NOT_TESTABLE, "this broker has no such thing"),
        "faulty": (Verdict.INCONCLUSIVE, "the driver itself failed: KeyError: 'x'"),
        "needs_a_second_host": (
            Verdict.NOT_TESTABLE,
            "needs a second virtual host: --second-virtual-host NAME",
        ),
        "restarts": (Verdict.NOT_TESTABLE, "needs a restart of the broker: --restart-cmd COMMAND"),
    }


def test_rules_without_a_driver() -> None:
    pending = Trial(make_rule("queue/pending"), None, "")
    untestable = Trial(make_rule("queue/untestable"), None, "nobody can see it")
    with fake_broker() as fake:
        results = run(fake, [pending, untestable])
        assert not fake.came
    assert [(result.verdict, result.detail) for result in results] == [
        (Verdict.PENDING, "no driver has been written for this rule"),
        (Verdict.NOT_TESTABLE, "nobody can see it"),
    ]


def test_a_broker_that_talks_for_ever_does_not_outlast_the_deadline() -> None:
    def chatter(conversation: Any, channel: int, method: Any) -> None:
        while True:
            conversation.say(2, methods.ChannelFlow(True))

    with fake_broker({"queue.declare": chatter}) as fake:
        result = try_once(fake, declare, seconds=0.2)
    assert (result.verdict, result.detail) == (Verdict.INCONCLUSIVE, "not finished after 0.2 s")


def test_refusals() -> None:
    def refused(broker: Broker) -> None:
        """Does something forbidden. The channel is closed with 404."""
        broker.open_channel().expect_refusal(methods.QueueDeclare("x", passive=True), name="not-found")

    def refused_without_reply(broker: Broker) -> None:
        broker.open_channel().expect_refusal(methods.BasicAck(5), name="precondition-failed")

    expected = "expected channel.close 404 (not-found), got "
    for answer, verdict, detail in (
        (close_channel(404, "gone"), Verdict.PASSED, ""),
        (close_channel(403, "no"), Verdict.FAILED, f"{expected}channel.close 403 (no)"),
        (close_connection(404, "gone"), Verdict.FAILED, f"{expected}connection.close 404 (gone)"),
        (say(methods.QueueDeclareOk("x")), Verdict.FAILED, f"{expected}queue.declare-ok"),
    ):
        with fake_broker({"queue.declare": answer}) as fake:
            result = try_once(fake, refused)
        assert (result.verdict, result.detail) == (verdict, detail)
    with fake_broker() as fake:  # which takes the ack
        result = try_once(fake, refused_without_reply)
        assert not any(isinstance(frame, methods.ChannelFlow) for frame in fake.came)
    assert result.detail == "expected channel.close 406 (precondition-failed), got channel.close-ok"


def test_the_evidence_has_every_frame_and_no_password() -> None:
    with fake_broker({"queue.declare": both(say(methods.QueuePurgeOk(7)), hang_up)}) as fake:
        result = try_once(fake, declare)
    assert [(item.direction, item.name) for item in result.evidence] == [
        ("sent", "protocol header"),
        ("received", "connection.start"),
        ("sent", "connection.start-ok"),
        ("received", "connection.tune"),
        ("sent", "connection.tune-ok"),
        ("sent", "connection.open"),
        ("received", "connection.open-ok"),
        ("sent", "channel.open"),
        ("received", "channel.open-ok"),
        ("sent", "queue.declare"),
        ("received", "queue.purge-ok"),
    ]
    last = result.evidence[-1]
    assert (last.connection, last.channel, last.text) == (1, 1, "QueuePurgeOk(message_count=7)")
    assert last.octets == amqp.encode_frame(1, methods.QueuePurgeOk(7))
    assert [item.seconds for item in result.evidence] == sorted(item.seconds for item in result.evidence)
    told = b"".join(item.octets + item.text.encode() for item in result.evidence)
    assert b"secret" not in told
    assert any(getattr(frame, "response", b"") == b"\0guest\0secret" for frame in fake.came)


def test_each_piece_of_a_message_is_waited_for_anew() -> None:
    next_wait = Event()
    waits: list[float] = []

    def answer(conversation: Conversation, channel: int, method: Any) -> None:
        header = amqp.ContentHeader(amqp.BasicProperties(), 2)
        conversation.say(channel, methods.BasicGetOk(1, False, "", "q", 0), header)
        next_wait.wait(PATIENCE)
        conversation.say(channel, amqp.ContentBody(b"ab"))

    def fetch(broker: Broker) -> None:
        channel = broker.open_channel()
        first_wait = broker.wait

        def wait(seconds: float | None = None) -> float:
            waits.append(first_wait(seconds))
            if len(waits) > 1:
                next_wait.set()
            return waits[-1]

        channel.send(methods.BasicGet(queue="q", no_ack=True))
        broker.wait = wait  # type: ignore[method-assign]
        if channel.next().body != b"ab":
            raise Violation("expected ab")

    with fake_broker({"basic.get": answer}) as fake:
        assert try_once(fake, fetch, SHORT_PATIENCE).detail == ""
