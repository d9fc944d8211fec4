"""The modules for authors of clients on what RabbitMQ really sends; the client of these tests assembles contents by them."""

from __future__ import annotations

from typing import Any

import amqp_0_9_1_rabbitmq as amqp
import pytest

from .client import Client, Connect, Dial

methods = amqp.methods
BODIES = [b"", b"x", b"y" * 4088, b"z" * 4089, b"w" * 100_000]


@pytest.mark.parametrize("chunk", [1 << 16, 7])
def test_messages_of_every_kind(package: Any, connect: Connect, chunk: int) -> None:
    """Get-ok, deliver and return, with no body, with one frame and with many."""
    client = connect(package, frame_max=4096)
    client.chunk = chunk
    queue = client.declare()
    bodies = BODIES if chunk > 7 else BODIES[:4]
    for body in bodies:
        properties = package.BasicProperties(message_id=str(len(body)))
        client.publish(queue, body, properties)
        message = client.fetch(queue)
        assert isinstance(message.method, package.methods.BasicGetOk)
        assert (message.channel, message.body, message.properties) == (1, body, properties)
        client.publish("no such queue", body, properties, mandatory=True)
        message = client.expect(package.methods.BasicReturn)
        assert (message.body, message.properties) == (body, properties)
    assert client.get(queue) is None
    client.call(package.methods.BasicConsume(queue=queue, no_ack=True))
    for body in bodies:
        client.publish(queue, body)
        assert client.expect(package.methods.BasicDeliver).body == body


def test_contents_of_several_channels(connect: Connect) -> None:
    client = connect(frame_max=4096)
    queues = {}
    for channel in range(1, 6):
        if channel > 1:
            client.open_channel(channel)
        queues[channel] = client.call(methods.QueueDeclare(exclusive=True), channel).queue
        client.call(methods.BasicConsume(queues[channel], no_ack=True), channel)
    for number in range(20):
        for channel, queue in queues.items():
            client.publish(queue, b"%d" % number * 5000, channel=channel)
    for number in range(20):
        for channel in queues:
            message = client.expect(methods.BasicDeliver, channel=channel)
            assert (message.channel, message.body) == (channel, b"%d" % number * 5000)


def test_a_body_that_is_too_large_costs_the_channel_only(connect: Connect) -> None:
    client = connect(frame_max=4096)
    client.inbox.assembler.max_body_size = 10_000
    queue = client.declare()
    client.publish(queue, b"x" * 50_000)
    client.send(methods.BasicGet(queue, no_ack=True))
    with pytest.raises(amqp.ProtocolError) as caught:
        client.next()
    error = caught.value
    # The rest of the content is still to come, and is dropped.
    assert client.call(methods.ChannelClose(error.reply_code, error.message)) == methods.ChannelCloseOk()
    client.open_channel().publish(queue, b"small")
    assert client.fetch(queue).body == b"small"


def test_requests_that_fail_are_answered_by_a_close(client: Client) -> None:
    for request, code in (
        (methods.QueueDeclare("no such queue", passive=True), amqp.ReplyCode.NOT_FOUND),
        (methods.ExchangeDeclare("amq.direct", "fanout"), amqp.ReplyCode.PRECONDITION_FAILED),
        (methods.BasicGet("no such queue"), amqp.ReplyCode.NOT_FOUND),
    ):
        client.send(request)
        close = client.take()
        assert amqp.is_reply(request, close)
        assert (type(close), close.reply_code) == (methods.ChannelClose, code)
        client.send(methods.ChannelCloseOk())
        client.open_channel()


def test_who_wants_no_reply_gets_none(client: Client) -> None:
    for request in (
        methods.QueueDeclare("none wanted", exclusive=True, no_wait=True),
        methods.QueueBind("none wanted", "amq.direct", "x", no_wait=True),
        methods.QueuePurge("none wanted", no_wait=True),
        methods.QueueDelete("none wanted", no_wait=True),
        methods.ConfirmSelect(nowait=True),
    ):
        assert not request.expects_reply
        client.send(request)
    client.declare()


def test_a_login_by_its_replies(dial: Dial) -> None:
    """Start-ok is answered by tune; the answer to tune is the one of ``negotiate``."""
    client = dial()
    client.send_octets(amqp.PROTOCOL_HEADER)
    client.expect(methods.ConnectionStart, channel=0)
    tune = client.call(client.start_ok(), 0)
    assert isinstance(tune, methods.ConnectionTune)
    limits = amqp.negotiate(tune, channel_max=3, max_frame_size=8192, heartbeat=20)
    assert limits == methods.ConnectionTuneOk(3, 8192, min(20, tune.heartbeat or 20))
    client.send(limits, channel=0)
    client.call(methods.ConnectionOpen("/"), 0)
    numbers = amqp.NumberAllocator(1, limits.channel_max)
    for _ in range(3):
        client.open_channel(numbers.allocate())
    with pytest.raises(amqp.NoFreeNumber):
        numbers.allocate()
    with pytest.raises(amqp.errors.NotAllowedClose):  # RabbitMQ would have refused it, too
        client.open_channel(4)


@pytest.mark.parametrize("room", [None, 3])
def test_confirms(client: Client, room: int | None) -> None:
    """Every number is answered once; what a full queue refuses is nacked."""
    full: amqp.FieldTable = {"x-max-length": room, "x-overflow": "reject-publish"} if room else {}
    queue = client.declare(arguments=full)
    client.call(methods.ConfirmSelect())
    tracker = amqp.ConfirmTracker(1)
    count = 500
    published = b"".join(
        amqp.encode_message(1, methods.BasicPublish("", queue), None, b"x") for _ in range(count)
    )
    numbers = [tracker.publish() for _ in range(count)]
    client.send_octets(published)
    answers: dict[type, list[int]] = {methods.BasicAck: [], methods.BasicNack: []}
    while len(tracker):
        answer = client.expect(methods.BasicAck, methods.BasicNack)
        answers[type(answer)] += tracker.settle(answer.delivery_tag, multiple=answer.multiple)
    acked, nacked = answers.values()
    assert sorted(acked + nacked) == numbers
    assert (len(acked), len(nacked)) == ((room, count - room) if room else (count, 0))
