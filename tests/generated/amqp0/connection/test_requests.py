"""Requests and replies: numbers, types, order, and what may not be asked."""

from __future__ import annotations

from typing import Any

import pytest

from ...test_public_names import NAMES_0
from .ends import names, opened

RABBITMQ = "amqp_0_9_1_rabbitmq"


@pytest.mark.parametrize("package", NAMES_0)
def test_a_request_is_answered_by_its_number(package: str) -> None:
    ends = opened(package)
    channel = ends.open_channel()
    one = ends.client.request(channel, ends.methods.QueueDeclare(queue="one"))
    two = ends.client.request(channel, ends.methods.QueuePurge(queue="two"))
    _, asked = ends.exchange()
    assert [event.method.queue for event in asked] == ["one", "two"]
    ends.server.reply(channel, ends.methods.QueueDeclareOk("one", 1, 2))
    ends.server.reply(channel, ends.methods.QueuePurgeOk(7))
    first, second = ends.exchange()[0]
    assert [(first.number, first.channel), (second.number, second.channel)] == [
        (one.number, 1),
        (two.number, 1),
    ]
    assert one.answer(first).message_count == 1
    assert two.answer(second) == ends.methods.QueuePurgeOk(7)
    with pytest.raises(ValueError, match="the reply to request"):
        one.answer(second)


def test_requests_of_channels_do_not_wait_for_each_other() -> None:
    ends = opened(RABBITMQ)
    one, two = ends.open_channel(), ends.open_channel()
    for channel in (one, two):
        ends.client.request(channel, ends.methods.QueuePurge("q"))
    ends.exchange()
    ends.server.reply(two, ends.methods.QueuePurgeOk(2))
    ends.server.reply(one, ends.methods.QueuePurgeOk(1))
    assert [event.channel for event in ends.exchange()[0]] == [two, one]


def test_a_reply_to_nothing() -> None:
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    ends.client.receive_data(ends.amqp.encode_frame(channel, ends.methods.QueuePurgeOk(1)), ends.now)
    client, server = ends.exchange()
    assert names(client) == ["ChannelClosed", "Closed"]
    assert (client[1].error.reply_code, client[1].by_peer) == (503, False)
    assert (server[-1].error.reply_code, server[-1].by_peer) == (503, True)


def test_a_reply_to_another_request() -> None:
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    request = ends.client.request(channel, ends.methods.QueueDelete("q"))
    ends.client.receive_data(ends.amqp.encode_frame(channel, ends.methods.QueuePurgeOk(1)), ends.now)
    client, _ = ends.exchange()
    assert (client[0].unanswered, client[1].error.reply_code) == ((request.number,), 503)


def test_a_server_answers_what_was_asked() -> None:
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    with pytest.raises(ends.engine.LocalError, match="waits for no reply"):
        ends.server.reply(channel, ends.methods.QueuePurgeOk(1))
    ends.client.request(channel, ends.methods.QueuePurge("q"))
    ends.exchange()
    with pytest.raises(
        ends.engine.LocalError, match=r"waits for queue.purge-ok on channel 1, not for queue.delete-ok"
    ):
        ends.server.reply(channel, ends.methods.QueueDeleteOk(1))
    ends.server.reply(channel, ends.methods.QueuePurgeOk(1))
    assert names(ends.exchange()[0]) == ["Reply"]


def test_get_with_a_message_and_without() -> None:
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    for _ in range(2):
        ends.client.request(channel, ends.methods.BasicGet("q"))
    ends.exchange()
    ends.server.reply(channel, ends.methods.BasicGetOk(1), ends.amqp.BasicProperties(), b"body")
    ends.server.reply(channel, ends.methods.BasicGetEmpty())
    full, empty = ends.exchange()[0]
    assert (full.message.body, empty.message) == (b"body", None)
    assert ends.client.channel(channel).unacknowledged == (1,)
    assert ends.client.ack(channel, 1) == (1,)


def test_methods_that_nobody_answers_are_sent() -> None:
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    purge = ends.methods.QueuePurge("q", no_wait=True)
    with pytest.raises(ends.engine.LocalError, match="use send"):
        ends.client.request(channel, purge)
    with pytest.raises(ends.engine.LocalError, match="use request"):
        ends.client.send(channel, ends.methods.QueuePurge("q"))
    ends.client.send(channel, purge)
    assert names(ends.exchange()[1]) == ["Requested"]
    with pytest.raises(ends.engine.LocalError, match="no reply"):
        ends.server.reply(channel, ends.methods.QueuePurgeOk(1))


