"""Publishes messages to RabbitMQ and reads them back in AMQP 1.0, with a generated package and a socket.

    PYTHONPATH=generated python examples/publish_and_consume_1_0.py [amqp://guest:guest@localhost:5672/] [-n 3]

The queue is declared first: RabbitMQ 4 is asked to by a request to its management, RabbitMQ 3 (with its plugin
rabbitmq_amqp1_0) makes the queue that a link names. Every message is accepted by the broker when it has it, and by us
when we have read it. The queue stays, empty. Exit code 1, and one line that says why, else.
"""

from __future__ import annotations

import argparse
import socket
import sys
from collections import deque
from datetime import UTC, datetime
from typing import Any, TypeVar
from urllib.parse import SplitResult, unquote, urlsplit

import amqp_1_0_rabbitmq as amqp
from amqp_1_0_rabbitmq.client import management
from amqp_1_0_rabbitmq.http_over_amqp import LinkPairCapability
from amqp_1_0_rabbitmq.messaging import Accepted, Data, Properties, Source, Target
from amqp_1_0_rabbitmq.performatives import (
    Attach,
    Begin,
    Close,
    Detach,
    Disposition,
    End,
    Flow,
    Open,
    Role,
    Transfer,
)
from amqp_1_0_rabbitmq.sasl import SaslCode, SaslInit, SaslMechanisms, SaslOutcome

DEFAULT_URL = "amqp://guest:guest@localhost:5672/"
QUEUE = "amqp-codegen.example"
TIMEOUT = 10.0
FRAME_SIZE = 4096
WINDOW = 1000  # transfers that the broker may have under way
SENDER, RECEIVER, REQUESTS, ANSWERS = range(4)  # our handles; RabbitMQ uses the same

Kind = TypeVar("Kind")


class Failure(Exception):
    """What we set out to do cannot be done; the text says why."""


class Connection:
    """A connection with one session. Nothing runs in the background: we read when we wait for something."""

    def __init__(self, stream: socket.socket) -> None:
        self.stream = stream
        self.decoder, self.assembler = amqp.FrameDecoder(), amqp.TransferAssembler()
        self.frames: deque[amqp.Frame] = deque()
        self.max_frame_size = amqp.constants.MIN_MAX_FRAME_SIZE  # until the broker tells its own
        self.has_management = False
        self.window, self.ids = amqp.SessionWindow(WINDOW), amqp.DeliveryIds()
        self.senders = {handle: amqp.SenderCredit(handle) for handle in (SENDER, REQUESTS)}
        self.receivers = {handle: amqp.ReceiverCredit(handle) for handle in (RECEIVER, ANSWERS)}

    def open(self, url: SplitResult) -> str:
        """Logs in, opens the connection and begins the session; returns what the broker calls itself."""
        self.exchange_headers("sasl")
        if "PLAIN" not in self.expect(SaslMechanisms).sasl_server_mechanisms:
            raise Failure("the broker does not take a user and a password")
        user, password = unquote(url.username or "guest"), unquote(url.password or "guest")
        self.send(SaslInit("PLAIN", amqp.plain_response(user, password)))
        if self.expect(SaslOutcome).code is not SaslCode.OK:
            raise Failure(f"the broker refuses user {user!r}")
        self.exchange_headers("amqp")
        self.send(Open("amqp-codegen-example", url.hostname, max_frame_size=FRAME_SIZE))
        broker = self.expect(Open)
        self.max_frame_size, self.decoder.max_frame_size = broker.max_frame_size, FRAME_SIZE
        self.has_management = LinkPairCapability.LINK_PAIR in broker.offered_capabilities
        self.send(self.window.begin())
        self.window.received_begin(self.expect(Begin))
        told = broker.properties or {}
        return f"{told.get('product', broker.container_id)} {told.get('version', '')}".strip()

    def exchange_headers(self, layer: str) -> None:
        """Asks for a layer; the broker answers with the same header, or with that of one it would like better."""
        header = amqp.PROTOCOL_HEADERS[layer]
        self.stream.sendall(header)
        answer = self.stream.recv(len(header), socket.MSG_WAITALL)
        if answer != header:
            raise Failure(f"it does not speak AMQP 1.0: it answers {answer!r}")

    def send(self, performative: Any) -> None:
        """Sends a performative."""
        self.stream.sendall(amqp.encode_frame(0, performative, max_frame_size=self.max_frame_size))

    def next_frame(self) -> amqp.Frame:
        """The next frame; Failure if it ends the link, the session or the connection with an error."""
        while not self.frames:
            # Before the connection is open, protocol headers come between frames: not an octet too many.
            data = self.stream.recv(
                1 if self.max_frame_size == amqp.constants.MIN_MAX_FRAME_SIZE else 1 << 16
            )
            if not data:
                raise Failure("the broker hung up")
            self.frames.extend(self.decoder.feed(data))
        frame = self.frames.popleft()
        performative = frame[1]
        if isinstance(performative, Flow):
            self.window.received_flow(performative)
            if performative.handle in self.senders:
                self.senders[performative.handle].received_flow(performative)
        if isinstance(performative, (Close, End, Detach)) and performative.error:
            raise Failure(f"{performative.error.condition}: {performative.error.description}")
        return frame

    def expect(self, kind: type[Kind]) -> Kind:
        """The next performative of that kind; flows and empty frames between are of no interest then."""
        while True:
            _, performative, _ = self.next_frame()
            if isinstance(performative, kind):
                return performative
            if performative is not None and not isinstance(performative, Flow):
                raise Failure(f"{kind.__name__} was due, {performative} came")

    def declare(self, queue: str) -> str:
        """Sees to it that there is a queue; returns its address."""
        if not self.has_management:
            return f"/queue/{queue}"  # of version 1: the queue is made when a link names it
        for attach in management.attach_pair("management", REQUESTS, ANSWERS):
            self.attach(attach)
        request = management.declare_queue(queue)
        self.grant(ANSWERS)  # first: the broker ends the session if it cannot answer at once
        self.transfer(REQUESTS, request.message("1"), settled=True)
        _, message = self.next_message(ANSWERS)
        print(f"declared the {request.result(management.read_answer(message)).type} queue {queue}")
        self.detach(REQUESTS, ANSWERS)
        return str(amqp.QueueAddress(queue))

    def attach(self, attach: Attach) -> None:
        """Attaches a link."""
        self.send(attach)
        answer = self.expect(Attach)
        if attach.role is Role.RECEIVER:
            self.receivers[attach.handle].received_attach(answer)

    def detach(self, *handles: int) -> None:
        """Detaches links."""
        for handle in handles:
            self.send(Detach(handle, closed=True))
            self.expect(Detach)

    def transfer(self, handle: int, message: amqp.Message, settled: bool = False) -> None:
        """Sends a message when there is credit, in several frames if it is large."""
        link = self.senders[handle]
        while not link.can_send:
            self.next_frame()
        number = self.ids.allocate()
        transfer = Transfer(
            handle, number, self.ids.tag(number), amqp.constants.MESSAGE_FORMAT, settled=settled
        )
        for frame in amqp.split_transfer(transfer, message.encode(), max_frame_size=self.max_frame_size):
            self.window.sent_transfer()
            self.stream.sendall(frame)
        link.sent_delivery()

    def publish(self, message: amqp.Message) -> None:
        """Sends a message, and waits until the broker has accepted it."""
        self.transfer(SENDER, message)
        state = self.expect(Disposition).state
        if not isinstance(state, Accepted):
            raise Failure(f"the broker does not accept a message: {state}")

    def grant(self, handle: int) -> None:
        """Lets the broker send one message."""
        self.receivers[handle].grant(1)
        self.send(self.receivers[handle].flow(self.window))

    def next_message(self, handle: int) -> tuple[int, amqp.Message]:
        """Waits for a message; returns it after the number by which to accept it."""
        while True:
            channel, performative, payload = self.next_frame()
            if isinstance(performative, Transfer):
                self.window.received_transfer()
                delivery = self.assembler.add(performative, payload, channel)
                if delivery:
                    self.receivers[handle].received_delivery()
                    return delivery.delivery_id, amqp.decode_message(delivery.payload)

    def close(self) -> None:
        """Says goodbye, and waits for the answer."""
        self.detach(SENDER, RECEIVER)
        for performative in (End(), Close()):
            self.send(performative)
            self.expect(type(performative))


