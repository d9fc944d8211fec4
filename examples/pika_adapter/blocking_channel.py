"""``BlockingChannel``: requests that wait for their replies, consumers, and the events that wait to be called back for."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Concatenate, NamedTuple, ParamSpec, TypeAlias
from uuid import uuid4

import amqp_0_9_1_rabbitmq as amqp
from amqp_0_9_1_rabbitmq import methods
from amqp_0_9_1_rabbitmq.client import connection as engine
from amqp_0_9_1_rabbitmq.client.connection import ChannelState

from . import errors

if TYPE_CHECKING:
    from .blocking_connection import BlockingConnection

Arguments: TypeAlias = Mapping[str, Any] | None
Content: TypeAlias = tuple[Any, Any, Any]  # method, properties, body; three times None for nothing
OnMessage: TypeAlias = Callable[["BlockingChannel", Any, Any, bytes], object]
Fields = ParamSpec("Fields")
Pending: TypeAlias = engine.Delivered | engine.Returned | engine.ConsumerCancelled


class MethodFrame(NamedTuple):
    """A method of the broker, and its channel."""

    channel_number: int
    method: Any


class ReturnedMessage(NamedTuple):
    """A message that came back, with basic.return."""

    method: Any
    properties: Any
    body: bytes


@dataclass
class Consumer:
    """Whom a delivery is for, and where it waits until then."""

    callback: OnMessage
    auto_ack: bool
    pending_events: deque[Pending]
    is_cancelled: bool = False  # by the broker


@dataclass
class QueueConsumer:
    """What ``consume`` was called with, and what it has not handed out yet."""

    parameters: tuple[str, bool, bool]
    consumer_tag: str = ""
    pending_events: deque[Pending] = field(default_factory=deque)


def _request(
    kind: Callable[Fields, methods.Method],
) -> Callable[Concatenate[BlockingChannel, Fields], MethodFrame]:
    """Return a function of a channel that sends a method with these arguments, and returns the answer."""

    def request(self: BlockingChannel, /, *args: Fields.args, **kwargs: Fields.kwargs) -> MethodFrame:
        return self._call(kind(*args, **kwargs))

    return request


class BlockingChannel:
    """A channel whose functions return when the broker has answered."""

    def __init__(self, connection: BlockingConnection, number: int) -> None:
        self.connection = connection
        self.channel_number = number
        self._engine = connection.engine
        self._state = self._engine.channel(number)
        self._closing_reason: Exception | None = None
        self._consumer_infos: dict[str, Consumer] = {}
        self._queue_consumer_generator: QueueConsumer | None = None
        self._pending_events: deque[Pending] = deque()
        self._on_return: list[OnMessage] = []
        self._on_cancel: list[Callable[[MethodFrame], object]] = []
        self._confirmed: dict[int, bool] = {}  # numbers that publish has not looked at yet
        self._returned: list[ReturnedMessage] = []  # since the last publish

    # --- what comes ---

    def take(self, event: engine.Event) -> None:
        """Take an event of this channel; nothing is called back."""
        match event:
            case engine.Confirmed(_, numbers, positive):
                self._confirmed.update(dict.fromkeys(numbers, positive))
            case engine.Delivered(_, tag):
                self._consumer_infos[tag].pending_events.append(event)
            case engine.ConsumerCancelled(_, tag) if tag in self._consumer_infos:
                self._consumer_infos[tag].is_cancelled = True
                self._consumer_infos[tag].pending_events.append(event)
            case engine.Returned(_, message):
                self._returned.append(ReturnedMessage(*_content(message)))
                if self._on_return:
                    self._pending_events.append(event)
            case engine.ChannelClosed(_, error, by_peer):
                if by_peer and isinstance(error, amqp.errors.CloseError):
                    self._closing_reason = errors.ChannelClosedByBroker(error.reply_code, error.reply_text)
                elif error is not None:
                    self._closing_reason = errors.AMQPChannelError(str(error))
                self._consumer_infos.clear()
                self._pending_events.clear()
                self._queue_consumer_generator = None

    def call_back(self) -> None:
        """Call back for what waits."""
        while self._pending_events:
            match self._pending_events.popleft():
                case engine.Delivered(_, tag, _, message):
                    self._consumer_infos[tag].callback(self, *_content(message))
                case engine.Returned(_, message):
                    for on_return in self._on_return:
                        on_return(self, *_content(message))
                case engine.ConsumerCancelled(_, tag):
                    del self._consumer_infos[tag]
                    for on_cancel in self._on_cancel:
                        on_cancel(MethodFrame(self.channel_number, methods.BasicCancel(tag)))

    # --- requests ---

    def _must_be_open(self) -> None:
        if not self.is_open:
            raise errors.ChannelWrongStateError("the channel is closed")

    def raise_if_refused(self) -> None:
        """Raise the reason for which the channel was closed, unless we closed it."""
        if self._closing_reason is not None:
            raise self._closing_reason

    def _ask(self, method: Any) -> engine.Reply:
        self._must_be_open()
        try:
            request = self._engine.request(self.channel_number, method)
        except amqp.EncodeError as error:
            raise TypeError(str(error)) from error
        reply = self.connection.answer(request)
        if reply is None:
            self.raise_if_refused()
            raise errors.ChannelWrongStateError("the channel was closed")
        return reply

    def _call(self, method: Any) -> MethodFrame:
        return MethodFrame(self.channel_number, self._ask(method).method)

    def _settle(self, command: Callable[..., object], delivery_tag: int, **how: bool) -> None:
        self._must_be_open()
        command(self.channel_number, delivery_tag, **how)
        self.connection.wait(lambda: True)

    @property
    def is_open(self) -> bool:
        """Whether it can be used."""
        return self.connection.is_open and self._state.state is ChannelState.OPEN

    @property
    def is_closed(self) -> bool:
        """Whether it is over."""
        return self._state.state is ChannelState.CLOSED

    @property
    def consumer_tags(self) -> list[str]:
        """The tags of the consumers that are not cancelled."""
        return [tag for tag, consumer in self._consumer_infos.items() if not consumer.is_cancelled]

    def close(self, reply_code: int = 0, reply_text: str = "Normal shutdown") -> None:
        """Close the channel; the broker takes back what is not settled."""
        self._must_be_open()
        self._engine.close_channel(self.channel_number, reply_code, reply_text)
        self.connection.wait(lambda: self.is_closed)
        self.raise_if_refused()

    def __enter__(self) -> BlockingChannel:
        return self

    def __exit__(self, *_: object) -> None:
        if self.is_open:
            self.close()

    def flow(self, active: bool) -> bool:
        """Let the broker deliver, or not; return what it answers."""
        return bool(self._call(methods.ChannelFlow(active)).method.active)

    exchange_delete = _request(methods.ExchangeDelete)
    exchange_bind = _request(methods.ExchangeBind)
    exchange_unbind = _request(methods.ExchangeUnbind)
    queue_declare = _request(methods.QueueDeclare)
    queue_delete = _request(methods.QueueDelete)
    queue_purge = _request(methods.QueuePurge)
    basic_qos = _request(methods.BasicQos)
    basic_recover = _request(methods.BasicRecover)
    tx_select = _request(methods.TxSelect)
    tx_commit = _request(methods.TxCommit)
    tx_rollback = _request(methods.TxRollback)

    def exchange_declare(
        self,
        exchange: str,
        exchange_type: str = "direct",
        passive: bool = False,
        durable: bool = False,
        auto_delete: bool = False,
        internal: bool = False,
        arguments: Arguments = None,
    ) -> MethodFrame:
        """Declare an exchange; with ``passive``, look whether it is there."""
        flags = passive, durable, auto_delete, internal
        method = methods.ExchangeDeclare(exchange, str(exchange_type), *flags, arguments=arguments)
        return self._call(method)

    def queue_bind(
        self, queue: str, exchange: str, routing_key: str | None = None, arguments: Arguments = None
    ) -> MethodFrame:
        """Bind a queue to an exchange, by its name unless there is a routing key."""
        key = queue if routing_key is None else routing_key
        return self._call(methods.QueueBind(queue, exchange, key, arguments=arguments))

    def queue_unbind(
        self, queue: str, exchange: str, routing_key: str | None = None, arguments: Arguments = None
    ) -> MethodFrame:
        """Take such a binding away."""
        key = queue if routing_key is None else routing_key
        return self._call(methods.QueueUnbind(queue, exchange, key, arguments=arguments))

    # --- messages ---

    def confirm_delivery(self) -> None:
        """From now on ``basic_publish`` returns when the broker has taken the message."""
        self._call(methods.ConfirmSelect())

    def add_on_return_callback(self, callback: OnMessage) -> None:
        """Call back for messages that come back."""
        self._on_return.append(callback)

    def basic_publish(
        self,
        exchange: str,
        routing_key: str,
        body: bytes | str,
        properties: amqp.BasicProperties | None = None,
        mandatory: bool = False,
    ) -> None:
        """Publish a message; UnroutableError or NackError if confirms are on and the broker does not take it."""
        self._must_be_open()
        self._returned.clear()
        octets = body.encode() if isinstance(body, str) else body
        method = methods.BasicPublish(exchange, routing_key, mandatory)
        number = self._engine.publish(self.channel_number, method, properties, octets)
        self.connection.wait(lambda: number is None or number in self._confirmed or self.is_closed)
        if number is None:
            return
        self.raise_if_refused()
        if not self._confirmed.pop(number):
            raise errors.NackError(list(self._returned))
        if self._returned:
            raise errors.UnroutableError(list(self._returned))

    def basic_get(self, queue: str, auto_ack: bool = False) -> Content:
        """Fetch a message; three times None if the queue is empty."""
        message = self._ask(methods.BasicGet(queue, auto_ack)).message
        return (None, None, None) if message is None else _content(message)

    def basic_ack(self, delivery_tag: int = 0, multiple: bool = False) -> None:
        self._settle(self._engine.ack, delivery_tag, multiple=multiple)

    def basic_nack(self, delivery_tag: int = 0, multiple: bool = False, requeue: bool = True) -> None:
        self._settle(self._engine.nack, delivery_tag, multiple=multiple, requeue=requeue)

    def basic_reject(self, delivery_tag: int = 0, requeue: bool = True) -> None:
        self._settle(self._engine.reject, delivery_tag, requeue=requeue)

    # --- consumers ---

    def add_on_cancel_callback(self, callback: Callable[[MethodFrame], object]) -> None:
        """Call back when the broker cancels a consumer."""
        self._on_cancel.append(callback)

    def basic_consume(
        self,
        queue: str,
        on_message_callback: OnMessage,
        auto_ack: bool = False,
        exclusive: bool = False,
        consumer_tag: str | None = None,
        arguments: Arguments = None,
    ) -> str:
        """Call back for each message of a queue; return the tag of the consumer."""
        consumer = Consumer(on_message_callback, auto_ack, self._pending_events)
        return self._consume(consumer, queue, exclusive, consumer_tag, arguments)

    def _consume(
        self, consumer: Consumer, queue: str, exclusive: bool, consumer_tag: str | None, arguments: Arguments
    ) -> str:
        # A tag of our own: deliveries may come with the reply.
        tag = consumer_tag or f"ctag{self.channel_number}.{uuid4().hex}"
        if tag in self._consumer_infos:
            raise errors.DuplicateConsumerTag(tag)
        self._consumer_infos[tag] = consumer
        try:
            self._call(
                methods.BasicConsume(
                    queue, tag, no_ack=consumer.auto_ack, exclusive=exclusive, arguments=arguments
                )
            )
        except Exception:
            self._consumer_infos.pop(tag, None)
            raise
        return tag

    def basic_cancel(self, consumer_tag: str) -> list[Content]:
        """Cancel a consumer. What it has not got yet goes back to the queue; with ``auto_ack`` it is returned."""
        consumer = self._consumer_infos.get(consumer_tag)
        if consumer is None:
            return []
        if not consumer.is_cancelled:
            self._call(methods.BasicCancel(consumer_tag))
        waiting = [
            event for event in consumer.pending_events if getattr(event, "consumer_tag", "") == consumer_tag
        ]
        for event in waiting:
            consumer.pending_events.remove(event)
        self._consumer_infos.pop(consumer_tag, None)
        deliveries = [event for event in waiting if isinstance(event, engine.Delivered)]
        if consumer.auto_ack:
            return [_content(event.message) for event in deliveries]
        for event in deliveries:
            self.basic_nack(event.delivery_tag)
        return []

    def start_consuming(self) -> None:
        """Call back until no consumer is left."""
        with self.connection.dispatching() as may_call:
            if not may_call:
                raise errors.ReentrancyError("a callback cannot wait for callbacks")
        while self._consumer_infos:
            self._process_data_events(None)

    def stop_consuming(self, consumer_tag: str | None = None) -> None:
        """Cancel one consumer, or all."""
        for tag in list(self._consumer_infos) if consumer_tag is None else [consumer_tag]:
            self.basic_cancel(tag)

    def _process_data_events(self, time_limit: float | None) -> None:
        self.connection.process_data_events(time_limit)
        self.raise_if_refused()

    def consume(
        self,
        queue: str,
        auto_ack: bool = False,
        exclusive: bool = False,
        arguments: Arguments = None,
        inactivity_timeout: float | None = None,
    ) -> Iterator[Content]:
        """Give the messages of a queue until ``cancel``; three times None if none comes in time."""
        generator = self._queue_consumer_generator
        if generator is None:
            generator = QueueConsumer((queue, auto_ack, exclusive))
            consumer = Consumer(lambda *_: None, auto_ack, generator.pending_events)
            self._queue_consumer_generator = generator
            try:
                generator.consumer_tag = self._consume(consumer, queue, exclusive, None, arguments)
            except Exception:
                self._queue_consumer_generator = None
                raise
        elif generator.parameters != (queue, auto_ack, exclusive):
            raise ValueError("there is a generator with other parameters; cancel it before")
        while self._queue_consumer_generator is generator:
            self._await_event(generator, inactivity_timeout)
            match generator.pending_events.popleft() if generator.pending_events else None:
                case engine.Delivered(_, _, _, message):
                    yield _content(message)
                case engine.ConsumerCancelled(_, tag):
                    del self._consumer_infos[tag]
                    self._queue_consumer_generator = None
                case None if self._queue_consumer_generator is generator:
                    yield (None, None, None)

    def _await_event(self, generator: QueueConsumer, timeout: float | None) -> None:
        """Wait until there is something to give, the generator is cancelled, or the time is over."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while self._queue_consumer_generator is generator and not generator.pending_events:
            rest = None if deadline is None else deadline - time.monotonic()
            if rest is not None and rest <= 0:
                return
            self._process_data_events(rest)

    def get_waiting_message_count(self) -> int:
        """Return how many messages ``consume`` can give at once."""
        generator = self._queue_consumer_generator
        events = generator.pending_events if generator else ()
        return sum(isinstance(event, engine.Delivered) for event in events)

    def cancel(self) -> int:
        """End ``consume``; return how many messages it has not given, which go back to the queue."""
        waiting, generator = self.get_waiting_message_count(), self._queue_consumer_generator
        self._queue_consumer_generator = None
        if generator is not None:
            self.basic_cancel(generator.consumer_tag)
        return waiting


def _content(message: amqp.Message) -> Content:
    return message.method, message.properties, message.body
