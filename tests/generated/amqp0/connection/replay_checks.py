"""What must hold of an engine that plays a recorded conversation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .expected_events import Story, entry, in_order
from .recordings import CLOSES, Item, Side, Turn
from .replay import Player


def replay(amqp: Any, side: Side, turns: Iterable[Turn], piece: int = 1 << 16) -> Player:
    """Play a side; it says what was said, in the same octets where these are the codec's, and tells what was told to it."""
    player = Player(amqp, side, turns, piece)
    player.play()
    if "connection.close-ok" not in [
        item.name for item in player.own
    ]:  # a peer that hangs up says it to nobody
        player.sent = [item for item in player.sent if item.name != "connection.close-ok"]
    sent, own = by_channel(player.sent), by_channel(player.own)
    assert [item.essence for item in sent] == [item.essence for item in own]
    for ours, recorded in zip(sent, own, strict=True):
        if recorded.name not in ("header", *CLOSES) and recorded.octets == encoded(
            amqp, recorded, player.frame_max
        ):
            assert ours.octets == recorded.octets
    told = [entry(channel, event) for channel, event in player.told]
    assert in_order(told) == in_order(Story(side).entries(player.items))
    return player


def by_channel(items: list[Item]) -> list[Item]:
    """Sort items by channel: nobody promises an order between channels."""
    return sorted(items, key=lambda item: item.channel)


def encoded(amqp: Any, item: Item, frame_max: int) -> bytes:
    """Return the octets that the codec has for an item."""
    if item.properties is None:
        return bytes(amqp.encode_frame(item.channel, item.method))
    octets = amqp.encode_message(
        item.channel, item.method, item.properties, item.body, max_frame_size=frame_max
    )
    return bytes(octets)
