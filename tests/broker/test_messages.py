"""Publishing, consuming, getting, refusing and returning messages."""

from __future__ import annotations

from typing import Any

import amqp_0_8
import amqp_0_9
import amqp_0_9_1_rabbitmq as amqp
import pytest

from .client import Client, Connect, Dial

methods = amqp.methods


def ack(client: Client, tag: int, **options: Any) -> None:
    client.send(client.amqp.methods.BasicAck(delivery_tag=tag, **options))


def test_publish_consume_ack(any_client: Client) -> None:
    methods = any_client.amqp.methods
    queue = any_client.declare()
    tag = any_client.call(methods.BasicConsume(queue=queue)).consumer_tag
    assert tag.startswith("amq.ctag-")
    properties = any_client.amqp.BasicProperties(content_type="text/plain", delivery_mode=2)
    for number in range(1, 4):
        any_client.publish(queue, b"body %d" % number, properties)
        message = any_client.expect(methods.BasicDeliver)
        assert message.method == methods.BasicDeliver(tag, number, False, "", queue)
        assert (message.body, message.properties) == (b"body %d" % number, properties)
    ack(any_client, 2, multiple=True)
    ack(any_client, 3)
    assert any_client.call(methods.BasicCancel(consumer_tag=tag)).consumer_tag == tag
    any_client.call(methods.ChannelClose(200, "all is acknowledged"))
    any_client.open_channel()
    assert any_client.get(queue) is None


def test_what_was_not_acked_comes_back(any_client: Client) -> None:
    methods = any_client.amqp.methods
    queue = any_client.declare()
    any_client.call(methods.BasicConsume(queue=queue))
    for body in (b"1", b"2", b"3"):
        any_client.publish(queue, body)
    for _ in range(3):
        any_client.expect(methods.BasicDeliver)
    ack(any_client, 2)
    any_client.call(methods.ChannelClose(200, "without acks"))
    any_client.open_channel()
    messages = [any_client.fetch(queue), any_client.fetch(queue)]
    assert [(message.body, message.method.redelivered) for message in messages] == [
        (b"1", True),
        (b"3", True),
    ]
    assert any_client.get(queue) is None


def test_get(any_client: Client) -> None:
    methods = any_client.amqp.methods
    queue = any_client.declare()
    assert isinstance(any_client.call(methods.BasicGet(queue=queue)), methods.BasicGetEmpty)
    any_client.publish(queue, b"one")
    any_client.publish(queue, b"two")
    message = any_client.get(queue, no_ack=False)
    assert message is not None
    assert message.method == methods.BasicGetOk(1, False, "", queue, 1)
    assert message.body == b"one"
    ack(any_client, 1)
    assert any_client.fetch(queue).method == methods.BasicGetOk(2, False, "", queue, 0)
    assert any_client.get(queue) is None


def test_no_ack_needs_no_ack(client: Client) -> None:
    queue = client.declare()
    client.call(methods.BasicConsume(queue, "me", no_ack=True))
    client.publish(queue, b"x")
    assert client.expect(methods.BasicDeliver).method.consumer_tag == "me"
    client.call(methods.ChannelClose(200, "done"))
    client.open_channel().expect_count(queue, 0)
    client.call(methods.BasicConsume(queue, no_ack=True))
    client.publish(queue)
    ack(client, client.expect(methods.BasicDeliver).method.delivery_tag)
    with pytest.raises(amqp.errors.PreconditionFailedClose, match="unknown delivery tag 1"):
        client.declare()


@pytest.mark.parametrize("requeue", [True, False])
def test_reject(any_client: Client, requeue: bool) -> None:
    methods = any_client.amqp.methods
    queue = any_client.declare()
    any_client.publish(queue, b"no, thanks")
    message = any_client.get(queue, no_ack=False)
    assert message is not None
    assert not message.method.redelivered
    any_client.send(methods.BasicReject(message.method.delivery_tag, requeue))
    again = any_client.get(queue)
    if requeue:
        assert again is not None
        assert (again.body, again.method.redelivered) == (b"no, thanks", True)
    else:
        assert again is None


