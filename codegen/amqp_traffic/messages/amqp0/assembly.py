"""Assembly of the events of a 0-x connection: messages, requests with replies, facts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...decode.body_retention import BodyRetention
from ...decode.events import BODY, CONTENT, HEADER, Event, named_event
from ...frames.formats import OVERHEAD0
from ...frames.method_keys import method_key
from ..connection_facts import ConnectionFacts
from ..sink import CLOSED, UNANSWERED, Sink
from .channel import ChannelMessages
from .continuity import EventContinuity
from .facts import FactReader
from .setting import AssemblySetting

_CONNECTION = method_key("ConnectionStart") >> 16  # class id

_CHANNEL_CLOSE = "channel.close"
_CONNECTION_CLOSE, _CONNECTION_CLOSE_OK = "connection.close", "connection.close-ok"
_CLOSE, _CLOSE_OK = method_key("ChannelClose"), method_key("ChannelCloseOk")

# Methods that mean more than a request or a reply.
_METHODS: Mapping[int, Callable[[ChannelMessages, Event], None]] = {
    method_key(name): take
    for name, take in {
        "ChannelOpen": ChannelMessages.open,
        "QueueDeclare": ChannelMessages.declare,
        "QueueDeclareOk": ChannelMessages.declare_ok,
        "BasicConsume": ChannelMessages.consume,
        "BasicConsumeOk": ChannelMessages.consume_ok,
        "BasicCancelOk": ChannelMessages.cancel_ok,
        "BasicPublish": ChannelMessages.publish,
        "BasicReturn": ChannelMessages.returned,
        "BasicDeliver": ChannelMessages.deliver,
        "BasicGetOk": ChannelMessages.get_ok,
        "BasicAck": ChannelMessages.ack,
        "BasicReject": ChannelMessages.reject,
        "BasicRecoverAsync": ChannelMessages.recover,  # called basic.recover in 0-8
        "BasicRecover": ChannelMessages.recover,
        "BasicNack": ChannelMessages.nack,
        "ConfirmSelect": ChannelMessages.select,
    }.items()
}


class Assembly:
    """The state of a connection. It can be pickled.

    It depends only on the events of the connection and their order. Its size is bounded.
    """

    __slots__ = ("_channels", "_continuity", "_facts", "_setting")

    def __init__(self, connection: int, sink: Sink, bodies: BodyRetention) -> None:
        self._setting = AssemblySetting(connection, "", sink, bodies)
        self._continuity = EventContinuity()
        self._facts = FactReader()
        self._channels: dict[int, ChannelMessages] = {}

    def read_by(self, package: str) -> None:
        """Read rows from here on as those of this generated package."""
        self._setting.package = package

    def add(self, event: Event) -> None:
        """Take the next event of a frame. Its frame number and offset are final."""
        connection, frame_no, direction, number, kind, row, size, offset, ns = event
        continuity = self._continuity
        expected = continuity.expected
        if offset != expected[direction] and continuity.is_broken_by(event):
            for channel_messages in self._channels.values():
                channel_messages.lose(direction)
        expected[direction] = offset + size + OVERHEAD0
        continuity.events += 1 if kind != CONTENT else event.row[3] + 2
        channel = self._channels.get(number)
        if channel is None:
            channel = self._channels[number] = ChannelMessages(self._setting)
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
                _METHODS[method](channel, named_event(opening))
                channel.contents.whole(direction, header, bodies, last_ns)
            else:
                self._take_other(channel, event)

    def finish(self) -> ConnectionFacts:
        """Write the rows of what is still open, and return the facts. No more events follow."""
        self._end(UNANSWERED)
        return self._facts.finish()

    def _take_other(self, channel: ChannelMessages, event: Event) -> None:
        kind = event.kind
        if kind >> 16 == _CONNECTION:
            self._take_control(channel, event)
        elif kind == _CLOSE:
            channel.close(event, _CHANNEL_CLOSE)
            channel.other(event)
        elif kind == _CLOSE_OK:
            channel.other(event)
            if not channel.waits_for(_CHANNEL_CLOSE):  # the other side may have closed it at the same time
                self._channels.pop(event.channel).end(CLOSED)
        else:
            channel.other(event)

    def _take_control(self, channel: ChannelMessages, event: Event) -> None:
        """Take a method of class connection."""
        method = self._setting.method(event.kind)
        if method is None or event.channel != 0:
            return
        self._facts.take(event, method.name)
        if method.name == _CONNECTION_CLOSE:
            for open_channel in self._channels.values():
                open_channel.close(event, _CONNECTION_CLOSE)
        channel.other(event)
        if method.name == _CONNECTION_CLOSE_OK and not channel.waits_for(_CONNECTION_CLOSE):
            self._end(CLOSED)

    def _end(self, outcome: str) -> None:
        for channel in self._channels.values():
            channel.end(outcome)
        self._channels.clear()