def converse(connection: Connection, count: int) -> None:
    """The whole conversation, once the session is there."""
    queue = connection.declare(QUEUE)
    source, target = Source(), Target(queue)
    connection.attach(
        Attach("to", SENDER, Role.SENDER, source=source, target=target, initial_delivery_count=0)
    )
    for number in range(1, count + 1):
        properties = Properties(
            message_id=f"example-{number}",
            content_type="text/plain",
            creation_time=datetime.now(UTC),
        )
        about = {"number": amqp.types.UInt(number), "even": number % 2 == 0}
        text = Data(f"Hello, number {number}!".encode())
        connection.publish(amqp.Message(properties=properties, application_properties=about, body=text))
    print(f"published {count} messages, all accepted")

    connection.attach(Attach("from", RECEIVER, Role.RECEIVER, source=Source(queue), target=Target()))
    for _ in range(count):
        connection.grant(RECEIVER)
        number, message = connection.next_message(RECEIVER)
        assert isinstance(message.body, Data)
        print(f"received {message.body.value.decode()!r} with properties {message.application_properties}")
        connection.send(Disposition(Role.RECEIVER, number, settled=True, state=Accepted()))
    print(f"accepted {count} messages")


def address(text: str) -> SplitResult:
    """The parts of a URL."""
    url = urlsplit(text)
    if url.scheme != "amqp" or not url.hostname or url.port == 0:
        raise ValueError(f"{text!r} is not like {DEFAULT_URL}")
    return url


def main() -> int:
    """Reads the arguments; returns the exit code."""
    parser = argparse.ArgumentParser(description="Publishes messages in AMQP 1.0 and reads them back.")
    parser.add_argument("url", nargs="?", type=address, default=DEFAULT_URL, help=f"default {DEFAULT_URL}")
    parser.add_argument("-n", type=int, default=3, dest="count", metavar="COUNT", help="how many messages")
    arguments = parser.parse_args()
    if arguments.count < 1:
        parser.error("argument -n: at least one message")
    host, port = arguments.url.hostname, arguments.url.port or amqp.constants.PORT
    try:
        with socket.create_connection((host, port), TIMEOUT) as stream:
            stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection = Connection(stream)
            print(f"connected to {connection.open(arguments.url)}")
            converse(connection, arguments.count)
            connection.close()
            print("closed")
    except (OSError, Failure, amqp.CodecError) as error:
        print(f"error: {host}:{port}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