def test_nack_refuses_several_at_once(client: Client) -> None:
    queue = client.declare()
    client.call(methods.BasicConsume(queue))
    for body in (b"1", b"2", b"3", b"4"):
        client.publish(queue, body)
    for _ in range(4):
        client.expect(methods.BasicDeliver)
    client.send(methods.BasicNack(3, multiple=True, requeue=True))
    seen = {}
    for _ in range(3):
        message = client.expect(methods.BasicDeliver)
        assert message.method.redelivered
        seen[message.method.delivery_tag] = message.body
    assert seen == {5: b"1", 6: b"2", 7: b"3"}
    client.send(methods.BasicNack(0, multiple=True, requeue=False))  # 4 too: tag zero means all
    client.expect_count(queue, 0)
    client.call(methods.ChannelClose(200, "done"))
    client.open_channel().expect_count(queue, 0)


def test_rejects_are_dead_lettered_with_their_story(client: Client) -> None:
    dead = client.declare()
    arguments = {"x-dead-letter-exchange": "", "x-dead-letter-routing-key": dead}
    queue = client.declare(arguments=arguments)
    client.call(methods.BasicConsume(dead, no_ack=True))
    client.publish(queue, b"b", amqp.BasicProperties(headers={"mine": 1}))
    message = client.get(queue, no_ack=False)
    assert message is not None
    client.send(methods.BasicReject(message.method.delivery_tag, requeue=False))
    message = client.expect(methods.BasicDeliver)
    headers = message.properties.headers
    assert headers["mine"] == 1
    (death,) = headers["x-death"]
    assert isinstance(death.pop("time"), amqp.Timestamp)
    assert death == {
        "count": 1,
        "reason": "rejected",
        "queue": queue,
        "exchange": "",
        "routing-keys": [queue],
    }
    assert headers["x-first-death-reason"] == "rejected"


def test_recover_sends_all_again(client: Client) -> None:
    queue = client.declare()
    client.call(methods.BasicConsume(queue))
    client.publish(queue, b"x")
    assert not client.expect(methods.BasicDeliver).method.redelivered
    client.send(methods.BasicRecover(requeue=True))
    # The spec allows deliveries before and after recover-ok.
    first, second = client.next(), client.next()
    if isinstance(first, methods.BasicRecoverOk):
        first, second = second, first
    assert second == methods.BasicRecoverOk()
    assert (first.body, first.method.redelivered, first.method.delivery_tag) == (b"x", True, 2)


@pytest.mark.parametrize(
    "recover",
    [
        (amqp_0_8, amqp_0_8.methods.BasicRecover),
        (amqp_0_9, amqp_0_9.methods.BasicRecover),
        (amqp, amqp.methods.BasicRecoverAsync),
    ],
)
def test_recover_without_a_reply(connect: Connect, recover: tuple[Any, Any]) -> None:
    package, method = recover
    assert (method.CLASS_ID, method.METHOD_ID, method.RESPONSES) == (60, 100, ())
    client = connect(package)
    queue = client.declare()
    client.publish(queue, b"x")
    client.get(queue, no_ack=False)
    client.send(method(requeue=True))
    message = client.fetch(queue)
    assert (message.body, message.method.redelivered) == (b"x", True)


def test_qos_holds_messages_back(any_client: Client) -> None:
    methods = any_client.amqp.methods
    queue = any_client.declare()
    any_client.call(methods.BasicQos(prefetch_count=2))
    for number in range(5):
        any_client.publish(queue, b"%d" % number)
    any_client.call(methods.BasicConsume(queue=queue))
    for number in range(2):
        assert any_client.expect(methods.BasicDeliver).body == b"%d" % number
    any_client.expect_count(queue, 3)
    assert any_client.inbox.waiting(1) == 0
    ack(any_client, 1)
    assert any_client.expect(methods.BasicDeliver).body == b"2"
    any_client.expect_count(queue, 2)
    assert any_client.inbox.waiting(1) == 0


