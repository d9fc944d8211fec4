"""The class exchange: standard types and instances, declare, delete."""

from __future__ import annotations

import time
from collections.abc import Iterable

from ...amqp0.broker import Broker
from ...amqp0.connection import LiveChannel
from ...amqp0.frames import describe
from ...engine.registry import rule
from ...engine.run_result import NotTestable, Violation

_MANY_EXCHANGES = 16
# "A short and non-zero time" between creating an exchange and binding a queue to it.
_MOMENT_SECONDS = 0.2


def _route(channel: LiveChannel, exchange: str, queue: str) -> None:
    """Bind the queue to the exchange and expect that a message published there arrives.

    Messages that others publish to a shared exchange may arrive, too.
    """
    channel.call(channel.amqp.methods.QueueBind(queue=queue, exchange=exchange, routing_key=queue))
    body = f"for {queue} by {exchange}".encode()
    channel.publish(queue, body, exchange=exchange)
    while channel.fetch(queue).body != body:
        continue


def _declare_each(broker: Broker, types: Iterable[str]) -> None:
    channel = broker.open_channel()
    with broker.trial():
        for type_ in types:
            channel.declare_exchange(broker.name(type_), type_)


@rule({"0-9-1": "exchange/required-types"})
def required_types(broker: Broker) -> None:
    """Declare an exchange of the type fanout and one of the type direct: Declare-Ok for both."""
    _declare_each(broker, ("fanout", "direct"))


@rule({"0-9-1": "exchange/recommended-types"})
def recommended_types(broker: Broker) -> None:
    """Declare an exchange of the type topic and one of the type headers: Declare-Ok for both."""
    _declare_each(broker, ("topic", "headers"))


@rule({"0-9-1": "exchange/required-instances"})
def required_instances(broker: Broker) -> None:
    """Bind a queue to amq.direct, amq.fanout, amq.topic and amq.headers: Bind-Ok for each, and messages arrive.

    Nothing is published to amq.headers, which ignores routing keys.
    """
    methods = broker.amqp.methods
    channel = broker.open_channel()
    queue = channel.declare_queue()
    for exchange in ("amq.direct", "amq.fanout", "amq.topic"):
        _route(channel, exchange, queue)
    channel.call(methods.QueueBind(queue=queue, exchange="amq.headers", arguments={"x-match": "all", "a": 1}))


@rule({"0-8": "exchange/01"})
def required_exchanges(broker: Broker) -> None:
    """Declare exchanges of the types direct and fanout: Declare-Ok for both.

    Send a message by each of amq.direct, amq.fanout and the default exchange: each arrives.
    """
    _declare_each(broker, ("fanout", "direct"))
    channel = broker.open_channel()
    queue = channel.declare_queue()
    for exchange in ("amq.direct", "amq.fanout"):
        _route(channel, exchange, queue)
    channel.publish(queue, b"by default")
    channel.fetch(queue)


@rule({"0-8": "exchange/02"})
def topic_exchange(broker: Broker) -> None:
    """Declare an exchange of the type topic, and send a message by amq.topic: it arrives."""
    _declare_each(broker, ("topic",))
    channel = broker.open_channel()
    _route(channel, "amq.topic", channel.declare_queue())


@rule({"0-9-1": "exchange/default-exchange"})
def default_exchange(broker: Broker) -> None:
    """Declare a queue and publish to the empty exchange name, the queue's name as routing key: the message arrives."""
    channel = broker.open_channel()
    queue = channel.declare_queue()
    channel.publish(queue, b"by default")
    if channel.fetch(queue).body != b"by default":
        raise Violation("expected the message that was published, got another one")


@rule({"0-9-1": "exchange/default-access"})
def default_exchange_is_out_of_reach(broker: Broker) -> None:
    """Try to delete the default exchange: the broker refuses, and still routes messages by it.

    The specification does not say with which code; a close of the channel or of the connection counts as a refusal.
    """
    methods = broker.amqp.methods
    channel = broker.open_channel()
    channel.send(methods.ExchangeDelete(exchange=""))
    reply = channel.next()
    if not isinstance(reply, (methods.ChannelClose, methods.ConnectionClose)):
        raise Violation(f"expected that the default exchange cannot be deleted, got {describe(reply)}")
    other = broker.open_channel()
    queue = other.declare_queue()
    other.publish(queue, b"still there")
    other.fetch(queue)


@rule({"0-8": "exchange/03"})
def system_exchange(broker: Broker) -> None:
    """Bind a queue to amq.system, where there is one: the connection is closed with "not allowed"."""
    methods = broker.amqp.methods
    channel = broker.open_channel()
    channel.send(methods.ExchangeDeclare(exchange="amq.system", type="system", passive=True))
    if not isinstance(channel.next(), methods.ExchangeDeclareOk):
        raise NotTestable("this broker has no exchange amq.system, and need not have one")
    bind = methods.QueueBind(queue=channel.declare_queue(), exchange="amq.system", routing_key="key")
    channel.expect_refusal(bind, name="not-allowed")


