"""Assembly of the events of a 0-x connection: messages, requests with replies, facts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from ...capture.stream_data import SIDES
from ...decode.body_retention import BodyRetention
from ...decode.events import BODY, CONTENT, HEADER, Event, named_event
from ...frames.amqp0.frame_format import method_key
from ...frames.formats import OVERHEAD0
from ...variant_values import repeated_variant_value
from ..held import CHANNEL_WEIGHT, HeldItems
from ..output import CLOSED, NOT_FOLLOWED, UNANSWERED, ConnectionFacts, Sink
from .channel import AssemblySetting, ChannelMessages
from .message import ACK, NACK, REJECT


class EventContinuity:
    """The offsets at which the next frames should begin, to detect missing frames.

    Heartbeats and protocol headers, of eight octets each, make no events. Frame numbers tell how many there are. Any
    other gap in a stream means that octets were lost or were not frames.

    Attributes:
        expected: The offset by direction; -1 before the first event.
        events: The number of frames with an event so far.
    """

    __slots__ = ("_quiet", "events", "expected")

    def __init__(self) -> None:
        self.expected = [-1, -1]
        self.events = 0
        self._quiet = 0

    def is_broken_by(self, event: Event) -> bool:
        """True if frames are missing before an event that does not begin at the expected offset."""
        _, frame_no, direction, _, _, _, _, offset, _ = event
        expected = self.expected[direction]
        if expected < 0:
            self._quiet += offset == OVERHEAD0  # the protocol header
            return False
        quiet, rest = divmod(offset - expected, OVERHEAD0)
        self._quiet += quiet
        if rest or quiet < 0 or self._quiet > frame_no - self.events:
            self._quiet = frame_no - self.events
            return True
        return False


# The methods that state facts about the connection.
FACTS = frozenset(
    f"connection.{name}" for name in ("start", "start-ok", "tune", "tune-ok", "open", "close", "close-ok")
)


class FactReader:
    """The facts so far. The first statement of a fact counts."""

    __slots__ = ("_found",)

    def __init__(self) -> None:
        self._found: dict[str, Any] = {}

    def take(self, event: Event, name: str) -> None:
        """Take the facts in a method."""
        direction, row = event.direction, event.row
        if row is None:
            return
        if name == "connection.start":
            self._add_properties(row[2], "server_", ("product", "version"))
        elif name == "connection.start-ok":
            self._add_properties(row[0], "", ("product", "version", "platform", "connection_name"))
        elif name in ("connection.tune", "connection.tune-ok"):
            side = "server_" if name == "connection.tune" else "client_"
            limits = zip(("channel_max", "frame_max", "heartbeat"), row, strict=False)
            self._add((side + limit, value) for limit, value in limits)
        elif name == "connection.open":
            self._add([("vhost", row[0])])
        elif name == "connection.close" and "close_by" not in self._found:
            self._add([("close_code", row[0]), ("close_text", row[1]), ("close_by", SIDES[direction])])
        elif name == "connection.close-ok":
            self._add([("is_closed", True)])

    def finish(self) -> ConnectionFacts:
        """Return all facts."""
        return ConnectionFacts(**self._found)

    def _add_properties(self, variant: Any, prefix: str, names: Iterable[str]) -> None:
        side = prefix or "client_"
        if variant is None or side + "properties" in self._found:
            return
        properties = repeated_variant_value(variant)
        self._found[side + "properties"] = variant
        if isinstance(properties, dict):
            texts = ((prefix + name, properties.get(name)) for name in names)
            self._add((name, text) for name, text in texts if isinstance(text, str))

    def _add(self, facts: Iterable[tuple[str, Any]]) -> None:
        for name, value in facts:
            self._found.setdefault(name, value)


_CONNECTION = method_key("ConnectionStart") >> 16  # class id

_CHANNEL_CLOSE = "channel.close"
_CONNECTION_CLOSE, _CONNECTION_CLOSE_OK = "connection.close", "connection.close-ok"
_CLOSE, _CLOSE_OK = method_key("ChannelClose"), method_key("ChannelCloseOk")

# Methods that mean more than a request or a reply.
_BY_NAME: Mapping[str, Callable[[ChannelMessages, Event], None]] = {
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
    "BasicAck": partial(ChannelMessages.settle, outcome=ACK),
    "BasicReject": partial(ChannelMessages.settle, outcome=REJECT),
    "BasicRecoverAsync": ChannelMessages.recover,  # called basic.recover in 0-8
    "BasicRecover": ChannelMessages.recover,
    "BasicNack": partial(ChannelMessages.settle, outcome=NACK),
    "ConfirmSelect": ChannelMessages.select,
}
_METHODS = {method_key(name): take for name, take in _BY_NAME.items()}


class Assembly:
    """The state of a connection, which may be part of a checkpoint.

    It depends only on the events of the connection and their order. Its size is bounded.
    """

    __slots__ = ("_channels", "_continuity", "_facts", "_held", "_setting")

    def __init__(self, connection: int, sink: Sink, bodies: BodyRetention) -> None:
        self._setting = AssemblySetting(connection, "", sink, bodies)
        self._continuity = EventContinuity()
        self._facts = FactReader()
        self._channels: dict[int, ChannelMessages] = {}
        self._held = HeldItems(sink.held)

    def read_by(self, package: str) -> None:
        """Read rows from here on as those of this generated package."""
        self._setting.package = package

    def add(self, event: Event) -> None:
        """Take the next event of a frame. Its frame number and offset are final."""
        connection, frame_no, direction, number, kind, row, size, offset, ns = event
        continuity = self._continuity
        if continuity.events >= self._held.next_look and (kind >= 0 or kind == CONTENT):
            self._look(event)
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
        self._held.clear()
        return self._facts.finish()

    def _look(self, event: Event) -> None:
        """Count what is held before the event of a method, and forget it if it is too much."""
        count = sum(channel.held + CHANNEL_WEIGHT for channel in self._channels.values())
        if self._held.is_too_much(count, self._continuity.events):
            self._end(NOT_FOLLOWED)
            self._held.clear()
            self._setting.sink.note_forgotten(event)

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
