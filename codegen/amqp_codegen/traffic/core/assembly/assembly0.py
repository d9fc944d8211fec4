"""Puts the events of a connection of the 0-x family together: messages, requests with replies, facts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ....packages import load_package
from ..bodies import Bodies
from ..event import BODY, CONTENT, HEADER, Event
from . import requests
from .channel0 import Channel0
from .continuity import Continuity
from .facts import Facts
from .facts0 import Facts0
from .setting0 import Setting0
from .sink import Sink

_amqp: Any = load_package("amqp_0_9_1_rabbitmq").methods


def _key(method: Any) -> int:
    key: int = method.CLASS_ID << 16 | method.METHOD_ID
    return key


_CONNECTION = _amqp.ConnectionOpen.CLASS_ID
_OVERHEAD = 8  # octets of a frame besides its payload

_CHANNEL_CLOSE = "channel.close"
_CONNECTION_CLOSE, _CONNECTION_CLOSE_OK = "connection.close", "connection.close-ok"

_CLOSE, _CLOSE_OK = _key(_amqp.ChannelClose), _key(_amqp.ChannelCloseOk)

# Methods that mean something besides that they are requests or replies. The numbers are those of all versions.
_METHODS: Mapping[int, Callable[[Channel0, Event], None]] = {
    _key(_amqp.ChannelOpen): Channel0.open,
    _key(_amqp.QueueDeclare): Channel0.declare,
    _key(_amqp.QueueDeclareOk): Channel0.declare_ok,
    _key(_amqp.BasicConsume): Channel0.consume,
    _key(_amqp.BasicConsumeOk): Channel0.consume_ok,
    _key(_amqp.BasicCancelOk): Channel0.cancel_ok,
    _key(_amqp.BasicPublish): Channel0.publish,
    _key(_amqp.BasicReturn): Channel0.returned,
    _key(_amqp.BasicDeliver): Channel0.deliver,
    _key(_amqp.BasicGetOk): Channel0.get_ok,
    _key(_amqp.BasicAck): Channel0.ack,
    _key(_amqp.BasicReject): Channel0.reject,
    _key(_amqp.BasicRecoverAsync): Channel0.recover,  # 0-9-1 calls it recover-async
    _key(_amqp.BasicRecover): Channel0.recover,
    _key(_amqp.BasicNack): Channel0.nack,
    _key(_amqp.ConfirmSelect): Channel0.select,
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
