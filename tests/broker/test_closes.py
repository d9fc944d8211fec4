"""Errors that close a channel or the connection, as the classes of ``errors.CLOSE_ERRORS``.

A soft error closes the channel and the connection goes on; a hard one closes the connection.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import amqp_0_8
import amqp_0_9_1_rabbitmq as amqp
import pytest

from .client import Client, Connect, Dial, Disconnected

methods, errors = amqp.methods, amqp.errors
Fault = Callable[[Client], object]
PUBLISH = methods.BasicPublish(routing_key="nowhere")


def call(*calls: Any) -> Fault:
    """Calls methods one after the other on channel 1."""
    return lambda client: [client.call(method) for method in calls]


def send(*frames: Any, channel: int = 1) -> Fault:
    """Sends frames, then calls something harmless, whose reply never comes."""

    def fault(client: Client) -> None:
        client.send(*frames, methods.QueueDeclare(exclusive=True), channel=channel)
        client.expect(methods.QueueDeclareOk, channel=channel)

    return fault


def octets(text: str) -> Fault:
    """Sends octets, then calls something harmless."""

    def fault(client: Client) -> None:
        client.send_octets(bytes.fromhex(text))
        client.declare()

    return fault


def after_publish(payload: str) -> Fault:
    """Sends basic.publish and a content header with these octets, then calls something harmless."""
    header = bytes.fromhex(payload)
    frames = amqp.encode_frame(1, PUBLISH) + struct.pack(">BHI", 2, 1, len(header)) + header + b"\xce"
    return octets(frames.hex())


def on_a_queue(*calls: Callable[[str], Any], **arguments: Any) -> Fault:
    """Calls methods on a new queue."""

    def fault(client: Client) -> None:
        queue = client.declare(**arguments)
        for make in calls:
            client.call(make(queue))

    return fault


def publish(**properties: Any) -> Fault:
    """Publishes a message with properties."""
    return send(PUBLISH, amqp.ContentHeader(amqp.BasicProperties(**properties), 0))


SOFT = {
    "get from no queue": (404, "60.70", call(methods.BasicGet("no such queue"))),
    "passive declare of no queue": (404, "50.10", call(methods.QueueDeclare("no such queue", passive=True))),
    "passive declare of no exchange": (404, "40.10", call(methods.ExchangeDeclare("no", "direct", True))),
    "publish to no exchange": (
        404, "60.40", send(methods.BasicPublish("no such exchange"), amqp.ContentHeader(amqp.BasicProperties()))),
    "bind to no exchange": (404, "50.20", on_a_queue(lambda queue: methods.QueueBind(queue, "no such exchange"))),
    "reserved queue name": (403, "50.10", call(methods.QueueDeclare("amq.mine"))),
    "reserved exchange name": (403, "40.10", call(methods.ExchangeDeclare("amq.mine", "direct"))),
    "delete the default exchange": (403, "40.20", call(methods.ExchangeDelete(""))),
    "bind to the default exchange": (403, "50.20", on_a_queue(lambda queue: methods.QueueBind(queue, ""))),
    "declare with another type": (406, "40.10", call(methods.ExchangeDeclare("amq.direct", "fanout", durable=True))),
    "ack of nothing": (406, "60.80", send(methods.BasicAck(99))),
    "reject of nothing": (406, "60.90", send(methods.BasicReject(99))),
    "nack of nothing": (406, "60.120", send(methods.BasicNack(99))),
    "somebody else's user id": (406, "60.40", publish(user_id="nobody")),
    "expiration that is not a number": (406, "60.40", publish(expiration="soon")),
}  # fmt: skip

HARD = {
    "exchange of unknown type": (503, "40.10", call(methods.ExchangeDeclare("x", "no such type"))),
    "a method of the server": (503, "50.11", send(methods.QueueDeclareOk("q"))),
    "channel opened twice": (504, "20.10", call(methods.ChannelOpen())),
    "channel not opened": (504, "50.10", send(channel=9)),
    "queue.declare on channel 0": (504, "50.10", send(methods.QueueDeclare(), channel=0)),
    "consumer tag used twice": (530, "60.20", on_a_queue(*[lambda queue: methods.BasicConsume(queue, "tag")] * 2)),
    "immediate": (540, "60.40",
                  send(methods.BasicPublish("", "", immediate=True), amqp.ContentHeader(amqp.BasicProperties()))),
    "prefetch size": (540, "60.10", call(methods.BasicQos(prefetch_size=1))),
    "flow off": (540, "20.20", call(methods.ChannelFlow(active=False))),
    "recover without requeue": (540, "60.110", call(methods.BasicRecover(requeue=False))),
    "body without a method": (505, "0.0", send(amqp.ContentBody(b"x"))),
    "header without a method": (505, "0.0", send(amqp.ContentHeader(amqp.BasicProperties()))),
    "method instead of a header": (505, "60.40", send(PUBLISH, PUBLISH)),
    "method instead of a body": (505, "60.40", send(PUBLISH, amqp.ContentHeader(amqp.BasicProperties(), 1), PUBLISH)),
    "header of another class": (505, "60.40", after_publish("003d 0000 0000000000000000 0000")),
    "more body than announced": (
        505, "0.0",
        send(PUBLISH, amqp.ContentHeader(amqp.BasicProperties(), 1), amqp.ContentBody(b"1"), amqp.ContentBody(b"2"))),
    "arguments cut off": (501, "60.10", octets("01 0001 00000006 003c000a 0000 ce")),
    "arguments left over": (501, "20.10", octets("01 0002 00000006 0014000a 00 ff ce")),
    "wrong frame end": (501, "0.0", octets("01 0001 00000004 005a000a cd")),
    "unknown frame type": (501, "0.0", octets("07 0001 00000000 ce")),
    # It bears with clients that forget the eight octets around the payload.
    "frame beyond frame-max": (501, "0.0", octets(f"03 0001 {131072 + 1:08x}")),
    "weight in a content header": (505, "60.40", after_publish("003c 0001 0000000000000000 0000")),
    "second word of property flags": (541, "0.0", after_publish("003c 0000 0000000000000000 0001 0000")),
}  # fmt: skip


@pytest.mark.parametrize(("code", "method", "fault"), SOFT.values(), ids=SOFT)
def test_soft_errors_close_the_channel(connect: Connect, code: int, method: str, fault: Fault) -> None:
    client = connect().open_channel(2)
    with pytest.raises(errors.ChannelCloseError) as caught:
        fault(client)
    error = caught.value
    assert type(error) is amqp.CLOSE_ERRORS[code]
    assert (error.REPLY_CODE, f"{error.class_id}.{error.method_id}") == (code, method)
    assert error.reply_text.startswith(amqp.ReplyCode(code).name)
    assert code in amqp.constants.SOFT_ERRORS
    client.call(methods.QueueDeclare(exclusive=True), channel=2)
    client.open_channel().declare()


@pytest.mark.parametrize(("code", "method", "fault"), HARD.values(), ids=HARD)
def test_hard_errors_close_the_connection(connect: Connect, code: int, method: str, fault: Fault) -> None:
    client = connect()
    with pytest.raises(errors.ConnectionCloseError) as caught:
        fault(client)
    error = caught.value
    assert type(error) is amqp.CLOSE_ERRORS[code]
    assert (error.REPLY_CODE, f"{error.class_id}.{error.method_id}") == (code, method)
    assert error.reply_text.startswith(amqp.ReplyCode(code).name)
    assert code in amqp.constants.HARD_ERRORS


@pytest.mark.parametrize("method", ["003c 00fa", "00c8 000a"], ids=["method", "class"])
def test_an_unknown_method_ends_the_socket(connect: Connect, method: str) -> None:
    """The spec asks for 540 or 503; RabbitMQ's reader crashes."""
    client = connect()
    with pytest.raises(Disconnected):
        octets(f"01 0001 00000004 {method} ce")(client)
    client.socket.close()


