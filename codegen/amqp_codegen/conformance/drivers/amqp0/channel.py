"""The class channel: open, flow, close."""

from __future__ import annotations

from ...amqp0.broker import Broker
from ...registry import rule


@rule({"0-9-1": "channel.open/state", "0-8": "channel.open/01"})
def open_twice(broker: Broker) -> None:
    """Opens channel 1 and opens it once more. The connection is closed with 504 (channel-error)."""
    channel = broker.open_channel()
    channel.expect_refusal(broker.amqp.methods.ChannelOpen(), name="channel-error")
