"""Consumers, deliveries, returns and confirms, and when contents may be sent."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

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


def test_a_message_that_comes_back() -> None:
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    ends.server.publish(channel, ends.methods.BasicReturn(312, "NO_ROUTE", "", "q"), None, b"lost")
    [returned] = ends.exchange()[0]
    assert (returned.message.method.reply_code, returned.message.body) == (312, b"lost")


def test_confirms() -> None:
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    assert ends.client.publish(channel, ends.methods.BasicPublish()) is None
    ends.client.request(channel, ends.methods.ConfirmSelect())
    # RabbitMQ counts what it reads behind confirm.select, so that nobody has to wait for its answer.
    assert [ends.client.publish(channel, ends.methods.BasicPublish()) for _ in range(5)] == [1, 2, 3, 4, 5]
    _, server = ends.exchange()
    assert [event.number for event in server if isinstance(event, ends.engine.Published)] == [
        None,
        1,
        2,
        3,
        4,
        5,
    ]
    ends.server.reply(channel, ends.methods.ConfirmSelectOk())
    assert ends.server.ack(channel, 2) == (2,)
    assert ends.server.nack(channel, 3, multiple=True) == (1, 3)
    client, _ = ends.exchange()
    confirmed = ends.engine.Confirmed
    assert client[1:] == [confirmed(channel, (2,), True), confirmed(channel, (1, 3), False)]
    assert ends.client.channel(channel).unconfirmed == (4, 5)
    with pytest.raises(ends.engine.LocalError, match="no unconfirmed message"):
        ends.server.ack(channel, 2)


def test_a_confirm_of_what_was_never_published() -> None:
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    ends.client.send(channel, ends.methods.ConfirmSelect(no_wait=True))
    ends.client.receive_data(ends.amqp.encode_frame(channel, ends.methods.BasicAck(1)), ends.now)
    client, _ = ends.exchange()
    assert (client[0].error.reply_code, client[0].by_peer) == (406, False)


@pytest.mark.parametrize(("first", "second"), [("ConfirmSelect", "TxSelect"), ("TxSelect", "ConfirmSelect")])
def test_one_mode_of_a_channel(first: str, second: str) -> None:
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    one, two = getattr(ends.methods, first)(), getattr(ends.methods, second)()
    ends.client.request(channel, one)
    with pytest.raises(ends.engine.LocalError, match="not for channel 1, whose mode is"):
        ends.client.request(channel, two)
    ends.client.request(channel, one)  # the same again is allowed
    ends.exchange()
    ends.server.receive_data(ends.amqp.encode_frame(channel, two), ends.now)
    assert ends.exchange()[0][-1].error.reply_code == 406


def test_transactions() -> None:
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    for method, answer in (
        ("TxSelect", "TxSelectOk"),
        ("TxCommit", "TxCommitOk"),
        ("TxRollback", "TxRollbackOk"),
    ):
        ends.client.request(channel, getattr(ends.methods, method)())
        ends.exchange()
        ends.server.reply(channel, getattr(ends.methods, answer)())
        assert names(ends.exchange()[0]) == ["Reply"]


@pytest.mark.parametrize("package", NAMES_0)
def test_flow(package: str) -> None:
    ends = opened(package)
    channel = ends.open_channel()
    ends.server.request(channel, ends.methods.ChannelFlow(active=False))
    client, server = ends.exchange()
    assert client == [ends.engine.FlowChanged(channel, False)]
    assert server[0].method == ends.methods.ChannelFlowOk(active=False)
    assert not ends.client.channel(channel).can_publish
    with pytest.raises(ends.engine.LocalError, match="takes no contents"):
        ends.client.publish(channel, ends.methods.BasicPublish())
    ends.server.request(channel, ends.methods.ChannelFlow(active=True))
    ends.exchange()
    assert ends.client.channel(channel).can_publish


def test_blocked() -> None:
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    ends.server.send(0, ends.methods.ConnectionBlocked("low on memory"))
    assert ends.exchange()[0] == [ends.engine.Blocked("low on memory")]
    assert (ends.client.blocked, ends.client.channel(channel).can_publish) == ("low on memory", False)
    ends.server.send(0, ends.methods.ConnectionUnblocked())
    assert ends.exchange()[0] == [ends.engine.Unblocked()]
    assert (ends.client.blocked, ends.client.channel(channel).can_publish) == (None, True)


def test_high_water_and_the_most_that_waits() -> None:
    ends = opened(RABBITMQ, high_water=1000, max_to_send=5000)
    channel = ends.open_channel()
    method = ends.methods.BasicPublish("", "q")
    while ends.client.channel(channel).can_publish:
        ends.client.publish(channel, method, None, b"x" * 100)
    assert 1000 <= ends.client.buffered < 1300
    with pytest.raises(ends.engine.LocalError, match="octets wait to be sent, the limit is 5000"):
        ends.client.publish(channel, method, None, b"x" * 5000)
    before = ends.client.buffered
    assert ends.move(ends.client, ends.server, 400) == 400
    assert ends.client.buffered == before - 400
    ends.exchange()
    assert ends.client.channel(channel).can_publish


def test_more_deliveries_than_the_settings_allow() -> None:
    ends = opened(RABBITMQ, max_unacknowledged=3)
    channel = ends.open_channel()
    ends.consume(channel)
    for tag in range(1, 5):
        ends.deliver(channel, tag)
    client, server = ends.exchange()
    assert names(client) == ["Delivered"] * 3 + ["ChannelClosed", "Closed"]
    assert client[-1].error.reply_code == server[-1].error.reply_code == 506


def test_more_octets_than_anybody_pulls() -> None:
    ends = opened(RABBITMQ, max_received=100)
    with pytest.raises(ends.engine.LocalError, match="pull events first"):
        ends.client.receive_data(b"\0" * 101, ends.now)


def test_contents_of_channels_side_by_side() -> None:
    ends = opened(RABBITMQ, server_max_frame_size=4096)
    one, two = ends.open_channel(), ends.open_channel()
    whole: dict[int, bytes] = {}
    for channel in (one, two):
        ends.consume(channel)
        ends.deliver(channel, 1, bytes((channel,)) * 9000)
        whole[channel] = ends.server.data_to_send()
    frames = {channel: frames_of(octets) for channel, octets in whole.items()}
    for pair in zip(frames[one], frames[two], strict=True):
        for octets in pair:
            ends.client.receive_data(octets, ends.now)
    assert [event.message.body for event in events(ends.client)] == [b"\1" * 9000, b"\2" * 9000]


def frames_of(octets: bytes) -> list[bytes]:
    found, start = [], 0
    while start < len(octets):
        stop = start + 8 + int.from_bytes(octets[start + 3 : start + 7], "big")
        found.append(octets[start:stop])
        start = stop
    return found


def test_a_body_goes_into_frames_as_agreed() -> None:
    ends = opened(RABBITMQ, max_frame_size=4096)
    channel = ends.open_channel()
    ends.client.publish(channel, ends.methods.BasicPublish(), None, b"x" * 10_000)
    frames = frames_of(ends.client.data_to_send())
    assert max(map(len, frames)) == 4096


def test_properties_that_cannot_be_read_cost_nothing_else() -> None:
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    ends.consume(channel)
    header = (
        b"\0\x3c\0\0" + (1).to_bytes(8, "big") + b"\x80\0\xff"
    )  # a content type of 255 octets that are not there
    frames = [
        (1, ends.methods.BasicDeliver("c", 1).encode()),
        (2, header),
        (3, b"x"),
    ]
    for kind, payload in frames:
        octets = (
            bytes((kind,)) + channel.to_bytes(2, "big") + len(payload).to_bytes(4, "big") + payload + b"\xce"
        )
        ends.client.receive_data(octets, ends.now)
    [delivered] = events(ends.client)
    assert delivered.message.body == b"x"
    with pytest.raises(ends.amqp.DecodeError):
        _ = delivered.message.properties
    assert ends.client.reject(channel, 1, requeue=False) == (1,)


def test_other_classes_of_content() -> None:
    ends = opened("amqp_0_9")
    channel = ends.open_channel()
    methods: Any = ends.methods
    ends.client.publish(channel, methods.TunnelRequest(), None, b"through")
    [published] = ends.exchange()[1]
    assert (published.message.method.NAME, published.message.body) == ("tunnel.request", b"through")


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


@pytest.mark.parametrize("package", ["amqp_0_8", "amqp_0_9", "amqp_0_8_rabbitmq"])
def test_files_are_delivered_and_acknowledged_by_plain_methods(package: str) -> None:
    ends = opened(package)
    channel = ends.open_channel()
    deliver = ends.methods.FileDeliver(consumer_tag="c", delivery_tag=1)
    ends.server.send(channel, deliver)
    assert ends.exchange()[0] == [ends.engine.Received(channel, deliver)]
    ends.client.send(channel, ends.methods.FileAck(1))
    assert ends.exchange()[1] == [ends.engine.Received(channel, ends.methods.FileAck(1))]


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


def test_a_confirm_for_which_there_is_no_room() -> None:
    ends = opened(RABBITMQ, server_max_to_send=30)
    channel = ends.open_channel()
    ends.client.send(channel, ends.methods.ConfirmSelect(no_wait=True))
    for _ in range(2):
        ends.client.publish(channel, ends.methods.BasicPublish())
    ends.exchange()
    ends.server.ack(channel, 1)
    with pytest.raises(ends.engine.LocalError, match="the limit is 30"):
        ends.server.ack(channel, 2)
    assert ends.server.channel(channel).unconfirmed == (2,)
    ends.exchange()
    assert ends.server.ack(channel, 2) == (2,)


def test_the_oldest_of_many_is_found_at_once() -> None:
    """A dict would pass over all that was settled before: its entries stay until something is added."""
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    ends.client.send(channel, ends.methods.ConfirmSelect(no_wait=True))
    ends.client.publish(channel, ends.methods.BasicPublish())
    found = ends.client.channel(channel)
    assert isinstance(found._deliveries, OrderedDict)
    assert isinstance(found._confirms._outstanding, OrderedDict)


def test_what_a_rollback_or_a_close_finds_uncommitted_is_not_settled() -> None:
    """RabbitMQ 3.10: what is acknowledged before tx.rollback may be acknowledged again behind it."""
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    ends.client.request(channel, ends.methods.TxSelect())
    ends.exchange()
    ends.server.reply(channel, ends.methods.TxSelectOk())
    ends.consume(channel)
    for tag in (1, 2, 3):
        ends.deliver(channel, tag)
    ends.exchange()
    ends.client.ack(channel, 1)
    ends.client.request(channel, ends.methods.TxCommit())
    ends.client.ack(channel, 2)
    ends.client.request(channel, ends.methods.TxRollback())
    assert ends.client.channel(channel).unacknowledged == (2, 3)
    assert ends.client.ack(channel, 2) == (2,)
    _, server = ends.exchange()
    assert ends.server.channel(channel).unacknowledged == ends.client.channel(channel).unacknowledged == (3,)
    ends.server.reply(channel, ends.methods.TxCommitOk())
    ends.server.reply(channel, ends.methods.TxRollbackOk())
    ends.client.close_channel(channel)
    client, server = ends.exchange()
    assert client[-1].unacknowledged == server[-1].unacknowledged == (2, 3)
