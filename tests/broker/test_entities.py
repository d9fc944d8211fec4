"""Queues, exchanges and bindings: declare, bind, unbind, delete."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import amqp_0_8
import amqp_0_9_1_rabbitmq as amqp
import pytest

from .client import Client, Connect

methods = amqp.methods
FreshName = Callable[[], str]
INTEGER_LETTERS = "bBsuIilL"


def test_the_server_names_queues(any_client: Client) -> None:
    declare = any_client.amqp.methods.QueueDeclare(exclusive=True)
    first, second = any_client.call(declare), any_client.call(declare)
    assert first.queue.startswith("amq.gen-")
    assert first.queue != second.queue
    assert (first.message_count, first.consumer_count) == (0, 0)


def test_a_queue_from_declare_to_delete(any_client: Client, fresh_name: FreshName) -> None:
    methods = any_client.amqp.methods
    queue = fresh_name()
    assert any_client.declare(queue, auto_delete=True) == queue
    for body in (b"1", b"2", b"3"):
        any_client.publish(queue, body)
    any_client.expect_count(queue, 3)
    assert any_client.call(methods.QueuePurge(queue=queue)).message_count == 3
    any_client.publish(queue, b"4")
    assert any_client.call(methods.QueueDelete(queue=queue)).message_count == 1
    with pytest.raises(any_client.amqp.errors.NotFoundClose, match=queue):
        any_client.call(methods.QueueDeclare(queue=queue, passive=True))


@pytest.mark.parametrize("kind", ["direct", "fanout", "topic", "headers"])
def test_an_exchange_from_declare_to_delete(any_client: Client, fresh_name: FreshName, kind: str) -> None:
    methods = any_client.amqp.methods
    exchange, queue = fresh_name(), any_client.declare()
    any_client.call(methods.ExchangeDeclare(exchange=exchange, type=kind))
    any_client.call(methods.ExchangeDeclare(exchange=exchange, passive=True, type=kind))
    match = {"x-match": "all", "colour": "red"}
    binding = {"queue": queue, "exchange": exchange, "routing_key": "key.*", "arguments": match}
    any_client.call(methods.QueueBind(**binding))
    properties = any_client.amqp.BasicProperties(headers={"colour": "red", "size": 7})
    key = "key.one" if kind == "topic" else "key.*"
    any_client.publish(key, b"routed", properties, exchange=exchange)
    message = any_client.fetch(queue)
    assert (message.method.exchange, message.method.routing_key) == (exchange, key)
    assert (message.body, message.properties) == (b"routed", properties)
    if any_client.amqp is not amqp_0_8:  # where a binding lasts as long as its queue
        any_client.call(methods.QueueUnbind(**binding))
        any_client.publish(key, b"lost", properties, exchange=exchange)
        assert any_client.get(queue) is None
    any_client.call(methods.ExchangeDelete(exchange=exchange))
    with pytest.raises(any_client.amqp.errors.NotFoundClose, match=exchange):
        any_client.call(methods.ExchangeDeclare(exchange=exchange, passive=True, type=kind))


def test_access_tickets_of_0_8(connect: Connect) -> None:
    client = connect(amqp_0_8)
    request = amqp_0_8.methods.AccessRequest(realm="/data", active=True, write=True, read=True)
    ticket = client.call(request).ticket
    assert ticket > 0
    client.call(amqp_0_8.methods.QueueDeclare(ticket=ticket, exclusive=True))


def test_access_tickets_of_rabbitmq(client: Client) -> None:
    """RabbitMQ answers on 0-9-1 connections too; the channel lives on."""
    request = methods.AccessRequest(realm="/data", active=True, write=True, read=True)
    reply = client.call(request)
    assert reply == methods.AccessRequestOk(ticket=1)
    assert (methods.AccessRequest.DEPRECATED, methods.AccessRequestOk.DEPRECATED) == (True, True)
    assert client.declare()


def test_a_nack_or_reject_that_says_nothing_keeps_the_message(client: Client) -> None:
    queue = client.declare()
    client.publish(queue, b"precious")
    for refuse in (methods.BasicNack, methods.BasicReject):
        tag = client.call(methods.BasicGet(queue)).method.delivery_tag
        client.send(refuse(delivery_tag=tag))
        client.expect_count(queue, 1)


def test_exchanges_bound_to_exchanges(client: Client, fresh_name: FreshName) -> None:
    source, destination, queue = fresh_name(), fresh_name(), client.declare()
    client.call(methods.ExchangeDeclare(source, "topic", auto_delete=True))
    client.call(methods.ExchangeDeclare(destination, "fanout", auto_delete=True))
    client.call(methods.QueueBind(queue, destination))
    client.call(methods.ExchangeBind(destination, source, "#.end", arguments={"why": "test"}))
    client.publish("to.the.end", b"over two exchanges", exchange=source)
    message = client.fetch(queue)
    assert (message.body, message.method.exchange) == (b"over two exchanges", source)
    client.call(methods.ExchangeUnbind(destination, source, "#.end", arguments={"why": "test"}))
    # The last binding of an auto-delete exchange takes the exchange with it.
    with pytest.raises(amqp.errors.NotFoundClose, match=source):
        client.call(methods.ExchangeDeclare(source, "topic", passive=True))


def test_an_internal_exchange_takes_no_publishes(client: Client, fresh_name: FreshName) -> None:
    exchange = fresh_name()
    client.call(methods.ExchangeDeclare(exchange, "fanout", internal=True))
    client.publish("", exchange=exchange)
    with pytest.raises(amqp.errors.AccessRefusedClose, match="internal exchange"):
        client.declare()


def test_no_wait_means_no_reply(client: Client, fresh_name: FreshName) -> None:
    exchange, queue = fresh_name(), fresh_name()
    client.send(
        methods.ExchangeDeclare(exchange, "fanout", no_wait=True),
        methods.QueueDeclare(queue, exclusive=True, no_wait=True),
        methods.QueueBind(queue, exchange, no_wait=True),
    )
    client.publish("", b"arrived", exchange=exchange)
    assert client.fetch(queue).body == b"arrived"
    client.send(methods.QueuePurge(queue, no_wait=True), methods.ExchangeDelete(exchange, no_wait=True))
    client.expect_count(queue, 0)
    assert client.inbox.waiting(1) == 0


def test_deleting_only_what_is_unused(client: Client, fresh_name: FreshName) -> None:
    exchange, queue = fresh_name(), client.declare()
    client.call(methods.ExchangeDeclare(exchange, "direct"))
    client.call(methods.QueueBind(queue, exchange))
    with pytest.raises(amqp.errors.PreconditionFailedClose, match="in use"):
        client.call(methods.ExchangeDelete(exchange, if_unused=True))
    client.open_channel()
    client.publish(queue)
    with pytest.raises(amqp.errors.PreconditionFailedClose, match="not empty"):
        client.call(methods.QueueDelete(queue, if_empty=True))
    client.open_channel().call(methods.QueuePurge(queue))
    client.call(methods.BasicConsume(queue))
    with pytest.raises(amqp.errors.PreconditionFailedClose, match="in use"):
        client.call(methods.QueueDelete(queue, if_unused=True))


def test_declaring_again_must_say_the_same(client: Client, fresh_name: FreshName) -> None:
    queue = client.declare(fresh_name(), arguments={"x-max-length": 5})
    assert client.declare(queue, arguments={"x-max-length": 5}) == queue
    with pytest.raises(amqp.errors.PreconditionFailedClose, match="inequivalent arg 'x-max-length'"):
        client.declare(queue, arguments={"x-max-length": 6})
    client.open_channel()
    with pytest.raises(amqp.errors.PreconditionFailedClose, match="inequivalent arg 'auto_delete'"):
        client.declare(queue, arguments={"x-max-length": 5}, auto_delete=True)


def test_every_integer_letter_works_in_arguments(client: Client, fresh_name: FreshName) -> None:
    for letter in INTEGER_LETTERS:
        queue = client.declare(fresh_name(), arguments={"x-max-length": amqp.Tagged(letter, 2)})
        for body in (b"1", b"2", b"3"):
            client.publish(queue, body)
        assert [client.fetch(queue).body, client.fetch(queue).body] == [b"2", b"3"]
        assert client.get(queue) is None
        # All of them are the same number to the broker.
        for other in INTEGER_LETTERS:
            client.declare(queue, arguments={"x-max-length": amqp.Tagged(other, 2)})


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("x-max-length", "2"),
        ("x-max-length", 2.0),
        ("x-max-length", -1),
        ("x-expires", 0),
        ("x-dead-letter-exchange", 1),
        ("x-overflow", "nonsense"),
        ("x-queue-type", amqp.Tagged("x", b"classic")),
    ],
)
def test_arguments_of_the_wrong_type(client: Client, argument: str, value: Any) -> None:
    with pytest.raises(amqp.errors.PreconditionFailedClose, match=argument):
        client.declare(arguments={argument: value})


def test_a_headers_exchange_compares_values(client: Client, fresh_name: FreshName) -> None:
    exchange, queue = fresh_name(), client.declare()
    client.call(methods.ExchangeDeclare(exchange, "headers"))
    wanted: amqp.FieldTable = {
        "text": "ü",
        "whole": 5,
        "yes": True,
        "nothing": None,
        "raw": b"\0\1",
        "big": 1 << 40,
    }
    client.call(methods.QueueBind(queue, exchange, arguments={"x-match": "all", **wanted}))
    client.publish("", b"same", amqp.BasicProperties(headers={**wanted, "more": 1}), exchange=exchange)
    assert client.fetch(queue).body == b"same"
    others: amqp.FieldTable = {"text": "u", "whole": 6, "yes": False, "raw": b"\0", "big": 1}
    for key, value in others.items():
        client.publish("", b"other", amqp.BasicProperties(headers={**wanted, key: value}), exchange=exchange)
        assert client.get(queue) is None, key
