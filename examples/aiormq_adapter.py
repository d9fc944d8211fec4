"""Lets aiormq, and aio-pika on top of it, run on the engine of a generated package.

    import aiormq_adapter

    aiormq_adapter.install()

Connections and channels keep the public interface of aiormq's, and inherit what is on top of the protocol: URLs, TLS, the calls
that make requests, tasks. The engine takes the place of the rest: octets, handshake, replies, contents, confirms, heartbeats,
closes. Methods and properties remain those of ``aiormq.spec``, which is pamqp. ``install`` refuses other versions than aiormq 7.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from importlib.metadata import version
from typing import Any
from uuid import uuid4

import aiormq.channel
import aiormq.connection
import amqp_0_9_1_rabbitmq as amqp
from aiormq import exceptions, spec
from aiormq.abc import DeliveredMessage
from aiormq.tools import Countdown, awaitable
from amqp_0_9_1_rabbitmq.client import connection as engine
from amqp_0_9_1_rabbitmq.errors import CloseError
from asyncio_driver import Driver
from pamqp.commands import INDEX_MAPPING
from pamqp.header import ContentHeader

LAST_SECOND = 0xFFFFFFFF  # of the year 2106; pamqp takes a larger timestamp for milliseconds
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def from_pamqp(frame: Any) -> Any:
    """Return a request of pamqp as a method of the package."""
    return amqp.METHODS[frame.index](**{name: value for name, value in frame if name != "ticket"})


def to_pamqp(found: Any, kind: Any = None) -> Any:
    """Return a method or properties of the package as pamqp's, without pamqp's checks: a broker has sent them."""
    kind = kind or INDEX_MAPPING[found.KEY]
    made = kind.__new__(kind)
    for name in kind.__slots__:
        setattr(made, name, getattr(found, name, None))
    return made


def properties_from_pamqp(properties: Any) -> amqp.BasicProperties:
    found = amqp.BasicProperties(**{name: value for name, value in properties if value not in (None, "")})
    timestamp: Any = found.timestamp
    if isinstance(timestamp, datetime) and timestamp.tzinfo is None:
        found.timestamp = timestamp.replace(tzinfo=UTC)
    return found


def properties_to_pamqp(header: amqp.ContentHeader) -> Any:
    """Return the properties of a message; none if they cannot be read: one message ends no connection."""
    try:
        found = to_pamqp(header.properties, spec.Basic.Properties)
    except amqp.DecodeError:
        return spec.Basic.Properties()
    if found.timestamp is not None:
        found.timestamp = moment(found.timestamp)
    if found.headers:
        found.headers = with_datetimes(found.headers)
    return found


def with_datetimes(value: Any) -> Any:
    """Return a value of a table with a ``datetime`` for each timestamp in it."""
    kind = type(value)
    if kind is dict:
        return {key: with_datetimes(item) for key, item in value.items()}
    if kind is list:
        return [with_datetimes(item) for item in value]
    return moment(value) if kind is amqp.Timestamp else value


def moment(timestamp: int) -> Any:
    """Return the ``datetime`` of a timestamp, as pamqp reads it; the number if there is none."""
    unit = timedelta(milliseconds=1) if timestamp > LAST_SECOND else timedelta(seconds=1)
    try:
        return EPOCH + int(timestamp) * unit
    except OverflowError:
        return int(timestamp)


class Channel(aiormq.channel.Channel):
    """A channel of the engine, with its consumers and what waits for confirms."""

    async def open(self, timeout: float | None = None) -> Any:
        countdown = Countdown(timeout)
        try:
            await countdown(self.connection.wait_for((self.number, 0)))
            if self.publisher_confirms:
                await self.rpc(spec.Confirm.Select(), timeout=countdown.get_timeout())
        except BaseException:
            await self.close()
            raise
        return spec.Channel.OpenOk()

    async def _reader(self) -> None:
        """End the tasks of the channel with it; aiormq starts this as a task."""
        with suppress(asyncio.CancelledError):
            await asyncio.wait([self._closing])
            await self._cancel_tasks(self._closing.exception())

    async def _on_close(self, exc: Any = None) -> None:
        with suppress(engine.LocalError):  # it is closed already
            self.connection.commands.close_channel(self.number)
            await asyncio.wait([self._closing])

    def end(self, error: Exception) -> None:
        """Take that the engine has closed the channel."""
        self._close_exception = error
        if not self._closing.done():
            self._closing.set_exception(error)

    def command(self, name: str, *arguments: Any, **options: Any) -> Any:
        """Give a command to the engine."""
        if self.is_closed:
            raise exceptions.ChannelInvalidStateError(f"{self!r} closed")
        try:
            return getattr(self.connection.commands, name)(self.number, *arguments, **options)
        except engine.LocalError as error:
            raise exceptions.ChannelInvalidStateError(str(error)) from error

    async def call(self, frame: Any, timeout: float | None) -> engine.Reply | None:
        """Send a request, and return its reply, if there is one."""
        method = from_pamqp(frame)
        if not method.expects_reply:
            self.command("send", method)
            return None
        request = self.command("request", method)
        reply: engine.Reply = await Countdown(timeout)(self.connection.wait_for(request.number))
        return reply

    async def rpc(self, frame: Any, timeout: float | None = None) -> Any:
        reply = await self.call(frame, timeout)
        if isinstance(frame, spec.Basic.Cancel):
            self.consumers.pop(frame.consumer_tag, None)
        return None if reply is None else to_pamqp(reply.method)

    async def basic_get(self, queue: str = "", no_ack: bool = False, timeout: float | None = None) -> Any:
        reply = await self.call(spec.Basic.Get(queue=queue, no_ack=no_ack), timeout)
        assert reply is not None
        if reply.message is None:
            return DeliveredMessage(to_pamqp(reply.method), ContentHeader(), b"", self)
        return self.delivered(reply.message)

    def delivered(self, message: Any) -> DeliveredMessage:
        header = ContentHeader(0, message.header.body_size, properties_to_pamqp(message.header))
        return DeliveredMessage(to_pamqp(message.method), header, message.body, self)

    async def basic_ack(self, delivery_tag: int, multiple: bool = False, wait: bool = True) -> None:
        self.command("ack", delivery_tag, multiple=multiple)

    async def basic_nack(
        self, delivery_tag: int, multiple: bool = False, requeue: bool = True, wait: bool = True
    ) -> None:
        self.command("nack", delivery_tag, multiple=multiple, requeue=requeue)

    async def basic_reject(self, delivery_tag: int, *, requeue: bool = True, wait: bool = True) -> None:
        self.command("reject", delivery_tag, requeue=requeue)

    async def basic_publish(
        self, body: bytes, *, properties: Any = None, timeout: Any = None, wait: bool = True, **method: Any
    ) -> Any:
        properties = properties or spec.Basic.Properties(delivery_mode=1)
        properties.message_id = message_id = properties.message_id or uuid4().hex
        content = amqp.methods.BasicPublish(**method), properties_from_pamqp(properties), body
        async with self._raise_on_channel_close(), asyncio.timeout(timeout):
            with suppress(engine.LocalError):  # publish tells
                await self.connection.room(self.number)
            number = self.command("publish", *content)
            if not self.publisher_confirms:
                return None
            self.message_id_delivery_tag[message_id] = number
            try:
                result = await self.connection.wait_for((self.number, number))
            finally:
                self.message_id_delivery_tag.pop(message_id, None)
        if result is False:
            raise exceptions.DeliveryError(None, spec.Basic.Nack(delivery_tag=number))
        return spec.Basic.Ack(delivery_tag=number) if result is True else result

    def take(self, event: engine.Event) -> None:
        match event:
            case engine.Delivered(_, tag, _, message) if tag in self.consumers:
                self.start(self.consumers[tag](self.delivered(message)))
            case engine.Returned(_, message):
                self.take_returned(self.delivered(message))
            case engine.ConsumerCancelled(_, tag):
                self.consumers.pop(tag, None)
                for callback in self.on_consumer_cancel_callbacks:
                    self.start(awaitable(callback)(spec.Basic.Cancel(consumer_tag=tag)))

    def start(self, callback: Any) -> None:
        self.create_task(callback).add_done_callback(self._on_consumer_done)

    def take_returned(self, message: DeliveredMessage) -> None:
        """End the publishing of a message that reached no queue; its confirm, which follows, finds nobody."""
        key = self.number, self.message_id_delivery_tag.get(message.header.properties.message_id)
        if self.on_return_raises:
            self.connection.resolve([key], exceptions.PublishError(message, message.delivery))
            return
        for callback in self.on_return_callbacks:
            try:
                callback(message)
            except Exception:
                aiormq.channel.log.exception("Unhandled return callback exception")
        self.connection.resolve([key], message)


class Connection(aiormq.connection.Connection, Driver):
    """A connection: the driver of an engine."""

    def __init__(self, url: Any, *, client_properties: Any = None, **options: Any) -> None:
        super().__init__(url, **options)
        known = ("loop", "context", "transport_factory")
        self.options = {name: value for name, value in options.items() if name not in known}
        self.client_properties = client_properties or {}
        self.unblocked, self.lost = asyncio.Event(), asyncio.Event()

    @property
    def is_opened(self) -> bool:
        return self.connected.is_set() and not self.engine.is_closed and not self.is_closed

    async def ready(self) -> None:
        await self.connected.wait()
        await self.unblocked.wait()

    async def connect(self, client_properties: Any = None) -> bool:
        if self.is_opened:
            raise RuntimeError("Connection already opened")
        Driver.__init__(self, self.settings(client_properties or self.client_properties))
        tls = aiormq.connection.SSLContextProvider(
            ssl_context=self.ssl_context, ssl_certs=self.ssl_certs, loop=self.loop
        )
        _, self.writer = await self._transport_factory.create(
            self.url, ssl_context_provider=tls, **self.options
        )
        opened = self.wait_for((0, 0))
        self.writer.transport.set_protocol(self)
        self.connection_made(self.writer.transport)
        try:
            self.server_properties, self.connection_tune = await opened
        except BaseException as error:
            await self.close(error)
            raise
        self.connected.set()
        self.unblocked.set()
        return True

    def settings(self, client_properties: Any) -> amqp.ClientSettings:
        plain = engine.PlainLogin(self.url.user or "guest", self.url.password or "guest")
        logins: dict[str, engine.Login] = {"plain": plain, "external": engine.ExternalLogin()}
        mechanism = self.url.query.get("auth", "plain").lower()
        if mechanism not in logins:
            raise exceptions.AuthenticationError(mechanism, [*logins])
        return amqp.ClientSettings(
            login=logins[mechanism],
            virtual_host=self.vhost,
            heartbeat=self.heartbeat_timeout,
            properties=self._client_properties(**client_properties),
        )

    async def channel(
        self, channel_number: Any = None, publisher_confirms: bool = True, timeout: Any = None, **options: Any
    ) -> Channel:
        await self.connected.wait()
        if not self.is_opened:
            raise RuntimeError(f"{self!r} closed")
        if publisher_confirms and not self.publisher_confirms:
            raise ValueError("Server doesn't support publisher_confirms")
        try:
            number = self.commands.open_channel(channel_number)
        except engine.LocalError as error:
            raise ValueError(str(error)) from error
        options["frame_buffer"] = options.pop("frame_buffer_size", 0)  # of no use here
        channel = self.channels[number] = Channel(self, number, publisher_confirms, **options)
        await channel.open(timeout)
        return channel

    async def update_secret(self, new_secret: str, *, reason: str = "", timeout: float | None = None) -> Any:
        request = self.commands.update_secret(new_secret.encode(), reason)
        return to_pamqp((await Countdown(timeout)(self.wait_for(request.number))).method)

    async def _on_close(self, exc: Any = None) -> None:
        if hasattr(self, "transport"):
            self.commands.close(200, "normally closed")
            await self.lost.wait()
        if exc is None and not self._closing.done():
            self._closing.set_result(None)  # or it gets the exception

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.lost.set()

    def take(self, event: engine.Event) -> None:
        match event:
            case engine.Reply(number=number):
                self.resolve([number], event)
            case engine.Confirmed(channel, numbers, positive):
                self.resolve([(channel, number) for number in numbers], positive)
            case engine.Delivered(channel) | engine.Returned(channel) | engine.ConsumerCancelled(channel):
                self.channels[channel].take(event)
            case engine.Opened(server, limits):
                self.resolve([(0, 0)], (server, to_pamqp(limits)))
            case engine.ChannelOpened(channel):
                self.resolve([(channel, 0)], None)
                if self.channels[channel].is_closed:  # meanwhile
                    self.commands.close_channel(channel)
            case engine.Blocked():
                self.unblocked.clear()
            case engine.Unblocked():
                self.unblocked.set()
            case engine.ChannelClosed(channel, error, _, unanswered, unconfirmed):
                closed = self.exception(error) or exceptions.ChannelClosed(None, None)
                self.channels.pop(channel).end(closed)
                self.resolve([*unanswered, *((channel, number) for number in (0, *unconfirmed))], closed)
            case engine.Closed(error):
                closed = self.exception(error)
                self.resolve([*self.waiting], closed or exceptions.ConnectionClosed(200, "normally closed"))
                if closed is not None and not self._closing.done():
                    self._closing.set_exception(closed)
                    self.ending = self._cancel_tasks(closed)

    def exception(self, error: Exception | None) -> Exception | None:
        """Return aiormq's exception for what has closed a channel or the connection."""
        if isinstance(error, CloseError):
            reason = {"reply_code": error.reply_code, "reply_text": error.reply_text}
            if not self.engine.is_closed:
                return aiormq.channel.exception_by_code(spec.Channel.Close(**reason))
            if error.reply_code == 403 and not self.connected.is_set():
                return exceptions.ProbableAuthenticationError(error.reply_text)
            return aiormq.connection.exception_by_code(spec.Connection.Close(**reason))
        if isinstance(error, amqp.CodecError):
            return exceptions.InvalidFrameError(str(error))
        return None if error is None else exceptions.AMQPConnectionError(str(error))


def install() -> None:
    """Put these connections and channels in the place of aiormq's; RuntimeError for versions with other ones."""
    installed, fits = version("aiormq"), "aiormq>=7.2,<8"
    if not (7, 2) <= tuple(int(part) for part in installed.split(".")[:2]) < (8, 0):
        raise RuntimeError(f"aiormq {installed} is installed; this adapter fits {fits}: pip install '{fits}'")
    aiormq.Connection = aiormq.connection.Connection = Connection
    aiormq.Channel = aiormq.channel.Channel = aiormq.connection.Channel = Channel
