"""The class queue: bind and unbind."""

from __future__ import annotations

from ...amqp0.broker import Broker
from ...amqp0.frames import describe
from ...engine.registry import rule
from ...engine.run_result import NotTestable, Violation
from .queue import expect_channel_close


@rule({"0-9-1": "queue.bind/duplicates", "0-8": "queue.bind/01"})
def bind_twice(broker: Broker) -> None:
    """Bind a queue to an exchange, and once more in the same way: Bind-Ok both times."""
    channel = broker.open_channel()
    bind = broker.amqp.methods.QueueBind(
        queue=channel.declare_queue(), exchange="amq.direct", routing_key="key"
    )
    channel.call(bind)
    channel.call(bind)


@rule({"0-9-1": "queue.bind/unique"})
def many_bindings_one_message(broker: Broker) -> None:
    """Bind a queue to amq.topic by three patterns; a message that fits all of them comes just once."""
    channel = broker.open_channel()
    queue = channel.declare_queue()
    key = broker.name("key")
    for pattern in (key, f"{key}.#", f"#.{key}"):
        channel.bind(queue, "amq.topic", pattern)
    channel.publish(key, b"once", exchange="amq.topic")
    channel.fetch(queue)
    second = channel.get(queue)
    if second is not None:
        raise Violation(f"expected one copy of the message, got a second one: {describe(second)}")


@rule({"0-9-1": "queue.bind/transient-exchange"})
def durable_queue_and_transient_exchange(broker: Broker) -> None:
    """Bind a durable queue to a transient exchange: Bind-Ok."""
    channel = broker.open_channel()
    exchange = channel.declare_exchange(broker.name("transient"), durable=False)
    queue = channel.declare_queue(broker.name("durable"), durable=True, exclusive=False)
    channel.call(broker.amqp.methods.QueueBind(queue=queue, exchange=exchange, routing_key="key"))


@rule({"0-8": "queue.bind/03"})
def durable_queue_and_transient_exchange_by_0_8(broker: Broker) -> None:
    """Bind a durable queue to a transient exchange: the channel is closed."""
    channel = broker.open_channel()
    exchange = channel.declare_exchange(broker.name("transient"), durable=False)
    queue = channel.declare_queue(broker.name("durable"), durable=True, exclusive=False)
    bind = broker.amqp.methods.QueueBind(queue=queue, exchange=exchange, routing_key="key")
    expect_channel_close(channel, bind)


@rule({"0-9-1": "queue.bind/binding-count", "0-8": "queue.bind/06"})
def four_bindings(broker: Broker) -> None:
    """Bind a queue to four exchanges: Bind-Ok for each."""
    channel = broker.open_channel()
    queue = channel.declare_queue()
    for number in range(4):
        exchange = channel.declare_exchange(broker.name(f"exchange-{number}"))
        channel.call(broker.amqp.methods.QueueBind(queue=queue, exchange=exchange, routing_key="key"))


@rule({"0-8": "queue.bind/02"})
def failed_bind(broker: Broker) -> None:
    """Bind a queue to an exchange that was never declared: the connection is closed, whatever the code."""
    methods = broker.amqp.methods
    channel = broker.open_channel()
    queue = channel.declare_queue()
    bind = methods.QueueBind(queue=queue, exchange=broker.name("missing"), routing_key="key")
    channel.expect_closed_by(bind, methods.ConnectionClose)


@rule({"0-8": "queue.bind/05"})
def bind_to_an_internal_exchange(broker: Broker) -> None:
    """Bind a queue to an exchange declared as internal, if the broker has those: 530 (not allowed)."""
    methods = broker.amqp.methods
    channel = broker.open_channel()
    exchange = broker.name("internal")
    channel.send(methods.ExchangeDeclare(exchange=exchange, type="direct", internal=True))
    if not isinstance(channel.next(), methods.ExchangeDeclareOk):
        raise NotTestable("this broker lets no client declare internal exchanges")
    bind = methods.QueueBind(queue=channel.declare_queue(), exchange=exchange, routing_key="key")
    channel.expect_refusal(bind, name="not-allowed")


@rule({"0-9-1": "queue.bind.queue/queue-known"})
def bind_without_a_name(broker: Broker) -> None:
    """Bind, with an empty queue name, on a channel where no queue was declared: 404 (not-found)."""
    bind = broker.amqp.methods.QueueBind(exchange="amq.direct", routing_key="key")
    broker.open_channel().expect_refusal(bind, name="not-found")


@rule({"0-8": "queue.bind.queue/01"})
def bind_without_a_name_by_0_8(broker: Broker) -> None:
    """Bind, with an empty queue name, on a channel where no queue was declared: 530 (not allowed)."""
    bind = broker.amqp.methods.QueueBind(exchange="amq.direct", routing_key="key")
    broker.open_channel().expect_refusal(bind, name="not-allowed")


