"""Consumers, and what becomes of their deliveries."""

from __future__ import annotations

import pytest

from ...test_public_names import NAMES_0
from .ends import events, names, opened

RABBITMQ = "amqp_0_9_1_rabbitmq"


@pytest.mark.parametrize("package", NAMES_0)
def test_publish_deliver_and_settle(package: str) -> None:
    ends = opened(package)
    channel = ends.open_channel()
    ends.consume(channel)
    assert (
        ends.client.publish(channel, ends.methods.BasicPublish(exchange="", routing_key="q"), None, b"body")
        is None
    )
    _, [published] = ends.exchange()
    assert (published.message.body, published.number) == (b"body", None)
    for tag in range(1, 6):
        ends.deliver(channel, tag, bytes((tag,)))
    client, _ = ends.exchange()
    assert [(event.consumer_tag, event.message.body) for event in client] == [
        ("c", bytes((tag,))) for tag in range(1, 6)
    ]
    assert ends.client.channel(channel).unacknowledged == (1, 2, 3, 4, 5)
    assert ends.client.ack(channel, 2) == (2,)
    assert ends.client.ack(channel, 3, multiple=True) == (1, 3)
    assert ends.client.reject(channel, 5, requeue=False) == (5,)
    assert [event.delivery_tags for event in ends.exchange()[1]] == [(2,), (1, 3), (5,)]
    assert ends.client.channel(channel).unacknowledged == ends.server.channel(channel).unacknowledged == (4,)
    assert ends.client.ack(channel, 0, multiple=True) == (4,)
    assert ends.client.ack(channel, 0, multiple=True) == ()


@pytest.mark.parametrize(("tag", "multiple"), [(1, False), (9, False), (0, False), (1, True), (9, True)])
def test_tags_that_mean_nothing_are_not_sent(tag: int, multiple: bool) -> None:
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    ends.consume(channel)
    ends.deliver(channel, 2)
    ends.exchange()
    with pytest.raises(ends.engine.LocalError, match=f"no delivery {tag} waits"):
        ends.client.ack(channel, tag, multiple=multiple)
    assert ends.client.buffered == 0


def test_a_tag_that_means_nothing_closes_the_channel_of_a_client() -> None:
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    ends.server.receive_data(ends.amqp.encode_frame(channel, ends.methods.BasicAck(1)), ends.now)
    client, server = ends.exchange()
    assert client[0].error.reply_code == server[0].error.reply_code == 406


def test_deliveries_that_need_no_acknowledgement() -> None:
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    ends.consume(channel, no_ack=True)
    ends.deliver(channel, 1)
    ends.exchange()
    assert ends.client.channel(channel).unacknowledged == ends.server.channel(channel).unacknowledged == ()


@pytest.mark.parametrize("tag", ["", "mine"])
def test_a_delivery_behind_consume_ok_in_the_same_octets(tag: str) -> None:
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    ends.client.request(channel, ends.methods.BasicConsume("q", tag))
    ends.exchange()
    ends.server.reply(channel, ends.methods.BasicConsumeOk(tag or "chosen"))
    ends.deliver(channel, 1, tag=tag or "chosen")
    client, _ = ends.exchange()
    assert names(client) == ["Reply", "Delivered"]
    assert client[1].consumer_tag == (tag or "chosen")


def test_a_delivery_before_consume_ok() -> None:
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    ends.client.request(channel, ends.methods.BasicConsume("q", "mine"))
    octets = ends.amqp.encode_message(channel, ends.methods.BasicDeliver("mine", 1))
    ends.client.receive_data(octets, ends.now)
    assert names(list(events(ends.client))) == ["Delivered"]
    assert ends.client.channel(channel).unacknowledged == (1,)


def test_a_consumer_without_an_answer_needs_a_tag() -> None:
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    with pytest.raises(ends.engine.LocalError, match="needs a tag"):
        ends.client.send(channel, ends.methods.BasicConsume("q", no_wait=True))
    ends.client.send(channel, ends.methods.BasicConsume("q", "mine", no_wait=True))
    ends.exchange()
    ends.deliver(channel, 1, tag="mine")
    assert names(ends.exchange()[0]) == ["Delivered"]


