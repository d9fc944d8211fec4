"""Publishes that are confirmed, refused, committed and rolled back."""

from __future__ import annotations

import amqp_0_9_1_rabbitmq as amqp
import pytest

from .client import Client

methods = amqp.methods


def test_every_publish_is_confirmed(client: Client) -> None:
    queue = client.declare()
    assert client.call(methods.ConfirmSelect()) == methods.ConfirmSelectOk()
    tracker = amqp.ConfirmTracker(1)
    for number in range(100):
        client.publish(queue, b"%d" % number, amqp.BasicProperties(delivery_mode=1 + number % 2))
        tracker.publish()
    while len(tracker):
        ack = client.expect(methods.BasicAck)
        assert tracker.settle(ack.delivery_tag, multiple=ack.multiple)
    client.expect_count(queue, 100)


def test_what_the_queue_has_no_room_for_is_nacked(client: Client) -> None:
    queue = client.declare(arguments={"x-max-length": 1, "x-overflow": "reject-publish"})
    client.call(methods.ConfirmSelect())
    client.publish(queue, b"fits")
    assert client.expect(methods.BasicAck) == methods.BasicAck(1)
    client.publish(queue, b"does not")
    assert client.expect(methods.BasicNack).delivery_tag == 2
    assert client.fetch(queue).body == b"fits"
    client.publish(queue, b"fits again")
    assert client.expect(methods.BasicAck).delivery_tag == 3


def test_unroutable_messages_are_returned_then_confirmed(client: Client) -> None:
    client.call(methods.ConfirmSelect())
    client.publish("no such queue", b"x", mandatory=True)
    assert client.expect(methods.BasicReturn).method.reply_code == amqp.ReplyCode.NO_ROUTE
    assert client.expect(methods.BasicAck) == methods.BasicAck(1)
    client.publish("no such queue", b"x")
    assert client.expect(methods.BasicAck) == methods.BasicAck(2)


def test_commit_publishes(any_client: Client) -> None:
    methods = any_client.amqp.methods
    queue = any_client.declare()
    any_client.call(methods.TxSelect())
    any_client.publish(queue, b"1")
    any_client.publish(queue, b"2")
    assert any_client.get(queue) is None
    assert any_client.call(methods.TxCommit()) == methods.TxCommitOk()
    assert [any_client.fetch(queue).body, any_client.fetch(queue).body] == [b"1", b"2"]


def test_rollback_forgets(any_client: Client) -> None:
    methods = any_client.amqp.methods
    queue = any_client.declare()
    any_client.call(methods.TxSelect())
    any_client.publish(queue, b"1")
    assert any_client.call(methods.TxRollback()) == methods.TxRollbackOk()
    assert any_client.call(methods.TxCommit()) == methods.TxCommitOk()
    assert any_client.get(queue) is None


def test_acks_belong_to_the_transaction(client: Client) -> None:
    queue = client.declare()
    client.publish(queue, b"x")
    client.call(methods.TxSelect())
    message = client.get(queue, no_ack=False)
    assert message is not None
    client.send(methods.BasicAck(message.method.delivery_tag))
    client.call(methods.TxRollback())
    client.call(methods.ChannelClose(200, "the ack was rolled back"))
    client.open_channel().call(methods.TxSelect())
    message = client.get(queue, no_ack=False)
    assert message is not None
    assert message.method.redelivered
    client.send(methods.BasicAck(message.method.delivery_tag))
    client.call(methods.TxCommit())
    client.call(methods.ChannelClose(200, "the ack was committed"))
    assert client.open_channel().get(queue) is None


@pytest.mark.parametrize(
    ("first", "second", "says"),
    [
        (methods.TxSelect(), methods.ConfirmSelect(), "cannot switch from tx to confirm mode"),
        (methods.ConfirmSelect(), methods.TxSelect(), "cannot switch from confirm to tx mode"),
    ],
)
def test_a_channel_is_in_one_mode_only(
    client: Client, first: amqp.Method, second: amqp.Method, says: str
) -> None:
    client.call(first)
    with pytest.raises(amqp.errors.PreconditionFailedClose, match=says):
        client.call(second)


@pytest.mark.parametrize("method", [methods.TxCommit(), methods.TxRollback()])
def test_no_transaction_no_end_of_it(client: Client, method: amqp.Method) -> None:
    with pytest.raises(amqp.errors.PreconditionFailedClose, match="channel is not transactional"):
        client.call(method)
