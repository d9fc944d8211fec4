"""What must still be there after the peer was restarted."""

from __future__ import annotations

from amqp_1_0.messaging import Header

from ...amqp1.broker import Broker
from ...amqp1.checks import message, want
from ...engine.registry import amqp1_rule


@amqp1_rule("header.durable/not-lost", restarts=True, seconds=120)
def durable_message(broker: Broker) -> None:
    """Send a durable message, which the peer accepts, and restart it. The message is still there."""
    address = broker.queue()
    durable = message(b"before the restart")
    durable.header = Header(durable=True)
    broker.begin().sender(address).send_accepted(durable)
    broker.restart()
    octets = broker.begin().receiver(address).fetch().data()
    want(octets == b"before the restart", "the message that was sent", octets)
