"""The class connection: virtual hosts, and closing."""

from __future__ import annotations

from ...amqp0.broker import Broker
from ...amqp0.connection import LiveChannel
from ...amqp0.frames import describe
from ...engine.registry import rule
from ...engine.run_result import Violation


@rule({"0-9-1": "connection.open.virtual-host/separation", "0-8": "connection.open.virtual-host/01"})
def separate_virtual_hosts(broker: Broker) -> None:
    """Declare a queue and an exchange in one virtual host; in another one neither is there.

    There each name can be declared in another way, and a message does not reach the queue of the first host.
    """
    methods = broker.amqp.methods
    queue, exchange = broker.name("queue"), broker.name("exchange")
    here = broker.open_channel()
    here.declare_queue(queue, exclusive=True)
    here.declare_exchange(exchange, "direct")
    there = broker.connect(virtual_host=broker.second_virtual_host())
    channel = there.open_channel(1)
    channel.expect_refusal(methods.QueueDeclare(queue=queue, passive=True), name="not-found")
    channel = there.open_channel(2)
    channel.expect_refusal(
        methods.ExchangeDeclare(exchange=exchange, type="direct", passive=True), name="not-found"
    )
    channel = there.open_channel(3)
    channel.declare_exchange(exchange, "fanout")
    channel.declare_queue(queue, exclusive=True, auto_delete=True)
    channel.publish(queue, b"elsewhere")
    channel.fetch(queue)
    channel.call(methods.ExchangeDelete(exchange=exchange))
    if here.get(queue) is not None:
        raise Violation("expected an empty queue, got a message from the other virtual host")


@rule({"0-9-1": "connection.open.virtual-host/security", "0-8": "connection.open.virtual-host/02"})
def unknown_virtual_host(broker: Broker) -> None:
    """Open a virtual host that does not exist. The connection is refused."""
    methods = broker.amqp.methods
    connection = broker.tune()
    connection.control.send(methods.ConnectionOpen(virtual_host=f"/{broker.name('host')}"))
    for item in connection.expect_end():
        if not isinstance(item, methods.ConnectionClose):
            raise Violation(f"expected that the connection is refused, got {describe(item)}")


@rule({"0-8": "connection.open/01"}, slow=True)
def work_before_open(broker: Broker) -> None:
    """Open a channel where connection.open is due. The server does not open it, but ends the connection."""
    methods = broker.amqp.methods
    connection = broker.tune()
    connection.send(methods.ChannelOpen(), channel=1)
    connection.expect_end()
    if connection.came(1):
        raise Violation(f"expected no answer on the channel, got {describe(connection.came(1)[0])}")


@rule({"0-8": "connection.open.insist/01"})
def insist(broker: Broker) -> None:
    """Open the virtual host with insist set. Open-Ok comes, and no redirect."""
    methods = broker.amqp.methods
    connection = broker.tune()
    connection.control.send(methods.ConnectionOpen(virtual_host=broker.target.virtual_host, insist=True))
    connection.control.expect(methods.ConnectionOpenOk)


@rule({"0-9-1": "connection.close/stability"})
def close_after_close(broker: Broker) -> None:
    """Make the server close the connection, and answer with a queue.declare and a connection.close of its own.

    The connection is closed for opening a channel twice. Queue.declare has no effect; the second
    connection.close is answered with Close-Ok.
    """
    methods = broker.amqp.methods
    worker = _closed_by_the_server(broker)
    queue = broker.name("queue")
    worker.send(methods.QueueDeclare(queue=queue))
    worker.connection.control.send(methods.ConnectionClose(reply_code=200, reply_text="done"))
    worker.connection.control.expect(methods.ConnectionCloseOk)
    worker.connection.control.send(methods.ConnectionCloseOk())
    again = broker.open_channel()
    again.expect_refusal(methods.QueueDeclare(queue=queue, passive=True), name="not-found")


@rule({"0-8": "connection.close/01"})
def methods_after_close(broker: Broker) -> None:
    """Make the server close the connection by opening a channel twice, and send a queue.declare.

    It has no effect, though Close-Ok comes only after it.
    """
    methods = broker.amqp.methods
    worker = _closed_by_the_server(broker)
    queue = broker.name("queue")
    worker.send(methods.QueueDeclare(queue=queue))
    worker.connection.control.send(methods.ConnectionCloseOk())
    worker.connection.expect_end()
    again = broker.open_channel()
    again.expect_refusal(methods.QueueDeclare(queue=queue, passive=True), name="not-found")


@rule({"0-8": "connection.close/03"})
def resources_go_with_the_connection(broker: Broker) -> None:
    """Declare an exclusive queue and close the connection. On a new connection the queue is gone."""
    methods = broker.amqp.methods
    channel = broker.open_channel()
    queue = channel.declare_queue(broker.name("queue"), exclusive=True)
    channel.connection.close()
    again = broker.open_channel()
    again.expect_refusal(methods.QueueDeclare(queue=queue, passive=True), name="not-found")


def _closed_by_the_server(broker: Broker) -> LiveChannel:
    """Return an open channel of a connection that the server has closed; close-ok is still to be sent."""
    connection = broker.connect()
    connection.answers_closes = False
    worker = connection.open_channel(2)
    faulty = connection.open_channel(1)
    faulty.send(broker.amqp.methods.ChannelOpen())
    with broker.set_up():
        connection.control.expect(broker.amqp.methods.ConnectionClose)
    return worker
