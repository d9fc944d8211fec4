"""What a run leaves behind: entities, connections, a transcript."""

from __future__ import annotations

from typing import Any

import amqp_0_9_1_rabbitmq as amqp
import pytest
from amqp_conformance.amqp0.broker import Broker
from amqp_conformance.engine.redaction import Redactor
from amqp_conformance.engine.run_result import Verdict
from amqp_conformance.engine.runner import TrialRunner
from amqp_conformance.engine.transcript import Transcript

from .fake_broker import (
    Conversation,
    FakeBroker,
    close_channel,
    close_connection,
    fake_broker,
    keep_silent,
    say,
)
from .made_trials import SHORT_PATIENCE, declare, make_setting, make_trial, run, run_one

methods = amqp.methods


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


def test_consumers_are_cancelled_before_the_connection_is_closed() -> None:
    """Some brokers answer the close first, and hang if the queue is deleted under a consumer."""

    def consume(broker: Broker) -> None:
        """Start consumers on two channels, and cancel one of them."""
        connection = broker.connect()
        first, second = connection.open_channel(1), connection.open_channel(2)
        queue = first.declare_queue()
        for channel, tag in ((first, "one"), (first, "two"), (second, "three")):
            channel.call(methods.BasicConsume(queue=queue, consumer_tag=tag))
        first.call(methods.BasicCancel("one"))
        connection.open_channel(3).call(methods.BasicConsume(queue=queue, consumer_tag="four"))
        connection.take(3)  # the broker cancels this one

    def start(conversation: Conversation, channel: int, method: Any) -> None:
        conversation.say(channel, methods.BasicConsumeOk(method.consumer_tag))
        if channel == 3:
            conversation.say(channel, methods.BasicCancel(method.consumer_tag, no_wait=True))

    def cancel(conversation: Conversation, channel: int, method: Any) -> None:
        if method.consumer_tag != "one":  # after the trial, a delivery comes first
            delivery = methods.BasicDeliver(method.consumer_tag, 1, False, "", "key")
            conversation.say(channel, delivery, amqp.ContentHeader(amqp.BasicProperties(), 0))
        conversation.say(channel, methods.BasicCancelOk(method.consumer_tag))

    with fake_broker({"basic.consume": start, "basic.cancel": cancel}) as fake:
        assert run_one(fake, consume).verdict is Verdict.PASSED
    closed = [
        number
        for number, frame in enumerate(fake.came)
        if isinstance(frame, (methods.ConnectionClose, methods.QueueDelete))
    ]
    cancels = {
        frame.consumer_tag: number
        for number, frame in enumerate(fake.came)
        if isinstance(frame, methods.BasicCancel)
    }
    assert sorted(cancels) == ["one", "three", "two"]
    consumed = max(
        number for number, frame in enumerate(fake.came) if isinstance(frame, methods.BasicConsume)
    )
    assert max(cancels.values()) < min(number for number in closed if number > consumed)


COUNT = 40


def declare_many(fake: FakeBroker) -> tuple[Broker, list[str]]:
    broker = Broker(make_setting(fake))
    channel = broker.open_channel()
    return broker, [channel.declare_queue(broker.name("queue"), exclusive=False) for _ in range(COUNT)]


def test_much_that_is_left_is_removed_at_once() -> None:
    """No method waits for the answer to the one before."""
    came: list[Any] = []

    def delete(conversation: Conversation, channel: int, method: Any) -> None:
        came.append(method)
        if len(came) == 2 * COUNT:
            conversation.say(channel, *(type(frame).RESPONSES[0]() for frame in came))

    with fake_broker({"exchange.delete": delete, "queue.delete": delete}) as fake:
        broker, names = declare_many(fake)
        broker.probe(names)
        broker.close_sockets()
    assert {method.queue for method in came if isinstance(method, methods.QueueDelete)} == set(names)


def test_a_refusal_among_many_stops_none_of_the_others() -> None:
    """What follows on the channel that the broker has closed counts for nothing, and is sent again."""
    came: list[str] = []

    def delete(conversation: Conversation, channel: int, method: Any) -> None:
        came.append(method.exchange)
        refused = len(came) % 10 == 5
        (close_channel(404) if refused else say(methods.ExchangeDeleteOk()))(conversation, channel, method)
        if refused:
            fake.answers.update({"exchange.delete": keep_silent, "queue.delete": keep_silent})

    def open_again(conversation: Conversation, channel: int, method: Any) -> None:
        fake.answers["exchange.delete"] = delete
        fake.answers.pop("queue.delete", None)
        conversation.channels.discard(channel)

    with fake_broker({"exchange.delete": delete, "channel.close-ok": open_again}) as fake:
        broker, names = declare_many(fake)
        broker.probe(names)
        broker.close_sockets()
        assert fake.queues == set()
    assert set(came) == set(names)


def test_a_broker_that_minds_methods_on_a_closed_channel_is_asked_one_by_one() -> None:
    closed: set[Conversation] = set()

    def delete(conversation: Conversation, channel: int, method: amqp.methods.ExchangeDelete) -> None:
        refusal = close_connection(504) if conversation in closed else close_channel(404)
        closed.add(conversation)
        refusal(conversation, channel, method)

    def forget(conversation: Conversation, channel: int, method: amqp.methods.ChannelCloseOk) -> None:
        closed.discard(conversation)
        conversation.channels.discard(channel)

    with fake_broker({"exchange.delete": delete, "channel.close-ok": forget}) as fake:
        broker, names = declare_many(fake)
        broker.probe(names)
        broker.close_sockets()
        assert fake.queues == set()


def test_what_cannot_be_removed_is_told() -> None:
    with fake_broker({"exchange.delete": keep_silent}) as fake:
        runner = TrialRunner(make_setting(fake, patience=SHORT_PATIENCE), Broker)
        (result,) = runner.run([make_trial(declare)])
    assert result.verdict is Verdict.PASSED
    (name,) = fake.queues
    assert runner.remarks == (f"could not be removed from the broker: {name}",)


def test_of_very_much_that_is_left_behind_some_names_are_told() -> None:
    def many(broker: Broker) -> None:
        for _ in range(30):
            broker.name("queue")

    with fake_broker({"exchange.delete": keep_silent}) as fake:
        runner = TrialRunner(make_setting(fake, patience=SHORT_PATIENCE), Broker)
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


@pytest.mark.parametrize(("count", "kept"), [(0, 0), (150, 150), (300, 300), (301, 301), (5000, 301)])
def test_of_very_many_entries_the_first_and_the_last_are_kept(count: int, kept: int) -> None:
    transcript = Transcript(Redactor("", ""))
    for number in range(count):
        transcript.add("sent", 1, 0, "frame", str(number), bytes(2000))
    evidence = transcript.evidence()
    assert len(evidence) == kept
    if count:
        assert (evidence[0].text, evidence[-1].text) == ("0", str(count - 1))
        assert (len(evidence[0].octets), evidence[0].size) == (1024, 2000)
    gaps = [item.text for item in evidence if item.name == "left out"]
    assert gaps == ([f"{count - 300} entries are left out"] if count > 300 else [])
