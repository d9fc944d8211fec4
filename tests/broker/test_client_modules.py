"""The modules for authors of clients on what RabbitMQ really sends."""

from __future__ import annotations

from collections import deque
from typing import Any

import amqp_0_9_1_rabbitmq as amqp
import pytest

from .client import Client, Connect, Dial

methods = amqp.methods


class Reader:
    """What comes on a connection, put together by the package of the client."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.amqp = client.amqp
        self.assembler = self.amqp.ContentAssembler()
        self.decoder = self.amqp.FrameDecoder(max_frame_size=client.frame_max, dialect="rabbitmq")
        self.items: deque[Any] = deque()

    def next(self) -> Any:
        """The next message, or frame that belongs to none."""
        while not self.items:
            for channel, frame in self.decoder.feed(self.client.receive_octets()):
                item = self.assembler.add(channel, frame)
                if item is not None:
                    self.items.append(item)
        return self.items.popleft()

    def ask(self, request: Any, channel: int = 1) -> Any:
        """Send a request and return what answers it, which is the next thing that comes."""
        self.client.send(request, channel=channel)
        assert request.expects_reply
        item = self.next()
        method = item.method if isinstance(item, self.amqp.Message) else item
        assert self.amqp.is_reply(request, method), item
        return item


BODIES = [b"", b"x", b"y" * 4088, b"z" * 4089, b"w" * 100_000]


@pytest.mark.parametrize("chunk", [1 << 16, 7])
def test_messages_of_every_kind(package: Any, connect: Connect, chunk: int) -> None:
    """Get-ok, deliver and return, with no body, with one frame and with many."""
    client = connect(package, frame_max=4096)
    client.chunk = chunk
    reader = Reader(client)
    queue = reader.ask(package.methods.QueueDeclare(exclusive=True)).queue
    bodies = BODIES if chunk > 7 else BODIES[:4]
    for body in bodies:
        properties = package.BasicProperties(message_id=str(len(body)))
        client.publish(queue, body, properties)
        message = reader.ask(package.methods.BasicGet(queue=queue, no_ack=True))
        assert isinstance(message.method, package.methods.BasicGetOk)
        assert (message.channel, message.body, message.properties) == (1, body, properties)
        client.publish("no such queue", body, properties, mandatory=True)
        message = reader.next()
        assert isinstance(message.method, package.methods.BasicReturn)
        assert (message.body, message.properties) == (body, properties)
    assert isinstance(reader.ask(package.methods.BasicGet(queue=queue)), package.methods.BasicGetEmpty)
    reader.ask(package.methods.BasicConsume(queue=queue, no_ack=True))
    for body in bodies:
        client.publish(queue, body)
        message = reader.next()
        assert isinstance(message.method, package.methods.BasicDeliver)
        assert message.body == body


def test_contents_of_several_channels(connect: Connect) -> None:
    client = connect(frame_max=4096)
    reader = Reader(client)
    queues = {}
    for channel in range(1, 6):
        if channel > 1:
            reader.ask(methods.ChannelOpen(), channel)
        queues[channel] = reader.ask(methods.QueueDeclare(exclusive=True), channel).queue
        reader.ask(methods.BasicConsume(queues[channel], no_ack=True), channel)
    for number in range(20):
        for channel, queue in queues.items():
            client.publish(queue, b"%d" % number * 5000, channel=channel)
    found: dict[int, list[bytes]] = {channel: [] for channel in queues}
    for _ in range(100):
        message = reader.next()
        found[message.channel].append(message.body)
    assert found == {channel: [b"%d" % number * 5000 for number in range(20)] for channel in queues}


def test_a_body_that_is_too_large_costs_the_channel_only(connect: Connect) -> None:
    client = connect(frame_max=4096)
    reader = Reader(client)
    reader.assembler.max_body_size = 10_000
    queue = reader.ask(methods.QueueDeclare(exclusive=True)).queue
    client.publish(queue, b"x" * 50_000)
    client.send(methods.BasicGet(queue, no_ack=True))
    with pytest.raises(amqp.ProtocolError) as caught:
        reader.next()
    error = caught.value
    # The rest of the content is still to come, and is dropped.
    assert reader.ask(methods.ChannelClose(error.reply_code, error.message)) == methods.ChannelCloseOk()
    assert reader.ask(methods.ChannelOpen()) == methods.ChannelOpenOk()
    client.publish(queue, b"small")
    assert reader.ask(methods.BasicGet(queue, no_ack=True)).body == b"small"


def test_requests_that_fail_are_answered_by_a_close(client: Client) -> None:
    reader = Reader(client)
    for request, code in (
        (methods.QueueDeclare("no such queue", passive=True), amqp.ReplyCode.NOT_FOUND),
        (methods.ExchangeDeclare("amq.direct", "fanout"), amqp.ReplyCode.PRECONDITION_FAILED),
        (methods.BasicGet("no such queue"), amqp.ReplyCode.NOT_FOUND),
    ):
        close = reader.ask(request)
        assert (type(close), close.reply_code) == (methods.ChannelClose, code)
        client.send(methods.ChannelCloseOk())
        reader.ask(methods.ChannelOpen())
    assert reader.ask(methods.BasicRecover(requeue=True)) == methods.BasicRecoverOk()


def test_who_wants_no_reply_gets_none(client: Client) -> None:
    reader = Reader(client)
    for request in (
        methods.QueueDeclare("none wanted", exclusive=True, no_wait=True),
        methods.QueueBind("none wanted", "amq.direct", "x", no_wait=True),
        methods.QueuePurge("none wanted", no_wait=True),
        methods.QueueDelete("none wanted", no_wait=True),
        methods.ConfirmSelect(nowait=True),
    ):
        assert not request.expects_reply
        client.send(request)
    assert isinstance(reader.ask(methods.QueueDeclare(exclusive=True)), methods.QueueDeclareOk)


def test_a_login_by_its_replies(dial: Dial) -> None:
    """Start-ok is answered by tune; the answer to tune is the one of ``negotiate``."""
    client = dial()
    reader = Reader(client)
    client.send_octets(amqp.PROTOCOL_HEADER)
    assert isinstance(reader.next(), methods.ConnectionStart)
    tune = reader.ask(client.start_ok(), 0)
    assert isinstance(tune, methods.ConnectionTune)
    limits = amqp.negotiate(tune, channel_max=3, max_frame_size=8192, heartbeat=20)
    assert limits == methods.ConnectionTuneOk(3, 8192, min(20, tune.heartbeat or 20))
    client.send(limits, channel=0)
    assert isinstance(reader.ask(methods.ConnectionOpen("/"), 0), methods.ConnectionOpenOk)
    numbers = amqp.NumberAllocator(1, limits.channel_max)
    for _ in range(3):
        reader.ask(methods.ChannelOpen(), numbers.allocate())
    with pytest.raises(amqp.NoFreeNumber):
        numbers.allocate()
    # RabbitMQ would have refused it, too.
    close = reader.ask(methods.ChannelOpen(), 4)
    assert (type(close), close.reply_code) == (methods.ConnectionClose, amqp.ReplyCode.NOT_ALLOWED)
    client.send(methods.ConnectionCloseOk(), channel=0)


@pytest.mark.parametrize("room", [None, 3])
def test_confirms(client: Client, room: int | None) -> None:
    """Every number is answered once; what a full queue refuses is nacked."""
    reader = Reader(client)
    full: amqp.FieldTable = {"x-max-length": room, "x-overflow": "reject-publish"} if room else {}
    queue = reader.ask(methods.QueueDeclare(exclusive=True, arguments=full)).queue
    reader.ask(methods.ConfirmSelect())
    tracker = amqp.ConfirmTracker(1)
    count = 500
    published = b"".join(
        amqp.encode_message(1, methods.BasicPublish("", queue), None, b"x") for _ in range(count)
    )
    numbers = [tracker.publish() for _ in range(count)]
    client.send_octets(published)
    answers: dict[type, list[int]] = {methods.BasicAck: [], methods.BasicNack: []}
    while len(tracker):
        answer = reader.next()
        answers[type(answer)] += tracker.settle(answer.delivery_tag, multiple=answer.multiple)
    acked, nacked = answers.values()
    assert sorted(acked + nacked) == numbers
    assert (len(acked), len(nacked)) == ((room, count - room) if room else (count, 0))
