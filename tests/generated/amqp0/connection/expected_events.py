"""What an engine has to tell of a recorded conversation, read from its items alone: an entry for each event, in order."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from .recordings import Item, Side

# What methods of the peer are told by, if not by their kind.
_BY_NAME: dict[Side, dict[str, str]] = {
    "client": {
        "basic.deliver": "Delivered",
        "basic.return": "Returned",
        "basic.cancel": "ConsumerCancelled",
        "channel.flow": "FlowChanged",
        "channel.open-ok": "ChannelOpened",
        "connection.blocked": "Blocked",
        "connection.unblocked": "Unblocked",
        "connection.secure": "Challenged",
        "connection.open-ok": "Opened",
        "basic.ack": "Confirmed",
        "basic.nack": "Confirmed",
    },
    "server": {
        "basic.publish": "Published",
        "channel.flow": "FlowChanged",
        "channel.open": "ChannelOpened",
        "connection.start-ok": "LoginRequested",
        "connection.secure-ok": "LoginRequested",
        "connection.open": "OpenRequested",
        "basic.ack": "Settled",
        "basic.nack": "Settled",
        "basic.reject": "Settled",
    },
}
_UNTOLD = ("header", "connection.start", "connection.tune", "connection.tune-ok")
Entry = tuple[Any, ...]


def entry(channel: int, event: Any) -> Entry:
    """Return the entry of an event."""
    kind = type(event).__name__
    match kind:
        case "Delivered" | "Returned":
            return kind, channel, event.message.method, event.message.body
        case "Published":
            return kind, channel, event.message.method, event.message.body, event.number
        case "Confirmed":
            return kind, channel, event.numbers, event.positive
        case "Reply" | "Requested":
            return kind, channel, event.method, b"" if event.message is None else event.message.body
        case "Settled" | "Received":
            return kind, channel, event.method
        case "ChannelClosed":
            return kind, channel, event.by_peer, event.unconfirmed
        case "Closed":
            return kind, event.by_peer
        case _:
            return kind, channel


def in_order(entries: list[Entry]) -> list[Entry]:
    """Sort what ends at once: of channels that end with the connection, nobody promises an order."""
    runs = groupby(entries, key=lambda entry: entry[0])
    return [entry for kind, run in runs for entry in (sorted(run) if kind == "ChannelClosed" else run)]


class Story:
    """What one side is told, item by item."""

    def __init__(self, side: Side) -> None:
        self._side = side
        self._open: set[int] = set()
        self._closing: set[int] = set()  # by us; 0 is the connection
        self._is_over = False
        # Of channels in the mode confirm: the last number, and those that are not confirmed.
        self._last: dict[int, int] = {}
        self._waiting: dict[int, list[int]] = {}

    def entries(self, items: list[Item]) -> list[Entry]:
        """Return an entry for each event, the end of the stream included."""
        found = [entry for item in items for entry in self._of(item)]
        return found if self._is_over else [*found, *self._end(by_peer=0 not in self._closing)]

    def _of(self, item: Item) -> Iterator[Entry]:
        channel, name = item.channel, item.name
        if self._is_over or (
            channel in self._closing and not name.startswith(("channel.close", "connection.close"))
        ):
            return
        if item.side == self._side:
            yield from self._say(item)
        elif name == "connection.close-ok" or (name == "connection.close" and 0 not in self._closing):
            yield from self._end(by_peer=name == "connection.close")
        elif 0 in self._closing:
            return
        elif name == "channel.close-ok" or (name == "channel.close" and channel not in self._closing):
            self._open.discard(channel)
            self._closing.discard(channel)
            yield self._channel_closed(channel, by_peer=name == "channel.close")
        elif name not in (*_UNTOLD, "channel.close"):
            yield from self._tell(item)

    def _say(self, item: Item) -> Iterator[Entry]:
        if item.name in ("channel.close", "connection.close"):
            self._closing.add(item.channel)
        elif item.name == "channel.open":
            self._begin(item.channel)
        elif item.name == "connection.open-ok":
            yield "Opened", 0
        elif self._side == "client":
            self._count(item)
        elif item.name in ("basic.ack", "basic.nack"):
            self._confirm(item.channel, item.method.delivery_tag, item.method.multiple)

    def _channel_closed(self, channel: int, by_peer: bool) -> Entry:
        return "ChannelClosed", channel, by_peer, tuple(self._waiting.pop(channel, ()))

    def _begin(self, channel: int) -> None:
        self._open.add(channel)
        self._last.pop(channel, None)

    def _count(self, item: Item) -> int | None:
        """Count what the client publishes behind confirm.select."""
        channel = item.channel
        if item.name == "confirm.select" and channel not in self._last:
            self._last[channel], self._waiting[channel] = 0, []
        elif item.name == "basic.publish" and channel in self._last:
            self._last[channel] += 1
            self._waiting[channel].append(self._last[channel])
            return self._last[channel]
        return None

    def _tell(self, item: Item) -> Iterator[Entry]:
        channel, method = item.channel, item.method
        kind = _BY_NAME[self._side].get(item.name)
        if kind in ("Delivered", "Returned"):
            yield kind, channel, method, item.body
        elif kind == "Published":
            yield kind, channel, method, item.body, self._count(item)
        elif kind == "Confirmed":
            if numbers := self._confirm(channel, method.delivery_tag, method.multiple):
                yield kind, channel, numbers, item.name == "basic.ack"
        elif kind == "Settled":
            yield kind, channel, method
        elif kind is not None:
            if item.name == "channel.open":
                self._begin(channel)
            yield kind, channel
        elif item.name.endswith(("-ok", "-empty")):
            yield "Reply", channel, method, item.body
        elif method.RESPONSES:
            self._count(item)
            yield "Requested", channel, method, item.body
        else:
            yield "Received", channel, method

    def _confirm(self, channel: int, tag: int, multiple: bool) -> tuple[int, ...]:
        """Take out the numbers that an ack stands for."""
        numbers = [
            number
            for number in self._waiting[channel]
            if number == tag or (multiple and (number < tag or not tag))
        ]
        self._waiting[channel] = [number for number in self._waiting[channel] if number not in numbers]
        return tuple(numbers)

    def _end(self, by_peer: bool) -> Iterator[Entry]:
        self._is_over = True
        for channel in sorted(self._open):
            yield self._channel_closed(channel, by_peer)
        yield "Closed", by_peer