def test_a_consumer_that_the_client_cancels() -> None:
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    ends.consume(channel)
    ends.client.request(channel, ends.methods.BasicCancel("c"))
    ends.deliver(channel, 1)  # under way before the broker knows
    ends.exchange()
    ends.server.reply(channel, ends.methods.BasicCancelOk("c"))
    ends.exchange()
    assert ends.client.channel(channel).consumers == ends.server.channel(channel).consumers == {}
    with pytest.raises(ends.engine.LocalError, match="no consumer 'c'"):
        ends.deliver(channel, 2)


@pytest.mark.parametrize("no_wait", [True, False])
def test_a_consumer_that_the_broker_cancels(no_wait: bool) -> None:
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    ends.consume(channel)
    cancel = ends.methods.BasicCancel("c", no_wait=no_wait)
    if no_wait:
        ends.server.send(channel, cancel)
    else:
        ends.server.request(channel, cancel)
    client, server = ends.exchange()
    assert client == [ends.engine.ConsumerCancelled(channel, "c")]
    assert names(server) == ([] if no_wait else ["Reply"])


def test_cancels_of_both_that_cross() -> None:
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    ends.consume(channel)
    ends.server.send(channel, ends.methods.BasicCancel("c", no_wait=True))
    request = ends.client.request(channel, ends.methods.BasicCancel("c"))
    ends.exchange()
    ends.server.reply(channel, ends.methods.BasicCancelOk("c"))
    assert ends.exchange()[0][-1].number == request.number


def test_recover_voids_all_tags() -> None:
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    ends.consume(channel)
    ends.deliver(channel, 1)
    ends.exchange()
    ends.client.request(channel, ends.methods.BasicRecover(requeue=True))
    ends.exchange()
    ends.server.reply(channel, ends.methods.BasicRecoverOk())
    ends.deliver(channel, 2)
    ends.exchange()
    assert ends.client.channel(channel).unacknowledged == ends.server.channel(channel).unacknowledged == (2,)
    with pytest.raises(ends.engine.LocalError):
        ends.client.ack(channel, 1)


def test_more_deliveries_than_the_settings_allow() -> None:
    ends = opened(RABBITMQ, max_unacknowledged=3)
    channel = ends.open_channel()
    ends.consume(channel)
    for tag in range(1, 5):
        ends.deliver(channel, tag)
    client, server = ends.exchange()
    assert names(client) == ["Delivered"] * 3 + ["ChannelClosed", "Closed"]
    assert client[-1].error.reply_code == server[-1].error.reply_code == 506


def test_a_settled_tag_stands_for_nothing_before_it_either() -> None:
    """RabbitMQ 3.10 closes the channel for it: 406, unknown delivery tag."""
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    ends.consume(channel)
    for tag in (1, 2, 3):
        ends.deliver(channel, tag)
    ends.exchange()
    ends.client.ack(channel, 2)
    with pytest.raises(ends.engine.LocalError, match="no delivery 2 waits"):
        ends.client.ack(channel, 2, multiple=True)
    assert ends.client.ack(channel, 3, multiple=True) == (1, 3)


@pytest.mark.parametrize("package", ["amqp_0_8", "amqp_0_9", "amqp_0_8_rabbitmq"])
def test_consumers_of_streams_acknowledge_nothing(package: str) -> None:
    ends = opened(package)
    channel = ends.open_channel()
    ends.client.request(channel, ends.methods.StreamConsume(consumer_tag="c"))
    ends.exchange()
    ends.server.reply(channel, ends.methods.StreamConsumeOk("c"))
    ends.server.publish(
        channel, ends.methods.StreamDeliver(consumer_tag="c", delivery_tag=1, queue="q"), None, b"x"
    )
    assert names(ends.exchange()[0]) == ["Reply", "Delivered"]
    assert ends.client.channel(channel).unacknowledged == ()