def test_qos_for_each_consumer_or_for_the_channel(client: Client) -> None:
    first, second = client.declare(), client.declare()
    for queue in (first, second):
        client.publish(queue, b"1")
        client.publish(queue, b"2")
    client.call(methods.BasicQos(prefetch_count=1))
    client.call(methods.BasicConsume(first, "a"))
    assert client.expect(methods.BasicDeliver).method.consumer_tag == "a"
    client.call(methods.BasicConsume(second, "b"))
    assert client.expect(methods.BasicDeliver).method.consumer_tag == "b"
    client.call(methods.BasicQos(prefetch_count=2, global_=True))  # both are used up
    ack(client, 2, multiple=False)
    assert client.expect(methods.BasicDeliver).method.consumer_tag == "b"
    client.expect_count(first, 1)


def test_mandatory_messages_come_back(any_client: Client) -> None:
    methods = any_client.amqp.methods
    properties = any_client.amqp.BasicProperties(message_id="m", headers={"a": {"b": [1]}})
    any_client.publish("no such queue", b"lost?", properties, mandatory=True)
    message = any_client.expect(methods.BasicReturn)
    assert message.method == methods.BasicReturn(312, "NO_ROUTE", "", "no such queue")
    assert (message.body, message.properties) == (b"lost?", properties)
    any_client.publish("no such queue", b"lost!")
    any_client.declare()
    assert any_client.inbox.waiting(1) == 0


def test_the_server_cancels_the_consumer_of_a_deleted_queue(client: Client) -> None:
    queue = client.declare()
    client.call(methods.BasicConsume(queue, "mine"))
    client.open_channel(2)
    client.call(methods.QueueDelete(queue), channel=2)
    assert client.expect(methods.BasicCancel).consumer_tag == "mine"
    client.declare()


def test_it_does_not_tell_those_who_do_not_know_of_it(dial: Dial) -> None:
    client = dial().handshake(capabilities={}).open_channel().open_channel(2)
    queue = client.declare()
    client.call(methods.BasicConsume(queue, "mine"))
    client.call(methods.QueueDelete(queue), channel=2)
    with pytest.raises(amqp.errors.NotFoundClose):
        client.call(methods.QueueDeclare(queue, passive=True), channel=2)
    client.declare()
    assert client.inbox.waiting(1) == 0


def test_an_exclusive_consumer_is_alone(client: Client) -> None:
    queue = client.declare()
    client.call(methods.BasicConsume(queue, exclusive=True))
    with pytest.raises(amqp.errors.AccessRefusedClose, match="in exclusive use"):
        client.call(methods.BasicConsume(queue))


def test_channels_do_not_mix(client: Client) -> None:
    channels = (1, 2, 77, 2047)
    for channel in channels[1:]:
        client.open_channel(channel)
    queues = {channel: client.declare() for channel in channels}
    for channel, queue in queues.items():
        client.call(methods.BasicConsume(queue, f"on {channel}"), channel=channel)
    body = b"x" * 300_000
    for channel in channels:
        client.publish(queues[channel], body + b"%d" % channel, channel=channels[0])
    for channel in reversed(channels):
        message = client.expect(methods.BasicDeliver, channel=channel)
        assert message.method.consumer_tag == f"on {channel}"
        assert message.body == body + b"%d" % channel
    client.call(methods.ChannelClose(200, "bye"), channel=77)
    client.open_channel(77)


def test_flow_on_is_answered(client: Client) -> None:
    assert client.call(methods.ChannelFlow(active=True)) == methods.ChannelFlowOk(active=True)


def test_direct_reply_to(client: Client) -> None:
    requests = client.declare()
    client.call(methods.BasicConsume("amq.rabbitmq.reply-to", no_ack=True))
    client.publish(requests, b"ping", amqp.BasicProperties(reply_to="amq.rabbitmq.reply-to"))
    request = client.fetch(requests)
    assert request.properties.reply_to.startswith("amq.rabbitmq.reply-to.")
    client.open_channel(2)
    client.publish(request.properties.reply_to, b"pong", channel=2)
    assert client.expect(methods.BasicDeliver).body == b"pong"


def test_a_message_for_several_queues_by_cc(client: Client) -> None:
    first, second, third = client.declare(), client.declare(), client.declare()
    client.publish(first, b"x", amqp.BasicProperties(headers={"CC": [second], "BCC": [third]}))
    for queue in (first, second, third):
        message = client.fetch(queue)
        assert (message.body, message.properties.headers) == (b"x", {"CC": [second]})
