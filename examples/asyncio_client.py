"""A client of RabbitMQ with asyncio: all that is not input or output comes from a generated package.

    PYTHONPATH=generated python examples/asyncio_client.py [amqp://guest:guest@localhost:5672/] [-n 100] [--idle 3]

It asks for a queue that does not exist, which costs it its channel; it opens another, publishes with confirms, consumes,
acknowledges, and is idle for a while, in which only heartbeats keep the connection open. Exit code 1 if it fails.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import deque
from typing import Any, TypeVar
from urllib.parse import SplitResult, unquote, urlsplit

import amqp_0_9_1_rabbitmq as amqp
from amqp_0_9_1_rabbitmq import methods as m
from amqp_0_9_1_rabbitmq.errors import CloseError, close_error

CLIENT: amqp.FieldTable = {"product": "example", "capabilities": {"authentication_failure_close": True}}
HEARTBEAT = 1  # seconds, so that a short run shows some; a minute is usual
Reply = TypeVar("Reply")


class Channel:
    """A channel: what it asked and published and has no answer to, and what was delivered."""

    def __init__(self, connection: Connection, number: int) -> None:
        self.connection, self.number = connection, number
        self.requests: deque[tuple[amqp.Method, asyncio.Future[amqp.Method]]] = deque()
        self.tracker = amqp.ConfirmTracker(number)
        self.confirms: dict[int, asyncio.Future[bool]] = {}
        self.deliveries: asyncio.Queue[amqp.Message] = asyncio.Queue()

    def send(self, method: amqp.Method) -> None:
        self.connection.write(amqp.encode_frame(self.number, method))

    async def call(self, request: amqp.Method, reply: type[Reply]) -> Reply:
        """Send a request and return its reply; ``CloseError`` if the channel is closed instead."""
        future: asyncio.Future[amqp.Method] = asyncio.get_running_loop().create_future()
        self.requests.append((request, future))
        self.send(request)
        answer = await future
        assert isinstance(answer, reply)
        return answer

    def publish(self, queue: str, body: bytes, properties: amqp.BasicProperties) -> asyncio.Future[bool]:
        """Publish to a queue; the future is true when the broker has the message, false when it lost it."""
        method, limit = m.BasicPublish(routing_key=queue), self.connection.decoder.max_frame_size
        octets = amqp.encode_message(self.number, method, properties, body, max_frame_size=limit)
        self.connection.write(octets)
        confirm = self.confirms[self.tracker.publish()] = asyncio.get_running_loop().create_future()
        return confirm

    def take(self, item: amqp.Message | amqp.Method) -> None:
        method = item.method if isinstance(item, amqp.Message) else item
        if isinstance(method, m.ChannelClose):
            self.send(m.ChannelCloseOk())
            self.connection.numbers.release(self.number)
            error = close_error(method.reply_code, method.reply_text, method.class_id, method.method_id)
            futures: list[asyncio.Future[Any]] = [future for _, future in self.requests]
            for future in futures + list(self.confirms.values()):
                future.set_exception(error)
        elif self.requests and amqp.is_reply(self.requests[0][0], method):
            self.requests.popleft()[1].set_result(method)
        elif isinstance(method, (m.BasicAck, m.BasicNack)):
            for number in self.tracker.settle(method.delivery_tag, multiple=method.multiple):
                self.confirms.pop(number).set_result(isinstance(method, m.BasicAck))
        elif isinstance(item, amqp.Message):
            self.deliveries.put_nowait(item)


class Connection:
    """A connection: frames in and out, channels by number, heartbeats."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self.clock = asyncio.get_running_loop().time
        self.decoder = amqp.FrameDecoder()
        self.assembler = amqp.ContentAssembler()
        self.numbers = amqp.NumberAllocator(1, 0xFFFF)
        self.timer = amqp.HeartbeatTimer(0, self.clock())
        self.started: asyncio.Future[m.ConnectionStart] = asyncio.get_running_loop().create_future()
        self.control, self.heartbeats = Channel(self, 0), 0
        self.channels = {0: self.control}

    def write(self, octets: bytes) -> None:
        self.writer.write(octets)
        self.timer.sent(self.clock())

    async def run(self) -> None:
        """Read, and send heartbeats, until something goes wrong."""
        while True:
            wait = min(self.timer.next_event - self.clock(), 60)  # without heartbeats it is infinite
            try:
                data = await asyncio.wait_for(self.reader.read(1 << 16), wait)
                if not data:
                    raise ConnectionResetError("the broker hung up")
                self.timer.received(self.clock())
                for channel, frame in self.decoder.feed(data):
                    self.take(channel, self.assembler.add(channel, frame))
            except TimeoutError:
                if self.timer.is_peer_dead(self.clock()):
                    raise ConnectionResetError("the broker is silent for two intervals") from None
            if self.timer.must_send(self.clock()):
                self.write(amqp.encode_frame(0, amqp.Heartbeat()))

    def take(self, channel: int, item: amqp.client.assembly.Received | None) -> None:
        if isinstance(item, m.ConnectionClose):
            self.control.send(m.ConnectionCloseOk())
            ids = item.class_id, item.method_id
            raise close_error(item.reply_code, item.reply_text, *ids, connection=True)
        if isinstance(item, amqp.Heartbeat):
            self.heartbeats += 1
        elif isinstance(item, m.ConnectionStart):
            self.started.set_result(item)
        elif isinstance(item, amqp.Message | m.MethodBase):
            self.channels[channel].take(item)

    async def log_in(self, user: str, password: str, virtual_host: str) -> str:
        """Log in and agree on limits; return what the broker calls itself."""
        self.write(amqp.PROTOCOL_HEADER)
        server = (await self.started).server_properties
        start_ok = m.ConnectionStartOk(CLIENT, "PLAIN", amqp.plain_response(user, password), "en_US")
        limits = amqp.negotiate(await self.control.call(start_ok, m.ConnectionTune), heartbeat=HEARTBEAT)
        self.control.send(limits)
        self.decoder.max_frame_size = limits.frame_max
        self.assembler.max_channels = limits.channel_max
        self.numbers.last = limits.channel_max or 0xFFFF
        self.timer = amqp.HeartbeatTimer(limits.heartbeat, self.clock())
        await self.control.call(m.ConnectionOpen(virtual_host), m.ConnectionOpenOk)
        return f"{server['product']} {server['version']}"

    async def open_channel(self) -> Channel:
        channel = Channel(self, self.numbers.allocate())
        self.channels[channel.number] = channel
        await channel.call(m.ChannelOpen(), m.ChannelOpenOk)
        return channel