def test_a_consume_ok_that_cannot_be_read_makes_the_consumer_that_was_asked_for() -> None:
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    ends.client.request(channel, ends.methods.BasicConsume("q", "c"))
    frame = b"\1\0\1\0\0\0\5\0\x3c\0\x15\5\xce"  # a tag of five octets that are not there
    ends.client.receive_data(
        frame + ends.amqp.encode_message(channel, ends.methods.BasicDeliver("c", 1)), ends.now
    )
    assert names(list(events(ends.client))) == ["Reply", "Delivered"]
    assert ends.client.channel(channel).consumers == {"c": False}


def test_a_delivery_before_consume_ok_is_of_the_consumer_with_its_tag() -> None:
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    ends.client.request(channel, ends.methods.BasicConsume("q", "", no_ack=True))
    ends.client.request(channel, ends.methods.BasicConsume("q", "mine"))
    octets = ends.amqp.encode_message(channel, ends.methods.BasicDeliver("mine", 1))
    ends.client.receive_data(octets, ends.now)
    assert names(list(events(ends.client))) == ["Delivered"]
    assert ends.client.channel(channel).unacknowledged == (1,)


@pytest.mark.parametrize("no_wait", [True, False])
def test_a_server_delivers_nothing_behind_its_cancel(no_wait: bool) -> None:
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    ends.consume(channel)
    command = ends.server.send if no_wait else ends.server.request
    command(channel, ends.methods.BasicCancel("c", no_wait=no_wait))
    with pytest.raises(ends.engine.LocalError, match="no consumer 'c'"):
        ends.deliver(channel, 1)


def test_more_consumers_than_the_settings_allow() -> None:
    ends = opened(RABBITMQ, server_max_consumers=3)
    channel = ends.open_channel()
    for tag in "abcd":
        ends.client.send(channel, ends.methods.BasicConsume("q", tag, no_wait=True))
    client, server = ends.exchange()
    assert names(server) == ["Requested"] * 3 + ["ChannelClosed", "Closed"]
    assert client[-1].error.reply_code == 506


def test_a_client_gets_no_more_consumers_than_its_settings_allow() -> None:
    ends = opened(RABBITMQ, max_consumers=2)
    channel = ends.open_channel()
    for tag in "ab":
        ends.client.send(channel, ends.methods.BasicConsume("q", tag, no_wait=True))
    for command in (ends.client.request, ends.client.send):
        with pytest.raises(ends.engine.LocalError, match="2 consumers are on channel 1"):
            command(channel, ends.methods.BasicConsume("q", "c", no_wait=command == ends.client.send))


def test_a_consumer_cancelled_with_no_wait_takes_what_is_on_its_way() -> None:
    """And is forgotten with the first answer to a later request: a broker keeps the order."""
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    consumers = ends.client.channel(channel).consumers
    ends.consume(channel)
    ends.client.request(channel, ends.methods.QueuePurge("q"))
    ends.deliver(channel, 1)
    ends.client.send(channel, ends.methods.BasicCancel("c", no_wait=True))
    ends.exchange()
    ends.server.reply(channel, ends.methods.QueuePurgeOk())
    assert names(ends.exchange()[0]) == ["Reply"]
    assert list(consumers) == ["c"]  # the broker may have answered before it read the cancel
    ends.client.request(channel, ends.methods.QueuePurge("q"))
    ends.exchange()
    ends.server.reply(channel, ends.methods.QueuePurgeOk())
    ends.exchange()
    assert not consumers


def test_a_consumer_with_the_tag_of_one_cancelled_with_no_wait_stays() -> None:
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    ends.consume(channel)
    ends.client.send(channel, ends.methods.BasicCancel("c", no_wait=True))
    ends.client.send(channel, ends.methods.BasicConsume("q", "c", no_ack=True, no_wait=True))
    ends.client.request(channel, ends.methods.QueuePurge("q"))
    ends.exchange()
    ends.server.reply(channel, ends.methods.QueuePurgeOk())
    ends.exchange()
    assert ends.client.channel(channel).consumers == {"c": True}
