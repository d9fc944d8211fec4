"""Puts the events of a connection of the 0-x family together: messages, requests with replies, facts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..bodies import Bodies
from ..event import BODY, CONTENT, HEADER, Event
from . import requests
from .channel0 import Channel0
from .continuity import Continuity
from .facts import Facts
from .facts0 import Facts0
from .setting0 import Setting0
from .sink import Sink

_CONNECTION = 10  # class id
_OVERHEAD = 8  # octets of a frame besides its payload

_CHANNEL_CLOSE = "channel.close"
_CONNECTION_CLOSE, _CONNECTION_CLOSE_OK = "connection.close", "connection.close-ok"
_CLOSE, _CLOSE_OK = 0x00140028, 0x00140029

# Methods that mean something besides that they are requests or replies. The numbers are those of all versions.
_METHODS: Mapping[int, Callable[[Channel0, Event], None]] = {
    0x0014000A: Channel0.open,
    0x0032000A: Channel0.declare,
    0x0032000B: Channel0.declare_ok,
    0x003C0014: Channel0.consume,
    0x003C0015: Channel0.consume_ok,
    0x003C001F: Channel0.cancel_ok,
    0x003C0028: Channel0.publish,
    0x003C0032: Channel0.returned,
    0x003C003C: Channel0.deliver,
    0x003C0047: Channel0.get_ok,
    0x003C0050: Channel0.ack,
    0x003C005A: Channel0.reject,
    0x003C0064: Channel0.recover,  # 0-9-1 calls it recover-async
    0x003C006E: Channel0.recover,
    0x003C0078: Channel0.nack,
    0x0055000A: Channel0.select,
}


class Assembly0:
    """The state of a connection; it can be pickled.

    It depends on nothing but the events of the connection and their order, and its size is bounded.
    """

    __slots__ = ("_channels", "_continuity", "_facts", "_setting")

    def __init__(self, connection: int, sink: Sink, bodies: Bodies) -> None:
        """Before the first event.

        Args:
            connection: The number of the connection.
            sink: Takes rows.
            bodies: What is kept of bodies.
        """
        self._setting = Setting0(connection, "", sink, bodies)
        self._continuity = Continuity()
        self._facts = Facts0()
        self._channels: dict[int, Channel0] = {}

    def read_by(self, package: str) -> None:
        """From here on rows are those of this generated package."""
        self._setting.package = package

    def add(self, event: Event) -> None:
        """Take the next event, of a frame; its number and offset are final."""
        connection, frame_no, direction, number, kind, row, size, offset, ns = event
        continuity = self._continuity
        expected = continuity.expected
        if offset != expected[direction] and continuity.is_broken_by(event):
            for each in self._channels.values():
                each.lose(direction)
        expected[direction] = offset + size + _OVERHEAD
        continuity.events += 1 if kind != CONTENT else event[5][3] + 2
        channel = self._channels.get(number)
        if channel is None:
            channel = self._channels[number] = Channel0(self._setting)
        if kind == BODY:
            channel.contents.body(event)
        elif kind == HEADER:
            channel.contents.header(event)
        else:
            if channel.contents.open[direction] is not None:
                channel.contents.end(direction)
            take = _METHODS.get(kind)
            if take is not None:
                take(channel, event)
            elif kind == CONTENT:
                method, method_row, header, bodies, last_ns = row
                opening = (connection, frame_no, direction, number, method, method_row, size, offset, ns)
                _METHODS[method](channel, opening)
                channel.contents.whole(direction, header, bodies, last_ns)
            else:
                self._take_other(channel, event)

    def finish(self) -> Facts:
        """Nothing more comes: put what is open, and say what was learned."""
        self._end(requests.UNANSWERED)
        return self._facts.finish()

    def _take_other(self, channel: Channel0, event: Event) -> None:
        kind = event[4]
        if kind >> 16 == _CONNECTION:
            self._take_control(channel, event)
        elif kind == _CLOSE:
            channel.close(event, _CHANNEL_CLOSE)
            channel.other(event)
        elif kind == _CLOSE_OK:
            channel.other(event)
            if not channel.waits_for(_CHANNEL_CLOSE):  # the other side may have closed it at the same time
                self._channels.pop(event[3]).end(requests.CLOSED)
        else:
            channel.other(event)

    def _take_control(self, channel: Channel0, event: Event) -> None:
        """A method of class connection."""
        method = self._setting.method(event[4])
        if method is None or event[3] != 0:
            return
        self._facts.take(event, method.name)
        if method.name == _CONNECTION_CLOSE:
            for each in self._channels.values():
                each.close(event, _CONNECTION_CLOSE)
        channel.other(event)
        if method.name == _CONNECTION_CLOSE_OK and not channel.waits_for(_CONNECTION_CLOSE):
            self._end(requests.CLOSED)

    def _end(self, outcome: str) -> None:
        for channel in self._channels.values():
            channel.end(outcome)
        self._channels.clear()