@rule({"0-9-1": "queue.bind.queue/must-exist", "0-8": "queue.bind.queue/02"})
def bind_a_missing_queue(broker: Broker) -> None:
    """Bind a queue that was never declared: the channel is closed with 404 (not-found)."""
    bind = broker.amqp.methods.QueueBind(
        queue=broker.name("missing"), exchange="amq.direct", routing_key="key"
    )
    broker.open_channel().expect_refusal(bind, name="not-found")


@rule({"0-9-1": "queue.bind.exchange/exchange-existence", "0-8": "queue.bind.exchange/01"})
def bind_to_a_missing_exchange(broker: Broker) -> None:
    """Bind a queue to an exchange that was never declared: the channel is closed with 404 (not-found)."""
    channel = broker.open_channel()
    queue = channel.declare_queue()
    bind = broker.amqp.methods.QueueBind(queue=queue, exchange=broker.name("missing"), routing_key="key")
    channel.expect_refusal(bind, name="not-found")


@rule({"0-9-1": "queue.bind.exchange/default-exchange"})
def bind_to_the_default_exchange(broker: Broker) -> None:
    """Bind a queue to the default exchange, by its empty name: Bind-Ok."""
    channel = broker.open_channel()
    queue = channel.declare_queue()
    channel.call(broker.amqp.methods.QueueBind(queue=queue, exchange="", routing_key=queue))


@rule({"0-9-1": "queue.bind.routing-key/direct-exchange-key-matching"})
def direct_exchange_matches_keys(broker: Broker) -> None:
    """Bind two queues to a direct exchange, each with a key: a message comes to the queue whose key it has."""
    channel = broker.open_channel()
    exchange = channel.declare_exchange(broker.name("direct"))
    queues = {key: channel.declare_queue() for key in ("one", "two")}
    for key, queue in queues.items():
        channel.bind(queue, exchange, key)
    for key in queues:
        channel.publish(key, key.encode(), exchange=exchange)
    for key, queue in queues.items():
        message = channel.fetch(queue)
        if message.body != key.encode():
            raise Violation(f"expected the message with the key {key}, got {describe(message)}")
        if channel.get(queue) is not None:
            raise Violation(f"expected one message with the key {key}, got two")


@rule({"0-9-1": "queue.unbind/01"})
def failed_unbind(broker: Broker) -> None:
    """Unbind a queue from an exchange that was never declared: the connection is closed, whatever the code."""
    methods = broker.amqp.methods
    channel = broker.open_channel()
    queue = channel.declare_queue()
    unbind = methods.QueueUnbind(queue=queue, exchange=broker.name("missing"), routing_key="key")
    channel.expect_closed_by(unbind, methods.ConnectionClose)


@rule({"0-9-1": "queue.unbind.queue/queue-known"})
def unbind_without_a_name(broker: Broker) -> None:
    """Unbind, with an empty queue name, on a channel where no queue was declared: 404 (not-found)."""
    unbind = broker.amqp.methods.QueueUnbind(exchange="amq.direct", routing_key="key")
    broker.open_channel().expect_refusal(unbind, name="not-found")


@rule({"0-9-1": "queue.unbind.queue/must-exist", "0-8-rabbitmq": "queue.unbind.queue/01"})
def unbind_a_missing_queue(broker: Broker) -> None:
    """Unbind a queue that was never declared: the channel is closed with 404 (not-found)."""
    methods = broker.amqp.methods
    unbind = methods.QueueUnbind(queue=broker.name("missing"), exchange="amq.direct", routing_key="key")
    broker.open_channel().expect_refusal(unbind, name="not-found")


@rule({"0-9-1": "queue.unbind.exchange/must-exist", "0-8-rabbitmq": "queue.unbind.exchange/01"})
def unbind_from_a_missing_exchange(broker: Broker) -> None:
    """Unbind a queue from an exchange that was never declared: the channel is closed with 404 (not-found)."""
    channel = broker.open_channel()
    queue = channel.declare_queue()
    unbind = broker.amqp.methods.QueueUnbind(queue=queue, exchange=broker.name("missing"), routing_key="key")
    channel.expect_refusal(unbind, name="not-found")


@rule({"0-9-1": "queue.unbind.exchange/default-exchange"})
def unbind_from_the_default_exchange(broker: Broker) -> None:
    """Unbind a queue from the default exchange, by its empty name: Unbind-Ok. Every queue has a binding there."""
    channel = broker.open_channel()
    queue = channel.declare_queue()
    channel.call(broker.amqp.methods.QueueUnbind(queue=queue, exchange="", routing_key=queue))
