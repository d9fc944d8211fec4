"""Publishes messages to RabbitMQ and reads them back, with a generated package and a socket and nothing else.

    PYTHONPATH=generated python examples/publish_and_consume.py [amqp://guest:guest@localhost:5672/] [-n 3]

Every message is confirmed by the broker when it has it, and acknowledged by us when we have read it. The queue
is our own and goes with the connection. Exit code 1, and one line that says why, if anything goes wrong.
"""

from __future__ import annotations

import argparse
import socket
import sys
from collections import deque
from datetime import UTC, datetime
from typing import NamedTuple, TypeVar
from urllib.parse import unquote, urlsplit

import amqp_0_9_1_rabbitmq as amqp
from amqp_0_9_1_rabbitmq import BasicProperties, ContentBody, ContentHeader
from amqp_0_9_1_rabbitmq import methods as m

DEFAULT_URL = "amqp://guest:guest@localhost:5672/"
TIMEOUT = 10.0
CHANNEL = 1

FrameType = TypeVar("FrameType")


class Address(NamedTuple):
    """Where a broker is, and who we are there."""

    host: str
    port: int
    user: str
    password: str
    virtual_host: str


class Failure(Exception):
    """What we set out to do cannot be done; the text says why."""


class Connection:
    """A connection with one channel. Nothing runs in the background: we read when we wait for something."""

    def __init__(self, stream: socket.socket) -> None:
        self.stream = stream
        self.decoder = amqp.FrameDecoder()
        self.frames: deque[amqp.Frame] = deque()
        self.frame_max = amqp.constants.FRAME_MIN_SIZE
        self.published = 0
        self.unconfirmed: set[int] = set()

    def open(self, address: Address) -> str:
        """Logs in, agrees on limits and opens the channel; returns what the broker calls itself."""
        self.stream.sendall(amqp.PROTOCOL_HEADER)
        server = self.expect(m.ConnectionStart).server_properties
        response = amqp.plain_response(address.user, address.password)
        # With this capability a wrong password is answered, without it the socket is just closed.
        properties: amqp.FieldTable = {
            "product": "example",
            "capabilities": {"authentication_failure_close": True},
        }
        self.send(m.ConnectionStartOk(properties, "PLAIN", response, "en_US"), channel=0)
        tune = self.expect(m.ConnectionTune)
        self.frame_max = self.decoder.max_frame_size = tune.frame_max
        # No heartbeats: this program is done before anybody could miss it.
        self.send(m.ConnectionTuneOk(tune.channel_max, tune.frame_max, heartbeat=0), channel=0)
        self.send(m.ConnectionOpen(address.virtual_host), channel=0)
        self.expect(m.ConnectionOpenOk)
        self.send(m.ChannelOpen())
        self.expect(m.ChannelOpenOk)
        return f"{server.get('product')} {server.get('version')}"

    def send(self, method: amqp.Method, channel: int = CHANNEL) -> None:
        """Sends a method."""
        self.stream.sendall(amqp.encode_frame(channel, method))

    def expect(self, kind: type[FrameType]) -> FrameType:
        """The next frame, which must be of that kind."""
        while not self.frames:
            data = self.stream.recv(1 << 16)
            if not data:
                raise Failure(f"the broker hung up when {kind.__name__} was due")
            self.frames.extend(frame for _, frame in self.decoder.feed(data))
        frame = self.frames.popleft()
        if isinstance(frame, kind):
            return frame
        if isinstance(frame, (m.ConnectionClose, m.ChannelClose)):
            error = amqp.CLOSE_ERRORS.get(frame.reply_code, amqp.errors.CloseError)
            raise error(frame.reply_text, frame.class_id, frame.method_id)
        raise Failure(f"{kind.__name__} was due, {frame} came")

    def publish(self, queue: str, properties: BasicProperties, body: bytes) -> None:
        """Publishes to a queue: a method, a header and as many body frames as the body needs."""
        method = m.BasicPublish(routing_key=queue)
        self.stream.sendall(
            amqp.encode_message(CHANNEL, method, properties, body, max_frame_size=self.frame_max)
        )
        self.published += 1
        self.unconfirmed.add(self.published)

    def await_confirms(self) -> None:
        """Waits until the broker has confirmed all that we published; it counts from 1, as we do."""
        while self.unconfirmed:
            ack = self.expect(m.BasicAck)
            if ack.multiple:
                self.unconfirmed = {tag for tag in self.unconfirmed if tag > ack.delivery_tag}
            else:
                self.unconfirmed.discard(ack.delivery_tag)

    def next_message(self) -> tuple[m.BasicDeliver, BasicProperties, bytes]:
        """The next message for our consumer."""
        deliver = self.expect(m.BasicDeliver)
        header = self.expect(ContentHeader)
        body = b""
        while len(body) < header.body_size:
            body += self.expect(ContentBody).payload
        return deliver, header.properties, body

    def close(self) -> None:
        """Says goodbye, and waits for the answer."""
        self.send(m.ConnectionClose(amqp.ReplyCode.REPLY_SUCCESS, "goodbye"), channel=0)
        self.expect(m.ConnectionCloseOk)