@pytest.mark.parametrize(
    ("method", "complaint"),
    [
        ("QueueDeclareOk", "not sent by a client"),
        ("BasicDeliver", "not sent by a client"),
        ("BasicPublish", "use publish"),
        ("ChannelOpen", "a command of its own"),
        ("ChannelClose", "a command of its own"),
        ("ConnectionClose", "a command of its own"),
        ("ConnectionUpdateSecret", "a command of its own"),
        ("TxCommit", "mode is none"),
    ],
)
def test_what_is_no_request_of_a_client(method: str, complaint: str) -> None:
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    with pytest.raises(ends.engine.LocalError, match=complaint):
        ends.client.request(channel, getattr(ends.methods, method)())
    assert ends.client.buffered == 0
    assert ends.client.channel(channel).unanswered == ()


def test_a_method_that_cannot_be_written_leaves_nothing() -> None:
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    with pytest.raises(ends.amqp.EncodeError):
        ends.client.request(channel, ends.methods.QueueDeclare("q" * 256))
    assert (ends.client.buffered, ends.client.channel(channel).unanswered) == (0, ())
    request = ends.client.request(channel, ends.methods.QueueDeclare("q"))
    ends.exchange()
    ends.server.reply(channel, ends.methods.QueueDeclareOk("q"))
    assert ends.exchange()[0][0].number == request.number


def test_a_request_on_a_channel_that_is_not_there() -> None:
    ends = opened(RABBITMQ)
    with pytest.raises(
        ends.engine.LocalError, match="there is no channel 1, but none: open_channel opens one"
    ):
        ends.client.request(1, ends.methods.QueuePurge("q"))
    number = ends.client.open_channel()
    with pytest.raises(ends.engine.LocalError, match="channel 1 is OPENING; it has to be OPEN"):
        ends.client.request(number, ends.methods.QueuePurge("q"))


def test_a_new_secret() -> None:
    ends = opened(RABBITMQ)
    request = ends.client.update_secret(b"token", "the old one expires")
    _, asked = ends.exchange()
    assert asked[0].method.new_secret == b"token"
    ends.server.reply(0, ends.methods.ConnectionUpdateSecretOk())
    assert ends.exchange()[0] == [
        ends.engine.Reply(0, request.number, ends.methods.ConnectionUpdateSecretOk())
    ]


def test_as_many_requests_as_the_settings_allow() -> None:
    ends = opened(RABBITMQ, max_unanswered=2, server_max_unanswered=1)
    channel = ends.open_channel()
    for _ in range(2):
        ends.client.request(channel, ends.methods.QueuePurge("q"))
    with pytest.raises(ends.engine.LocalError, match="2 requests wait"):
        ends.client.request(channel, ends.methods.QueuePurge("q"))
    client, _ = ends.exchange()
    assert client[-1].error.reply_code == 506  # the server takes one at a time


def test_a_method_that_cannot_be_read_is_a_reply_nevertheless() -> None:
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    request = ends.client.request(channel, ends.methods.QueuePurge("q"))
    frame = b"\1\0\1\0\0\0\5\0\x32\0\x1f\0\xce"  # queue.purge-ok with one octet
    ends.client.receive_data(frame, ends.now)
    [reply] = ends.exchange()[0]
    assert (reply.number, reply.method.name) == (request.number, "queue.purge-ok")
    assert ends.client.state is ends.engine.ConnectionState.OPEN


def test_a_request_with_content_has_a_number() -> None:
    ends = opened(RABBITMQ, max_to_send=200)
    methods = ends.methods

    class Ask(methods.BasicPublish):  # type: ignore[misc, name-defined]
        RESPONSES = (methods.QueuePurgeOk,)

    channel = ends.open_channel()
    ends.client.send(channel, methods.ConfirmSelect(no_wait=True))
    before = ends.client.request(channel, methods.QueuePurge("q")).number
    with pytest.raises(ends.engine.LocalError):
        ends.client.publish(channel, Ask(), None, b"x" * 200)
    assert ends.client.publish(channel, Ask(), None, b"x") == before + 1
    assert ends.client.channel(channel).unanswered == (before, before + 1)
    assert ends.client.channel(channel).unconfirmed == ()  # its reply says enough


