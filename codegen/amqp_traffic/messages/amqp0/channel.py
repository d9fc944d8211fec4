"""The messages and requests of a 0-x channel, and what the channels of a connection share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ...decode.body_retention import BodyRetention
from ...decode.events import Event
from ...dialogue.amqp0.channel import ChannelDialogue, Consumer, is_direct_reply
from ...dialogue.amqp0.methods import MethodTraits, methods_of, without_ticket
from ...dialogue.amqp0.settlement import Displaced
from ...rows import column_index
from ...schemas import MESSAGES
from ..output import CLOSED, NOT_FOLLOWED, Sink
from .contents import ContentAssembly
from .firehose import TRACE_EXCHANGE, firehose_row
from .message import DELIVER, GET_OK, NONE, PUBLISH, REJECT, RETURN, MessageRecord
from .requests import Exchanges


@dataclass(slots=True)
class AssemblySetting:
    """The connection of a channel, and where its rows go.

    Attributes:
        connection: The number of the connection.
        package: The generated package that reads its frames.
        bodies: What is kept of bodies.
    """

    connection: int
    package: str
    sink: Sink
    bodies: BodyRetention

    def method(self, kind: int) -> MethodTraits | None:
        """Return the method with this class id << 16 | method id, if there is one."""
        return methods_of(self.package).get(kind)


_SERVER = 1
_EXCHANGE = column_index(MESSAGES, "exchange")


class ChannelMessages:
    """The messages and requests of a channel, from its first event on.

    Attributes:
        contents: The content under way.
    """

    __slots__ = ("_begins", "_dialogue", "_exchanges", "_setting", "contents")

    def __init__(self, setting: AssemblySetting) -> None:
        self._setting = setting
        self._begins = False  # everything since channel.open was captured
        self._dialogue: ChannelDialogue[MessageRecord] = ChannelDialogue()
        self._exchanges = Exchanges(setting.connection, setting.sink, self._dialogue.requests)
        self.contents = ContentAssembly(setting.bodies, self._over)

    @property
    def held(self) -> int:
        """Return how many messages, requests and consumers wait for something."""
        return self._dialogue.held

    def waits_for(self, name: str) -> bool:
        """True if either side waits for a reply to a method of this name."""
        return self._dialogue.requests.has(name)

    def _over(self, message: MessageRecord) -> None:
        if message.is_open or message.is_awaited:
            return
        row = message.row()
        messages = self._setting.sink.messages
        messages.append(row)
        if row[_EXCHANGE] == TRACE_EXCHANGE:
            traced = firehose_row(row)
            if traced is not None:
                messages.append(traced)

    def _give_up(self, messages: Iterable[MessageRecord], outcome: str = CLOSED) -> None:
        """Stop waiting for messages to be settled or confirmed, and write rows of the complete ones."""
        for message in messages:
            if outcome == NOT_FOLLOWED:
                message.follow_no_longer()
            message.is_awaited = False
            self._over(message)

    # --- Messages ---

    def publish(self, event: Event) -> None:
        """Take basic.publish."""
        message = self.contents.open[event.direction] = MessageRecord(event, PUBLISH, event.ns)
        confirms = self._dialogue.confirms
        if confirms.is_on:
            message.confirm, message.is_awaited = NONE, True
            self._displace(confirms.publish(message))

    def deliver(self, event: Event) -> None:
        """Take basic.deliver."""
        message = self.contents.open[event.direction] = MessageRecord(event, DELIVER, event.ns)
        row = event.row
        if row is None:
            self._await(message, None)
            return
        consumer = self._dialogue.consumers.find(row[0])
        if consumer is not None:
            message.queue, message.no_ack = consumer
        if is_direct_reply(row[3], row[4]):
            message.no_ack = True
        self._await(message, row[1])

    def get_ok(self, event: Event) -> None:
        """Take basic.get-ok."""
        message = self.contents.open[event.direction] = MessageRecord(event, GET_OK, event.ns)
        asked = self._answer(event)
        if asked is not None and asked.row is not None:
            queue, message.no_ack = asked.row[-3:-1]
            message.queue = queue or self._dialogue.queue
        row = event.row
        self._await(message, None if row is None else row[0])

    def _await(self, message: MessageRecord, tag: int | None) -> None:
        """Wait for the settlement of a delivery, which may come before its last frame was captured."""
        message.settle = NONE
        if message.no_ack or tag is None:
            return
        dialogue = self._dialogue
        if dialogue.follow(tag) is not None:
            # The channel was closed and opened again, or the server redelivers after basic.recover.
            self._give_up(dialogue.deliveries.end().values())
        message.is_awaited = True
        self._displace(dialogue.deliveries.deliver(tag, message))

    def _displace(self, displaced: Displaced | None) -> None:
        """Give up a message that another one has displaced."""
        if displaced is not None:
            self._give_up((displaced.message,), NOT_FOLLOWED if displaced.is_for_room else CLOSED)

    def returned(self, event: Event) -> None:
        """Take basic.return."""
        self.contents.open[event.direction] = MessageRecord(event, RETURN, event.ns)

    def settle(self, event: Event, outcome: str) -> None:
        """Take basic.ack or basic.nack, from either side, or basic.reject."""
        if event.row is None or event.row[0] is None:
            return
        tag, multiple = event.row[0], outcome != REJECT and event.row[1]
        if event.direction == _SERVER:
            messages = self._dialogue.confirms.settle(tag, multiple).values()
            for message in messages:
                message.confirm, message.confirm_ns = outcome, event.ns
        else:
            messages = self._dialogue.deliveries.settle(tag, multiple).values()
            for message in messages:
                message.settle, message.settle_ns = outcome, event.ns
        self._give_up(messages)

    def recover(self, event: Event) -> None:
        """Take basic.recover or recover-async: the server sends unsettled messages again, as new deliveries."""
        self._give_up(self._dialogue.deliveries.end().values())
        self.other(event)

    # --- Queues and consumers ---

    def declare_ok(self, event: Event) -> None:
        """Take queue.declare-ok, which names the queue."""
        self._answer(event)
        if event.row is not None:
            self._dialogue.queue = event.row[0]

    def declare(self, event: Event) -> None:
        """Take queue.declare. Without a reply, its queue is the last one declared."""
        self.other(event)
        method, row = self._setting.method(event.kind), event.row
        if row is not None and method is not None and not method.wants_reply(row):
            self._dialogue.declare(without_ticket(row)[0], wants_reply=False)

    def consume(self, event: Event) -> None:
        """Take basic.consume."""
        self.other(event)
        if event.row is not None:
            self._dialogue.consume(without_ticket(event.row)[1], _consumer(event.row))

    def consume_ok(self, event: Event) -> None:
        """Take basic.consume-ok, which names the consumer."""
        asked = self._answer(event)
        if asked is not None and asked.row is not None and event.row is not None:
            self._dialogue.begin(event.row[0], _consumer(asked.row))

    def cancel_ok(self, event: Event) -> None:
        """Take basic.cancel-ok: no more deliveries go to the consumer."""
        self._answer(event)
        if event.row is not None:
            self._dialogue.consumers.end(event.row[0])

    def select(self, event: Event) -> None:
        """Take confirm.select."""
        self._dialogue.confirms.select()
        self.other(event)

    # --- Requests ---

    def other(self, event: Event) -> None:
        """Take any method, as a request or a reply."""
        method = self._setting.method(event.kind)
        if method is None:
            return
        if method.is_reply:
            self._answer(event)
        if method.wants_reply(event.row):
            self._exchanges.ask(event, method.name, method.replies)

    def _answer(self, event: Event) -> Event | None:
        method = self._setting.method(event.kind)
        return self._exchanges.answer(event, method.name if method is not None and self._begins else None)

    # --- Beginning and end ---

    def open(self, event: Event) -> None:
        """Take channel.open. It ends all earlier state."""
        self.end(CLOSED)
        self._begins = True
        self.other(event)

    def close(self, event: Event, name: str) -> None:
        """Take channel.close or connection.close, as ``name`` says: the other side has no effect any more."""
        self._exchanges.close(event, name)
        self._give_up(self._dialogue.deliveries.end().values())
        if event.direction == _SERVER:
            self._give_up(self._dialogue.confirms.end().values())

    def lose(self, direction: int) -> None:
        """Note that frames of this direction are missing."""
        self._begins = False
        self.contents.end(direction)
        self._dialogue.requests.lose(1 - direction)
        if direction != _SERVER:
            self._dialogue.confirms.lose_count()

    def end(self, outcome: str) -> None:
        """End all messages and requests under way.

        Args:
            outcome: The outcome of requests without a reply, and of messages if it is ``NOT_FOLLOWED``.
        """
        for direction in (0, 1):
            self.contents.end(direction)
        dialogue = self._dialogue
        self._give_up(dialogue.deliveries.end().values(), outcome)
        self._give_up(dialogue.confirms.end().values(), outcome)
        self._exchanges.end(outcome)
        dialogue.consumers.clear()
        dialogue.queue = None
        self._begins = False


def _consumer(row: tuple[Any, ...]) -> Consumer:
    """Return the consumer of a row of basic.consume."""
    queue, _, _, no_ack = without_ticket(row)[:4]
    return Consumer(queue, no_ack)
