"""The modes of a channel: confirms and transactions."""

from __future__ import annotations

from collections import OrderedDict

import pytest

from .ends import names, opened

RABBITMQ = "amqp_0_9_1_rabbitmq"


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