@rule({"0-8": "exchange/04"})
def default_exchange_takes_no_bindings(broker: Broker) -> None:
    """Bind a queue to the default exchange under a key of its own: no message published with that key arrives.

    The broker may refuse the bind or ignore it.
    """
    methods = broker.amqp.methods
    channel = broker.open_channel()
    queue = channel.declare_queue()
    key = broker.name("key")
    channel.send(methods.QueueBind(queue=queue, exchange="", routing_key=key))
    if isinstance(channel.next(), (methods.ChannelClose, methods.ConnectionClose)):
        return
    channel.publish(key, b"by an explicit binding")
    if channel.get(queue) is not None:
        raise Violation(
            "expected that nothing can be bound to the default exchange, got a message by such a binding"
        )


@rule({"0-9-1": "exchange.declare/minimum", "0-8": "exchange.declare/01"})
def many_exchanges(broker: Broker) -> None:
    """Declare sixteen exchanges: Declare-Ok for each."""
    channel = broker.open_channel()
    with broker.trial():
        for number in range(_MANY_EXCHANGES):
            channel.declare_exchange(broker.name(f"exchange-{number}"))


@rule({"0-9-1": "exchange.declare.exchange/reserved", "0-8": "exchange.declare.exchange/01"})
def reserved_name(broker: Broker) -> None:
    """Declare amq.direct passively: Declare-Ok. Then an unknown name beginning with "amq.": 403 (access-refused)."""
    methods = broker.amqp.methods
    channel = broker.open_channel()
    channel.call(methods.ExchangeDeclare(exchange="amq.direct", type="direct", passive=True))
    name = f"amq.{broker.name('exchange')}"
    channel.expect_refusal(methods.ExchangeDeclare(exchange=name, type="direct"), name="access-refused")


@rule({"0-9-1": "exchange.declare.exchange/syntax"})
def name_with_a_blank(broker: Broker) -> None:
    """Declare an exchange whose name has a blank in it: 406 (precondition-failed)."""
    methods = broker.amqp.methods
    channel = broker.open_channel()
    declare = methods.ExchangeDeclare(exchange=broker.name("two words"), type="direct")
    channel.expect_refusal(declare, name="precondition-failed")


@rule({"0-9-1": "exchange.declare.type/typed", "0-8": "exchange.declare.type/01"})
def another_type(broker: Broker) -> None:
    """Declare an exchange as direct, then under the same name as fanout: 530 (not-allowed)."""
    methods = broker.amqp.methods
    channel = broker.open_channel()
    exchange = channel.declare_exchange(broker.name("exchange"))
    channel.expect_refusal(methods.ExchangeDeclare(exchange=exchange, type="fanout"), name="not-allowed")


@rule({"0-9-1": "exchange.declare.type/support", "0-8": "exchange.declare.type/02"})
def unknown_type(broker: Broker) -> None:
    """Declare an exchange of a type that does not exist: the connection is closed with 503 (command-invalid)."""
    methods = broker.amqp.methods
    channel = broker.open_channel()
    declare = methods.ExchangeDeclare(exchange=broker.name("exchange"), type="x-no-such-type")
    channel.expect_refusal(declare, name="command-invalid")


@rule({"0-9-1": "exchange.declare.passive/not-found", "0-8": "exchange.declare.passive/01"})
def passive_declare_of_a_missing_one(broker: Broker) -> None:
    """Declare a name that was never used, with passive set: the channel is closed with 404 (not-found)."""
    methods = broker.amqp.methods
    declare = methods.ExchangeDeclare(exchange=broker.name("missing"), type="direct", passive=True)
    broker.open_channel().expect_refusal(declare, name="not-found")


@rule({"0-9-1": "exchange.declare.passive/equivalent"})
def equivalent_declare(broker: Broker) -> None:
    """Declare an exchange twice alike: Declare-Ok both times. Then with durable reversed: the channel is closed."""
    methods = broker.amqp.methods
    channel = broker.open_channel()
    declare = methods.ExchangeDeclare(exchange=broker.name("exchange"), type="direct", durable=False)
    channel.call(declare)
    channel.call(declare)
    declare.durable = True
    channel.expect_closed_by(declare, methods.ChannelClose)


@rule({"0-9-1": "exchange.declare.durable/support", "0-8": "exchange.declare.durable/01"})
def durable_and_transient(broker: Broker) -> None:
    """Declare an exchange that is durable and one that is not: Declare-Ok for both."""
    channel = broker.open_channel()
    with broker.trial():
        for durable in (True, False):
            channel.declare_exchange(broker.name("exchange"), durable=durable)