def test_somebody_elses_exclusive_queue(connect: Connect) -> None:
    owner, other = connect(), connect()
    queue = owner.declare()
    with pytest.raises(errors.ResourceLockedClose, match=queue):
        other.call(methods.QueueDeclare(queue, passive=True))
    other.open_channel()
    owner.publish(queue, b"still there")
    assert owner.fetch(queue).body == b"still there"


def test_in_every_version(any_client: Client) -> None:
    package = any_client.amqp
    with pytest.raises(package.errors.NotFoundClose, match="no queue 'no such queue'"):
        any_client.call(package.methods.BasicGet(queue="no such queue"))
    any_client.open_channel()
    with pytest.raises(package.errors.NotAllowedClose):
        any_client.call(package.methods.BasicConsume(queue=any_client.declare(), consumer_tag="t"))
        any_client.call(package.methods.BasicConsume(queue=any_client.declare(), consumer_tag="t"))


def test_a_code_that_0_8_does_not_have(connect: Connect) -> None:
    """RabbitMQ closes 0-8 channels with 406, which came with 0-9."""
    client = connect(amqp_0_8)
    client.send(amqp_0_8.methods.BasicAck(99))
    item = client.take()
    assert isinstance(item, amqp_0_8.methods.ChannelClose)
    assert item.reply_code == 406
    assert item.reply_code not in amqp_0_8.CLOSE_ERRORS
    client.send(amqp_0_8.methods.ChannelCloseOk())
    client.open_channel()


def test_what_was_sent_before_is_done(connect: Connect, fresh_name: Callable[[], str]) -> None:
    queue = fresh_name()
    client = connect()
    client.declare(queue, exclusive=False, auto_delete=True)
    client.publish(queue, b"before")
    client.send(methods.BasicAck(99))
    client.publish(queue, b"after")
    with pytest.raises(errors.PreconditionFailedClose):
        client.declare()
    client.open_channel()
    assert client.fetch(queue).body == b"before"
    assert client.get(queue) is None


def test_a_soft_code_can_close_the_connection_too(dial: Dial) -> None:
    """A refused login is 403 in connection.close: the class says what went wrong, the method what was closed."""
    assert issubclass(errors.AccessRefusedClose, errors.ChannelCloseError)
    client = dial()
    client.address = client.address._replace(password="wrong")
    with pytest.raises(errors.AccessRefusedClose, match="Login was refused"):
        client.handshake()
    assert client.socket.fileno() < 0  # closed for connection.close