async def converse(connection: Connection, url: SplitResult, count: int, idle: float) -> None:
    user, password = unquote(url.username or "guest"), unquote(url.password or "guest")
    print("connected to", await connection.log_in(user, password, unquote(url.path[1:]) or "/"))
    channel = await connection.open_channel()
    try:
        await channel.call(m.QueueDeclare("no-such-queue", passive=True), m.QueueDeclareOk)
    except CloseError as error:
        print(f"channel {channel.number} closed: {error}")
        channel = await connection.open_channel()
    await channel.call(m.ConfirmSelect(), m.ConfirmSelectOk)
    queue = (await channel.call(m.QueueDeclare(exclusive=True), m.QueueDeclareOk)).queue
    properties, bodies = amqp.BasicProperties(content_type="text/plain"), [b"x" * n for n in range(count)]
    confirms = [channel.publish(queue, body, properties) for body in bodies]
    await connection.writer.drain()
    print(f"channel {channel.number}: {sum(await asyncio.gather(*confirms))} of {count} messages confirmed")
    await channel.call(m.BasicConsume(queue), m.BasicConsumeOk)
    for body in bodies:
        message = await channel.deliveries.get()
        assert isinstance(message.method, m.BasicDeliver) and message.body == body
        channel.send(m.BasicAck(message.method.delivery_tag))
    await asyncio.sleep(idle)
    left = (await channel.call(m.QueueDelete(queue), m.QueueDeleteOk)).message_count
    print(f"{count} messages acknowledged, {left} left; {connection.heartbeats} heartbeats came")
    await connection.control.call(m.ConnectionClose(200, "goodbye"), m.ConnectionCloseOk)


async def run(url: SplitResult, count: int, idle: float) -> None:
    streams = await asyncio.open_connection(url.hostname or "localhost", url.port or amqp.constants.PORT)
    connection = Connection(*streams)
    background = asyncio.ensure_future(connection.run())
    conversation = asyncio.ensure_future(converse(connection, url, count, idle))
    background.add_done_callback(lambda _: conversation.cancel())
    try:
        await conversation
    except asyncio.CancelledError:
        if background.done():
            background.result()  # raises what ended it
        raise
    finally:
        background.cancel()
        connection.writer.close()


def main() -> str | None:
    parser = argparse.ArgumentParser()
    parser.add_argument("url", nargs="?", type=urlsplit, default="amqp://localhost/")
    parser.add_argument("-n", type=int, default=100, dest="count", help="how many messages")
    parser.add_argument("--idle", type=float, default=0, help="how many seconds to do nothing")
    try:
        asyncio.run(run(**vars(parser.parse_args())))
    except (OSError, amqp.CodecError, CloseError) as error:
        return f"error: {error}"
    return None


if __name__ == "__main__":
    sys.exit(main())