def _declare_again(broker: Broker, bit: str) -> None:
    """Declare an exchange with the bit off, then on; the second Declare-Ok must come, too."""
    channel = broker.open_channel()
    exchange = channel.declare_exchange(broker.name("exchange"))
    channel.call(broker.amqp.methods.ExchangeDeclare(exchange=exchange, type="direct", **{bit: True}))


@rule({"0-8": "exchange.declare.durable/02"})
def durable_of_an_existing_one(broker: Broker) -> None:
    """Declare a transient exchange again with durable set, which must be disregarded: Declare-Ok."""
    _declare_again(broker, "durable")


@rule(
    {
        "0-9-1-rabbitmq": "exchange.declare.auto-delete/amq-exchange-25",
        "0-8": "exchange.declare.auto-delete/02",
    }
)
def auto_delete_of_an_existing_one(broker: Broker) -> None:
    """Declare an exchange again with auto-delete set, which must be disregarded: Declare-Ok."""
    _declare_again(broker, "auto_delete")


@rule(
    {
        "0-9-1-rabbitmq": "exchange.declare.auto-delete/amq-exchange-02",
        "0-8": "exchange.declare.auto-delete/01",
    }
)
def auto_delete_waits(broker: Broker) -> None:
    """Declare an auto-delete exchange and bind a queue to it a moment later: it is still there, and routes."""
    channel = broker.open_channel()
    exchange = channel.declare_exchange(broker.name("exchange"), auto_delete=True)
    queue = channel.declare_queue()
    time.sleep(_MOMENT_SECONDS)
    _route(channel, exchange, queue)


@rule({"0-9-1": "exchange.delete.exchange/exists"})
def delete_a_missing_one(broker: Broker) -> None:
    """Delete an exchange that was never declared: the channel is closed with 404 (not-found)."""
    delete = broker.amqp.methods.ExchangeDelete(exchange=broker.name("missing"))
    broker.open_channel().expect_refusal(delete, name="not-found")


@rule({"0-8": "exchange.delete.exchange/01"})
def delete_a_missing_one_by_0_8(broker: Broker) -> None:
    """Delete an exchange that was never declared: the channel is closed, whatever the code."""
    methods = broker.amqp.methods
    delete = methods.ExchangeDelete(exchange=broker.name("missing"))
    broker.open_channel().expect_closed_by(delete, methods.ChannelClose)


def _bound_exchange(broker: Broker, channel: LiveChannel) -> str:
    exchange = channel.declare_exchange(broker.name("exchange"))
    queue = channel.declare_queue()
    channel.bind(queue, exchange, "key")
    return exchange


@rule({"0-9-1": "exchange.delete.if-unused/in-use"})
def delete_a_used_one_if_unused(broker: Broker) -> None:
    """Delete an exchange with a binding, if-unused set: 406 (precondition-failed), and the exchange is still there."""
    methods = broker.amqp.methods
    channel = broker.open_channel()
    exchange = _bound_exchange(broker, channel)
    delete = methods.ExchangeDelete(exchange=exchange, if_unused=True)
    channel.expect_refusal(delete, name="precondition-failed")
    again = channel.connection.open_channel(2)
    again.call(methods.ExchangeDeclare(exchange=exchange, type="direct", passive=True))


@rule({"0-8": "exchange.delete.if-unused/02"})
def delete_a_used_one_by_0_8(broker: Broker) -> None:
    """Delete an exchange with a binding, if-unused set: the channel is closed, whatever the code."""
    methods = broker.amqp.methods
    channel = broker.open_channel()
    delete = methods.ExchangeDelete(exchange=_bound_exchange(broker, channel), if_unused=True)
    channel.expect_closed_by(delete, methods.ChannelClose)


@rule({"0-8": "exchange.delete.if-unused/01"})
def delete_only_if_unused(broker: Broker) -> None:
    """Delete, if-unused set, an exchange without bindings: it is gone. One with a binding stays."""
    methods = broker.amqp.methods
    channel = broker.open_channel()
    unused = channel.declare_exchange(broker.name("unused"))
    used = _bound_exchange(broker, channel)
    channel.call(methods.ExchangeDelete(exchange=unused, if_unused=True))
    channel.send(methods.ExchangeDelete(exchange=used, if_unused=True))
    channel.next()  # refused in some way: only its effect is checked here
    other = channel.connection.open_channel(2)
    other.call(methods.ExchangeDeclare(exchange=used, type="direct", passive=True))
    gone = methods.ExchangeDeclare(exchange=unused, type="direct", passive=True)
    other.expect_refusal(gone, name="not-found")