def test_subclasses_of_users_mean_the_same() -> None:
    ends = opened(RABBITMQ)
    methods = ends.methods
    channel = ends.open_channel()
    select = type("Select", (methods.ConfirmSelect,), {})
    publish = type("Publish", (methods.BasicPublish,), {})
    ends.client.request(channel, select())
    assert ends.client.publish(channel, publish("", "q")) == 1
    with pytest.raises(ends.engine.LocalError, match="whose mode is confirm"):
        ends.client.request(channel, type("Select", (methods.TxSelect,), {})())


def test_channel_0_is_for_the_connection_alone() -> None:
    ends = opened(RABBITMQ)
    for command in (
        lambda: ends.client.publish(0, ends.methods.BasicPublish("", "q")),
        lambda: ends.client.ack(0, 0, multiple=True),
        lambda: ends.client.request(0, ends.methods.QueuePurge("q")),
        lambda: ends.client.send(0, ends.methods.QueuePurge("q", no_wait=True)),
    ):
        with pytest.raises(ends.engine.LocalError, match="is not sent on channel 0"):
            command()
    assert ends.client.buffered == 0


def test_no_wait_waits_for_nothing() -> None:
    ends = opened(RABBITMQ, server_max_unanswered=1)
    channel = ends.open_channel()
    ends.client.request(channel, ends.methods.QueuePurge("q"))
    ends.client.send(channel, ends.methods.QueuePurge("q", no_wait=True))
    assert names(ends.exchange()[1]) == ["Requested", "Requested"]


@pytest.mark.parametrize("method", ["QueueDeclare", "BasicPublish"])
def test_what_a_server_cannot_read_takes_no_answer_of_others(method: str) -> None:
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    ends.client.send(channel, ends.methods.ConfirmSelect(no_wait=True))
    ends.exchange()
    key = getattr(ends.methods, method).KEY.to_bytes(4, "big")
    ends.server.receive_data(b"\1\0\1\0\0\0\4" + key + b"\xce", ends.now)
    client, server = ends.exchange()
    assert client[-1].error.reply_code == server[-1].error.reply_code == 502


@pytest.mark.parametrize(
    ("method", "payload"), [("ChannelFlow", b""), ("BasicCancel", b"\5abc"), ("BasicCancel", b"\1c")]
)
def test_what_a_client_cannot_read_and_has_to_answer_closes(method: str, payload: bytes) -> None:
    """A broker would wait for the answer, or the client for deliveries of a consumer that is gone."""
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    ends.consume(channel)
    payload = getattr(ends.methods, method).KEY.to_bytes(4, "big") + payload
    frame = b"\1\0\1" + len(payload).to_bytes(4, "big") + payload + b"\xce"
    ends.client.receive_data(frame, ends.now)
    client, server = ends.exchange()
    assert names(client) == ["ChannelClosed", "Closed"]
    assert client[-1].error.reply_code == server[-1].error.reply_code == 502


@pytest.mark.parametrize("thing", ["queue.purge", None, b"", object])
def test_what_is_not_a_method(thing: Any) -> None:
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    ends.client.request(channel, ends.methods.QueuePurge("q"))
    ends.exchange()
    for side in (ends.client, ends.server):
        for command in (side.request, side.send, side.publish, side.reply):
            with pytest.raises(TypeError, match="is not a method"):
                command(channel, thing)
        assert side.buffered == 0


@pytest.mark.parametrize("package", NAMES_0)
def test_channels_by_number(package: str) -> None:
    """A client may choose the number; one that is in use or out of range is refused, and nothing is sent."""
    ends = opened(package, channel_max=9)
    assert ends.client.open_channel(7) == 7
    client, _ = ends.exchange()
    assert client == [ends.engine.ChannelOpened(7)]
    for number in (7, 0, -1, 10):
        with pytest.raises(ends.engine.LocalError, match="not free"):
            ends.client.open_channel(number)
    assert ends.client.buffered == 0
    assert [ends.open_channel() for _ in range(8)] == [1, 2, 3, 4, 5, 6, 8, 9]
