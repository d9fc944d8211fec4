"""A channel of a 0-x connection: what its methods mean for messages and requests."""

from __future__ import annotations

from typing import Any

from ..event import Event
from . import requests
from .confirms import Confirms
from .contents0 import Contents0
from .deliveries import Deliveries
from .firehose import TRACE_EXCHANGE, firehose_row
from .message0 import DELIVER, GET_OK, PUBLISH, RETURN, Message0
from .methods0 import without_ticket
from .requests import Requests
from .setting0 import Setting0

_SERVER = 1
_EXCHANGE = 6  # its place among the columns of a message
_ACK, _NACK, _REJECT = "ack", "nack", "reject"
_MOST_CONSUMERS = 65_536


class Channel0:
    """A channel, from its first event on.

    Attributes:
        contents: The content that is under way.
        requests: What has no reply yet.
    """

    __slots__ = (
        "_begins",
        "_confirms",
        "_consumers",
        "_declared",
        "_deliveries",
        "_setting",
        "contents",
        "requests",
    )

    def __init__(self, setting: Setting0) -> None:
        """A channel on which nothing was said.

        Args:
            setting: That of the connection.
        """
        self._setting = setting
        self._begins = False  # all was captured since it was opened
        self._declared: str | None = None  # the queue that is meant where none is named
        self._consumers: dict[str, tuple[str | None, bool]] = {}
        self._confirms = Confirms(self._over)
        self._deliveries = Deliveries(self._over)
        self.contents = Contents0(setting.bodies, self._over)
        self.requests = Requests(setting.connection, setting.sink)

    def _over(self, message: Message0) -> None:
        if message.is_open or message.is_awaited:
            return
        row = message.row()
        messages = self._setting.sink.messages
        messages.append(row)
        if row[_EXCHANGE] == TRACE_EXCHANGE:
            told_of = firehose_row(row)
            if told_of is not None:
                messages.append(told_of)

    # --- Messages ---

    def publish(self, event: Event) -> None:
        """Basic.publish."""
        message = self.contents.open[event[2]] = Message0(event, PUBLISH)
        self._confirms.add(message)

    def deliver(self, event: Event) -> None:
        """Basic.deliver."""
        message = self.contents.open[event[2]] = Message0(event, DELIVER)
        row = event[5]
        if row is None:
            self._deliveries.add(message, None)
            return
        consumer = self._consumers.get(row[0])
        if consumer is not None:
            message.queue, message.no_ack = consumer
        self._deliveries.add(message, row[1])

    def get_ok(self, event: Event) -> None:
        """Basic.get-ok."""
        message = self.contents.open[event[2]] = Message0(event, GET_OK)
        asked = self._answer(event)
        if asked is not None and asked[5] is not None:
            queue, message.no_ack = asked[5][-3:-1]
            message.queue = queue or self._declared
        row = event[5]
        self._deliveries.add(message, None if row is None else row[0])

    def returned(self, event: Event) -> None:
        """Basic.return."""
        self.contents.open[event[2]] = Message0(event, RETURN)

    def ack(self, event: Event) -> None:
        """Basic.ack, from either side."""
        row = event[5]
        if row is not None:
            self._settle(event, row[0], row[1], _ACK)

    def nack(self, event: Event) -> None:
        """Basic.nack, from either side."""
        row = event[5]
        if row is not None:
            self._settle(event, row[0], row[1], _NACK)

    def reject(self, event: Event) -> None:
        """Basic.reject."""
        row = event[5]
        if row is not None:
            self._settle(event, row[0], False, _REJECT)

    def _settle(self, event: Event, tag: int | None, multiple: bool, outcome: str) -> None:
        messages = self._confirms if event[2] == _SERVER else self._deliveries
        messages.settle(tag, multiple, outcome, event[8])

    def recover(self, event: Event) -> None:
        """Basic.recover and basic.recover-async: the server sends again what is not settled, as other deliveries."""
        self._deliveries.end()
        self.other(event)

    # --- Queues and consumers ---

    def declare_ok(self, event: Event) -> None:
        """Queue.declare-ok: says how the queue is called."""
        self._answer(event)
        if event[5] is not None:
            self._declared = event[5][0]

    def declare(self, event: Event) -> None:
        """Queue.declare; of interest here if nobody answers it."""
        self.other(event)
        method, row = self._setting.method(event[4]), event[5]
        if row is not None and method is not None and not method.wants_reply(row):
            self._declared = without_ticket(row)[0] or None

    def consume(self, event: Event) -> None:
        """Basic.consume."""
        self.other(event)
        if event[5] is not None:
            self._add_consumer(without_ticket(event[5])[1], event[5])

    def consume_ok(self, event: Event) -> None:
        """Basic.consume-ok: says how the consumer is called."""
        asked = self._answer(event)
        if asked is not None and asked[5] is not None and event[5] is not None:
            self._add_consumer(event[5][0], asked[5])

    def _add_consumer(self, tag: str, row: tuple[Any, ...]) -> None:
        queue, _, _, no_ack = without_ticket(row)[:4]
        if tag:
            self._consumers.pop(tag, None)
            self._consumers[tag] = queue or self._declared, no_ack
            if len(self._consumers) > _MOST_CONSUMERS:
                del self._consumers[next(iter(self._consumers))]

    def cancel_ok(self, event: Event) -> None:
        """Basic.cancel-ok: nothing is delivered to the consumer any more."""
        self._answer(event)
        if event[5] is not None:
            self._consumers.pop(event[5][0], None)

    def select(self, event: Event) -> None:
        """Confirm.select."""
        self._confirms.select()
        self.other(event)

    # --- Requests ---

    def other(self, event: Event) -> None:
        """Any method that may be a request or a reply."""
        method = self._setting.method(event[4])
        if method is None:
            return
        if method.is_reply:
            self._answer(event)
        if method.wants_reply(event[5]):
            self.requests.ask(event, method.name, method.replies)

    def _answer(self, event: Event) -> Event | None:
        method = self._setting.method(event[4])
        return self.requests.answer(event, method.name if method is not None and self._begins else None)

    # --- Beginning and end ---

    def open(self, event: Event) -> None:
        """Channel.open: whatever was before is over."""
        self.end(requests.CLOSED)
        self._begins = True
        self.other(event)

    def close(self, event: Event, name: str) -> None:
        """Channel.close or connection.close, as the name says: what the other side still sends has no effect."""
        self.requests.close(event, name)
        self._deliveries.end()
        if event[2] == _SERVER:
            self._confirms.end()

    def lose(self, direction: int) -> None:
        """Frames of that direction are missing."""
        self._begins = False
        self.contents.end(direction)
        self.requests.lose(direction)
        if direction != _SERVER:
            self._confirms.lose_count()

    def end(self, outcome: str) -> None:
        """Nothing more comes of what is under way.

        Args:
            outcome: Of requests that have no reply.
        """
        for direction in (0, 1):
            self.contents.end(direction)
        self._deliveries.end()
        self._confirms.end()
        self.requests.end(outcome)
        self._consumers.clear()
        self._declared = None
        self._begins = False
