"""The class access of 0-8: realms, and tickets where they are asked for."""

from __future__ import annotations

from typing import Any

from ...amqp0.broker import Broker
from ...amqp0.connection import LiveChannel
from ...amqp0.frames import describe
from ...engine.registry import rule
from ...engine.run_result import Violation


@rule({"0-8": "access.request/01"})
def realm_of_no_kind(broker: Broker) -> None:
    """Request access to a realm that begins neither with /data nor with /admin: connection exception 403."""
    methods = broker.amqp.methods
    channel = broker.open_channel()
    channel.send(methods.AccessRequest(realm="/elsewhere", passive=True))
    channel.expect_close("access-refused", methods.ConnectionClose)


@rule({"0-8": "access.request/02"})
def realm_for_data(broker: Broker) -> None:
    """Request access to the realm /data, with every right: Request-Ok, with a ticket that is not zero."""
    request = broker.amqp.methods.AccessRequest(
        realm="/data", passive=True, active=True, write=True, read=True
    )
    if broker.open_channel().call(request).ticket == 0:
        raise Violation("expected a ticket other than zero, got zero")


@rule({"0-8": "access.request.realm/01"})
def unknown_realm(broker: Broker) -> None:
    """Request access to a realm below /data that does not exist: the channel is closed with 402 (invalid path)."""
    methods = broker.amqp.methods
    channel = broker.open_channel()
    channel.send(methods.AccessRequest(realm=f"/data/{broker.name('realm')}", passive=True))
    channel.expect_close("invalid-path", methods.ChannelClose)


@rule({"0-8": ("access.request-ok/01", "access.request-ok/02")})
def ticket_of_another_channel(broker: Broker) -> None:
    """Get a ticket on one channel and declare a queue with it on another: the connection is closed."""
    methods = broker.amqp.methods
    connection = broker.connect()
    ticket = _ticket(connection.open_channel(1), active=True)
    other = connection.open_channel(2)
    declare = methods.QueueDeclare(ticket=ticket, queue=broker.name("queue"))
    other.expect_closed_by(declare, methods.ConnectionClose)


def _ticket(channel: LiveChannel, **rights: bool) -> int:
    """Return a ticket for the realm /data with no more than these rights."""
    with channel.broker.set_up():
        return int(channel.call(channel.amqp.methods.AccessRequest(realm="/data", **rights)).ticket)


def _expect_useless(channel: LiveChannel, method: Any) -> None:
    """Send a method with a ticket that does not permit it: the channel or the connection must be closed.

    The specification does not say with which code.
    """
    channel.send(method)
    _expect_any_close(channel)


def _expect_any_close(channel: LiveChannel) -> None:
    methods = channel.amqp.methods
    reply = channel.reaction()
    if not isinstance(reply, (methods.ChannelClose, methods.ConnectionClose)):
        raise Violation(f"expected that the ticket is refused, got {describe(reply)}")


@rule({"0-8": "exchange.declare.ticket/01"})
def declare_exchange_with_passive_access(broker: Broker) -> None:
    """Declare an exchange with a ticket that has passive access only: it is refused, whatever the code."""
    channel = broker.open_channel()
    ticket = _ticket(channel, passive=True)
    name = broker.name("exchange")
    _expect_useless(channel, broker.amqp.methods.ExchangeDeclare(ticket=ticket, exchange=name, type="direct"))


@rule({"0-8": "exchange.delete.ticket/01"})
def delete_exchange_with_passive_access(broker: Broker) -> None:
    """Delete an exchange with a ticket that has passive access only: it is refused, whatever the code."""
    channel = broker.open_channel()
    exchange = channel.declare_exchange(broker.name("exchange"), ticket=_ticket(channel, active=True))
    ticket = _ticket(channel, passive=True)
    _expect_useless(channel, broker.amqp.methods.ExchangeDelete(ticket=ticket, exchange=exchange))


def _expect_refusal_at_a_queue(broker: Broker, kind: Any) -> None:
    """Declare a queue, and send a method for it with a ticket that has passive access only."""
    channel = broker.open_channel()
    queue = channel.declare_queue(broker.name("queue"), ticket=_ticket(channel, active=True))
    _expect_useless(channel, kind(ticket=_ticket(channel, passive=True), queue=queue))


@rule({"0-8": "queue.purge.ticket/01"})
def purge_with_passive_access(broker: Broker) -> None:
    """Purge a queue with a ticket that has passive access only: it is refused, whatever the code."""
    _expect_refusal_at_a_queue(broker, broker.amqp.methods.QueuePurge)


@rule({"0-8": "basic.consume.ticket/01"})
def consume_with_passive_access(broker: Broker) -> None:
    """Consume from a queue with a ticket that has passive access only: it is refused, whatever the code."""
    _expect_refusal_at_a_queue(broker, broker.amqp.methods.BasicConsume)


@rule({"0-8": "basic.get.ticket/01"})
def get_with_passive_access(broker: Broker) -> None:
    """Fetch from a queue with a ticket that has passive access only: it is refused, whatever the code."""
    _expect_refusal_at_a_queue(broker, broker.amqp.methods.BasicGet)


@rule({"0-8": "basic.publish.ticket/01"})
def publish_with_passive_access(broker: Broker) -> None:
    """Publish with a ticket that has passive access only: it is refused, whatever the code."""
    methods = broker.amqp.methods
    channel = broker.open_channel()
    publish = methods.BasicPublish(
        ticket=_ticket(channel, passive=True), exchange="amq.direct", routing_key="key"
    )
    channel.connection.send_message(
        channel.number, publish, broker.amqp.BasicProperties(), b"without the right to write"
    )
    _expect_any_close(channel)
