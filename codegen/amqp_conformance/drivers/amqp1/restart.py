"""What must still be there after the peer was restarted."""

from __future__ import annotations

from typing import Any

from amqp_1_0.messaging import Header, Source, Target, TerminusDurability

from ...amqp1.broker import Broker
from ...amqp1.checks import message, want
from ...engine.registry import amqp1_rule
from ...engine.run_result import NotTestable


@amqp1_rule("header.durable/not-lost", restarts=True, seconds=120)
def durable_message(broker: Broker) -> None:
    """Send a durable message to a durable target, and restart the peer, which has accepted it. It is still there."""
    lasting = TerminusDurability.UNSETTLED_STATE
    address = broker.queue()
    durable = message(b"before the restart")
    durable.header = Header(durable=True)
    sender = broker.begin().sender(None, target=Target(address, durable=lasting))
    answer: Any = sender.remote and sender.remote.target
    if not getattr(answer, "durable", None):
        raise NotTestable("the peer offers no durable target")
    sender.send_accepted(durable)
    broker.restart()
    octets = broker.begin().receiver(None, source=Source(address, durable=lasting)).fetch().data()
    want(octets == b"before the restart", "the message that was sent", octets)