def converse(connection: Connection, count: int) -> None:
    """The whole conversation, once the channel is open."""
    connection.send(m.ConfirmSelect())
    connection.expect(m.ConfirmSelectOk)
    connection.send(m.QueueDeclare(exclusive=True))
    queue = connection.expect(m.QueueDeclareOk).queue
    print(f"declared {queue}")

    for number in range(1, count + 1):
        properties = BasicProperties(
            content_type="text/plain",
            headers={"even": number % 2 == 0, "number": number, "of": {"total": count}},
            message_id=f"example-{number}",
            timestamp=datetime.now(UTC),
        )
        connection.publish(queue, properties, f"Hello, number {number}!".encode())
    connection.await_confirms()
    print(f"published {count} messages, all confirmed")

    connection.send(m.BasicConsume(queue))
    consumer_tag = connection.expect(m.BasicConsumeOk).consumer_tag
    for _ in range(count):
        deliver, properties, body = connection.next_message()
        print(f"received {body.decode()!r} with headers {properties.headers}")
        connection.send(m.BasicAck(deliver.delivery_tag))
    connection.send(m.BasicCancel(consumer_tag))
    connection.expect(m.BasicCancelOk)

    connection.send(m.QueueDelete(queue))
    left = connection.expect(m.QueueDeleteOk).message_count
    print(f"acknowledged {count} messages, {left} left in the queue")


def run(address: Address, count: int) -> None:
    """Connects, talks and closes."""
    with socket.create_connection((address.host, address.port), TIMEOUT) as stream:
        connection = Connection(stream)
        print(f"connected to {connection.open(address)}, frames of up to {connection.frame_max} octets")
        converse(connection, count)
        connection.close()
        print("closed")


def address(url: str) -> Address:
    """The parts of a URL; what it leaves out is as RabbitMQ is set up by default."""
    parts = urlsplit(url)
    if parts.scheme != "amqp":
        raise ValueError(f"{url!r} is not like {DEFAULT_URL}")
    return Address(
        parts.hostname or "localhost",
        parts.port or amqp.constants.PORT,
        unquote(parts.username or "guest"),
        unquote(parts.password or "guest"),
        unquote(parts.path[1:]) or "/",
    )


def main() -> int:
    """Reads the arguments; returns the exit code."""
    parser = argparse.ArgumentParser(description="Publishes messages to RabbitMQ and reads them back.")
    parser.add_argument("url", nargs="?", type=address, default=DEFAULT_URL, help=f"default {DEFAULT_URL}")
    parser.add_argument("-n", type=int, default=3, dest="count", metavar="COUNT", help="how many messages")
    arguments = parser.parse_args()
    if arguments.count < 1:
        parser.error("argument -n: at least one message")
    try:
        run(arguments.url, arguments.count)
    except (OSError, Failure, amqp.CodecError, amqp.errors.CloseError) as error:
        print(f"error: {arguments.url.host}:{arguments.url.port}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
