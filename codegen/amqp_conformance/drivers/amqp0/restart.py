"""What must still be there after the broker was restarted."""

from __future__ import annotations

from ...amqp0.broker import Broker
from ...engine.registry import rule
from ...engine.run_result import Violation

_PERSISTENT = 2


@rule(
    {"0-9-1": "queue.declare.durable/persistence", "0-8": "queue.declare.durable/01"},
    restarts=True,
    seconds=120,
)
def durable_queue(broker: Broker) -> None:
    """Declare a durable queue and restart the server. A message that is then sent to the queue reaches it."""
    queue = broker.name("durable")
    broker.open_channel().declare_queue(queue, durable=True, exclusive=False)
    broker.restart()
    channel = broker.open_channel()
    channel.call(broker.amqp.methods.QueueDeclare(queue=queue, passive=True))
    channel.publish(queue, b"after the restart")
    channel.fetch(queue)


@rule({"0-9-1": "queue.bind/durable-exchange", "0-8": "queue.bind/04"}, restarts=True, seconds=120)
def durable_binding(broker: Broker) -> None:
    """Bind a durable queue to a durable exchange and restart the server.

    A message that is then published to the exchange comes to the queue.
    """
    queue, exchange = broker.name("durable"), broker.name("durable")
    channel = broker.open_channel()
    channel.declare_queue(queue, durable=True, exclusive=False)
    channel.declare_exchange(exchange, durable=True)
    channel.bind(queue, exchange, "key")
    broker.restart()
    channel = broker.open_channel()
    channel.publish("key", b"after the restart", exchange=exchange)
    channel.fetch(queue)


@rule({"0-9-1": "basic/01", "0-8": "basic/01"}, restarts=True, seconds=120)
def persistent_message(broker: Broker) -> None:
    """Send a persistent message to a durable queue and restart the server. The message is still there.

    The message is sent within a transaction, so that the server has confirmed it.
    """
    methods = broker.amqp.methods
    queue = broker.name("durable")
    channel = broker.open_channel()
    channel.declare_queue(queue, durable=True, exclusive=False)
    with broker.set_up():
        channel.call(methods.TxSelect())
        channel.publish(queue, b"before the restart", broker.amqp.BasicProperties(delivery_mode=_PERSISTENT))
        channel.call(methods.TxCommit())
    broker.restart()
    message = broker.open_channel().fetch(queue)
    if message.body != b"before the restart":
        raise Violation(f"expected the body b'before the restart', got {message.body!r}")
