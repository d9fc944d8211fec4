"""Sends messages in AMQP 1.0 and receives them at the same time, with asyncio and a generated package.

    PYTHONPATH=generated python examples/asyncio_1_0.py amqp://guest:guest@localhost:5672/ QUEUE COUNT

As many messages are under way as link credit and session window allow. The peer's dispositions tell what became of
each; what is received is accepted in ranges. Exit code 1, and one line that says why, if that fails.
"""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import SplitResult, unquote, urlsplit

import amqp_1_0 as amqp
from amqp_1_0.messaging import Accepted, Data, Source, Target
from amqp_1_0.performatives import Attach, Begin, Close, Disposition, Error, Flow, Open, Role, Transfer
from amqp_1_0.sasl import SaslCode, SaslInit, SaslMechanisms, SaslOutcome

FRAME_SIZE, WINDOW, CREDIT = 16384, 200, 50
IDLE_SECONDS = 20  # then the connection is lost; half of it is what open states (section 2.4.5)
Link = amqp.SenderCredit | amqp.ReceiverCredit
Kind = TypeVar("Kind")


class Client:
    """A connection with one session. One task reads; others send, and wait for what the reader is told."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self.decoder, self.assembler = amqp.FrameDecoder(), amqp.TransferAssembler()
        self.frames: deque[amqp.Frame] = deque()
        self.news, self.closing = asyncio.Event(), False
        self.max_frame_size = amqp.constants.MIN_MAX_FRAME_SIZE  # until the peer tells its own
        self.window, self.ids = amqp.SessionWindow(WINDOW), amqp.DeliveryIds()
        self.outcomes = amqp.UnsettledDeliveries[asyncio.Future[object]]()
        self.attaching: dict[str, Link] = {}  # by name
        self.links: dict[int, Link] = {}  # by the peer's handle
        self.inbox: deque[amqp.Delivery] = deque()

    def write(self, performative: Any) -> None:
        self.writer.write(amqp.encode_frame(0, performative, max_frame_size=self.max_frame_size))

    async def next_frame(self) -> amqp.Frame:
        while not self.frames:
            data = await asyncio.wait_for(self.reader.read(1 << 16), IDLE_SECONDS)
            if not data:
                raise ConnectionError("the peer hung up")
            self.frames.extend(self.decoder.feed(data))
        return self.frames.popleft()

    async def expect(self, kind: type[Kind]) -> Kind:
        performative = (await self.next_frame())[1]
        if not isinstance(performative, kind):
            raise ConnectionError(f"{kind.__name__} was due, {performative} came")
        return performative

    async def open(self, url: SplitResult) -> Open:
        """Log in, open the connection and begin the session; return what the peer says of itself."""
        self.writer.write(amqp.PROTOCOL_HEADERS["sasl"])
        await self.expect(amqp.ProtocolHeader)
        offered = (await self.expect(SaslMechanisms)).sasl_server_mechanisms
        mechanism = amqp.choose_mechanism(offered, ["PLAIN"] if url.username else ["ANONYMOUS"])
        if mechanism is None:
            raise ConnectionError(f"the peer only offers {', '.join(offered)}")
        user, password = unquote(url.username or ""), unquote(url.password or "")
        response = amqp.plain_response(user, password) if user else amqp.anonymous_response()
        self.write(SaslInit(mechanism, response, hostname=url.hostname))
        if (await self.expect(SaslOutcome)).code is not SaslCode.OK:
            raise ConnectionError("the peer refuses the login")
        self.writer.write(amqp.PROTOCOL_HEADERS["amqp"])
        await self.expect(amqp.ProtocolHeader)
        self.write(Open("example", url.hostname, FRAME_SIZE, idle_time_out=500 * IDLE_SECONDS))
        self.decoder.max_frame_size = FRAME_SIZE
        peer = await self.expect(Open)
        self.max_frame_size = peer.max_frame_size
        self.write(self.window.begin())
        self.window.received_begin(await self.expect(Begin))
        return peer

    async def stay_alive(self, idle_time_out: int | None) -> None:
        while idle_time_out and not self.closing:
            self.write(None)
            await asyncio.sleep(min(1, idle_time_out / 2000))

    async def read(self) -> None:
        performative: object = None
        while not isinstance(performative, Close):
            _, performative, payload = await self.next_frame()
            self.take(performative, payload)
            self.news.set()

    def take(self, performative: object, payload: bytes) -> None:
        if isinstance(performative, Flow):
            self.window.received_flow(performative)
            if performative.handle is not None:
                self.links[performative.handle].received_flow(performative)
            if performative.echo:
                self.write(self.window.flow())
        elif isinstance(performative, Transfer):
            self.window.received_transfer()
            link = self.links[performative.handle]
            if isinstance(link, amqp.ReceiverCredit) and self.assembler.is_first(performative.handle):
                link.received_delivery()
            delivery = self.assembler.add(performative, payload)
            self.inbox += [delivery] if delivery else []
            if self.window.needs_flow:
                self.write(self.window.flow())
        elif isinstance(performative, Disposition):
            # The receiver settles first, unless another rcv-settle-mode was agreed on.
            for _, outcome in (
                self.outcomes.settle(performative) if performative.role is Role.RECEIVER else ()
            ):
                outcome.set_result(performative.state)
        elif isinstance(performative, Attach):
            link = self.links[performative.handle] = self.attaching.pop(performative.name)
            if isinstance(link, amqp.ReceiverCredit):
                link.received_attach(performative)
        elif not self.closing and performative is not None:  # detach, end or close
            raise ConnectionError(f"the peer does not go on: {performative}")

    async def until(self, ready: Callable[[], object]) -> None:
        while not ready():
            self.news.clear()
            await self.news.wait()

    async def attach(self, link: Link, attach: Attach) -> None:
        self.attaching[attach.name] = link
        self.write(attach)
        await self.until(lambda: attach.name not in self.attaching)

    async def send(self, link: amqp.SenderCredit, message: amqp.Message) -> asyncio.Future[object]:
        """Send a message as soon as it may be; the future gets its outcome. One at a time on a link."""
        await self.until(lambda: link.can_send)
        link.sent_delivery()
        number, outcome = self.ids.allocate(), asyncio.get_running_loop().create_future()
        self.outcomes.add(number, outcome)
        transfer = Transfer(link.handle, number, self.ids.tag(number), amqp.constants.MESSAGE_FORMAT)
        for frame in amqp.split_transfer(transfer, message.encode(), max_frame_size=self.max_frame_size):
            await self.until(lambda: self.window.can_send)
            self.window.sent_transfer()
            self.writer.write(frame)
        await self.writer.drain()
        return outcome

    async def receive(self, link: amqp.ReceiverCredit, count: int) -> list[amqp.Message]:
        messages: list[amqp.Message] = []
        asked = 0
        while len(messages) < count:
            if link.link_credit <= CREDIT // 2 and asked < count:
                link.grant(link.link_credit + min(CREDIT, count - asked))
                asked += min(CREDIT, count - asked)
                self.write(link.flow(self.window))
            await self.until(lambda: self.inbox)
            first, last = self.inbox[0].delivery_id, self.inbox[-1].delivery_id
            messages += [amqp.decode_message(delivery.payload) for delivery in self.inbox]
            self.inbox.clear()
            self.write(Disposition(Role.RECEIVER, first, last, settled=True, state=Accepted()))
        return messages


async def main(url: SplitResult, queue: str, count: int) -> None:
    client = Client(*await asyncio.open_connection(url.hostname, url.port or amqp.constants.PORT))
    try:
        peer = await client.open(url)
        print(f"connected to {peer.container_id}, frames of up to {peer.max_frame_size} octets")
        tasks = (client.read(), client.stay_alive(peer.idle_time_out), converse(client, queue, count))
        await asyncio.gather(*tasks)  # the first error ends them all
        print("closed")
    except amqp.FlowViolation as error:
        client.write(Close(Error(error.condition, str(error))))
        raise ConnectionError(str(error)) from error
    finally:
        client.writer.close()


async def converse(client: Client, queue: str, count: int) -> None:
    sender, receiver = amqp.SenderCredit(0), amqp.ReceiverCredit(1)
    attach = Attach("to", 0, Role.SENDER, source=Source(), target=Target(queue), initial_delivery_count=0)
    await client.attach(sender, attach)
    await client.attach(receiver, Attach("from", 1, Role.RECEIVER, source=Source(queue), target=Target()))
    receiving = asyncio.create_task(client.receive(receiver, count))
    bodies = [Data(bytes([number % 256]) * (number % 50 * 1000)) for number in range(count)]
    sent = [await client.send(sender, amqp.Message(body=body)) for body in bodies]
    print(f"sent {count} messages, {(await asyncio.gather(*sent)).count(Accepted())} accepted")
    received = [message.body for message in await receiving]
    print(f"received and accepted {count} messages, {'the same' if received == bodies else 'others'}")
    client.closing = True
    client.write(Close())


if __name__ == "__main__":
    try:
        asyncio.run(main(urlsplit(sys.argv[1]), sys.argv[2], int(sys.argv[3])))
    except (OSError, LookupError, ValueError) as error:
        sys.exit(f"{type(error).__name__}: {error}")
