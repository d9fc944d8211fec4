"""RabbitMQ's bindings between exchanges: exchange.bind and exchange.unbind."""

from __future__ import annotations

from ...amqp0.broker import Broker
from ...amqp0.frames import describe
from ...engine.registry import rule
from ...engine.run_result import Violation


@rule({"0-9-1-rabbitmq": "exchange.bind/duplicates"})
def bind_twice(broker: Broker) -> None:
    """Bind an exchange to another one, and once more in the same way: Bind-Ok both times."""
    channel = broker.open_channel()
    source, destination = (channel.declare_exchange(broker.name(name)) for name in ("source", "destination"))
    bind = broker.amqp.methods.ExchangeBind(source=source, destination=destination, routing_key="key")
    channel.call(bind)
    channel.call(bind)


@rule({"0-9-1-rabbitmq": "exchange.bind/cyclical"})
def bind_in_circles(broker: Broker) -> None:
    """Bind an exchange to itself, and two exchanges to each other: Bind-Ok each time."""
    methods = broker.amqp.methods
    channel = broker.open_channel()
    first, second = (channel.declare_exchange(broker.name(name)) for name in ("first", "second"))
    for source, destination in ((first, first), (first, second), (second, first)):
        channel.call(methods.ExchangeBind(source=source, destination=destination, routing_key="key"))


@rule({"0-9-1-rabbitmq": "exchange.bind/unique"})
def many_ways_one_message(broker: Broker) -> None:
    """Bind an exchange to amq.topic by three patterns, and in a circle; a message that fits all arrives just once."""
    methods = broker.amqp.methods
    channel = broker.open_channel()
    exchange = channel.declare_exchange(broker.name("exchange"), "fanout")
    queue = channel.declare_queue()
    channel.bind(queue, exchange)
    key = broker.name("key")
    for pattern in (key, f"{key}.#", f"#.{key}"):
        channel.call(methods.ExchangeBind(source="amq.topic", destination=exchange, routing_key=pattern))
    channel.call(methods.ExchangeBind(source=exchange, destination=exchange))
    channel.publish(key, b"once", exchange="amq.topic")
    channel.fetch(queue)
    second = channel.get(queue)
    if second is not None:
        raise Violation(f"expected one copy of the message, got a second one: {describe(second)}")


@rule({"0-9-1-rabbitmq": "exchange.bind.destination/exchange-existence"})
def bind_a_missing_destination(broker: Broker) -> None:
    """Bind an exchange that was never declared to amq.direct: the channel is closed with 404 (not-found)."""
    bind = broker.amqp.methods.ExchangeBind(source="amq.direct", destination=broker.name("missing"))
    broker.open_channel().expect_refusal(bind, name="not-found")


@rule({"0-9-1-rabbitmq": "exchange.bind.source/exchange-existence"})
def bind_to_a_missing_source(broker: Broker) -> None:
    """Bind an exchange to one that was never declared: the channel is closed with 404 (not-found)."""
    channel = broker.open_channel()
    destination = channel.declare_exchange(broker.name("destination"))
    bind = broker.amqp.methods.ExchangeBind(source=broker.name("missing"), destination=destination)
    channel.expect_refusal(bind, name="not-found")


@rule({"0-9-1-rabbitmq": "exchange.bind.destination/default-exchange"})
def bind_the_default_exchange(broker: Broker) -> None:
    """Bind the default exchange, by its empty name, to another one: Bind-Ok."""
    channel = broker.open_channel()
    source = channel.declare_exchange(broker.name("source"))
    channel.call(broker.amqp.methods.ExchangeBind(source=source, destination="", routing_key="key"))


@rule({"0-9-1-rabbitmq": "exchange.bind.source/default-exchange"})
def bind_to_the_default_exchange(broker: Broker) -> None:
    """Bind an exchange to the default exchange, by its empty name: Bind-Ok."""
    channel = broker.open_channel()
    destination = channel.declare_exchange(broker.name("destination"))
    channel.call(broker.amqp.methods.ExchangeBind(source="", destination=destination, routing_key="key"))


@rule({"0-9-1-rabbitmq": "exchange.unbind/01"})
def failed_unbind(broker: Broker) -> None:
    """Unbind from an exchange that was never declared: the connection is closed, whatever the code."""
    methods = broker.amqp.methods
    channel = broker.open_channel()
    destination = channel.declare_exchange(broker.name("destination"))
    unbind = methods.ExchangeUnbind(source=broker.name("missing"), destination=destination)
    channel.expect_closed_by(unbind, methods.ConnectionClose)


@rule({"0-9-1-rabbitmq": "exchange.unbind.destination/must-exist"})
def unbind_a_missing_destination(broker: Broker) -> None:
    """Unbind an exchange that was never declared from amq.direct: the channel is closed with 404 (not-found)."""
    unbind = broker.amqp.methods.ExchangeUnbind(source="amq.direct", destination=broker.name("missing"))
    broker.open_channel().expect_refusal(unbind, name="not-found")


@rule({"0-9-1-rabbitmq": "exchange.unbind.source/must-exist"})
def unbind_from_a_missing_source(broker: Broker) -> None:
    """Unbind an exchange from one that was never declared: the channel is closed with 404 (not-found)."""
    channel = broker.open_channel()
    destination = channel.declare_exchange(broker.name("destination"))
    unbind = broker.amqp.methods.ExchangeUnbind(source=broker.name("missing"), destination=destination)
    channel.expect_refusal(unbind, name="not-found")


@rule({"0-9-1-rabbitmq": "exchange.unbind.destination/default-exchange"})
def unbind_the_default_exchange(broker: Broker) -> None:
    """Bind the default exchange, by its empty name, to another one and unbind it again: Bind-Ok and Unbind-Ok."""
    methods = broker.amqp.methods
    channel = broker.open_channel()
    source = channel.declare_exchange(broker.name("source"))
    with broker.set_up():
        channel.call(methods.ExchangeBind(source=source, destination="", routing_key="key"))
    channel.call(methods.ExchangeUnbind(source=source, destination="", routing_key="key"))


@rule({"0-9-1-rabbitmq": "exchange.unbind.source/default-exchange"})
def unbind_from_the_default_exchange(broker: Broker) -> None:
    """Bind an exchange to the default exchange, by its empty name, and unbind it again: Bind-Ok and Unbind-Ok."""
    methods = broker.amqp.methods
    channel = broker.open_channel()
    destination = channel.declare_exchange(broker.name("destination"))
    with broker.set_up():
        channel.call(methods.ExchangeBind(source="", destination=destination, routing_key="key"))
    channel.call(methods.ExchangeUnbind(source="", destination=destination, routing_key="key"))
