"""A container of AMQP 1.0 on loopback with queues in memory, which misbehaves as it is told to.

It speaks through the generated codec. What it says to a performative is a function; a test replaces those it likes.
"""

from __future__ import annotations

import socket
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

import amqp_1_0 as amqp
from amqp_1_0.messaging import Accepted, Released
from amqp_1_0.performatives import (
    AmqpError,
    Attach,
    Begin,
    Close,
    Detach,
    Disposition,
    End,
    Error,
    Flow,
    Open,
    Role,
    SessionError,
    Transfer,
)
from amqp_1_0.sasl import SaslCode, SaslInit, SaslMechanisms, SaslOutcome

from tests.patience import PATIENCE

CREDIT = 100
NUMBERS = 0xFFFFFFFF


class Link:
    """One of the client's links on a session.

    Attributes:
        attach: The client's attach.
        count: Its delivery-count.
        credit: What the client has given, if it receives.
        unfinished: What has come of its message, with the delivery-id and whether it is settled.
    """

    def __init__(self, attach: Attach) -> None:
        self.attach = attach
        self.count = 0
        self.credit = 0
        self.unfinished = b""
        self.number = 0
        self.settled = False

    @property
    def address(self) -> str:
        terminus = self.attach.source if self.attach.role is Role.RECEIVER else self.attach.target
        return str(terminus.address) if terminus else "/"


class Conversation:
    """One connection; what it needs to know of its one session."""

    def __init__(self, peer: FakePeer, stream: socket.socket) -> None:
        self.peer = peer
        self.socket = stream
        self.links: dict[int, Link] = {}
        self.frame_size = 512
        self.came = 0  # transfers
        self.sent = 0
        self.deliveries: dict[int, tuple[str, bytes]] = {}
        self.states: dict[int, Any] = {}  # by handle: what the transfers of a link say

    def run(self) -> None:
        """Answers until either side closes the socket."""
        buffer = b""
        with self.socket, suppress(OSError):
            while data := self.socket.recv(1 << 16):
                buffer += data
                while buffer[:4] == b"AMQP" and len(buffer) >= 8:
                    header, buffer = buffer[:8], buffer[8:]
                    self.peer.answer("header")(self, 0, header, b"")
                if buffer[:4] != b"AMQP":
                    try:
                        frames, end = amqp.decode_frames(buffer)
                    except amqp.DecodeError:
                        self.peer.answer("malformed")(self, 0, None, b"")
                        buffer = b""
                        continue
                    buffer = buffer[end:]
                    for channel, performative, payload in frames:
                        name = getattr(performative, "NAME", "empty frame")
                        self.peer.answer(name)(self, channel, performative, payload)
                        if isinstance(performative, Close):
                            return

    def say(self, performative: Any, channel: int = 0, payload: bytes = b"") -> None:
        self.socket.sendall(amqp.encode_frame(channel, performative, payload))

    def flow(self, channel: int, **fields: Any) -> None:
        self.say(
            Flow(self.came, incoming_window=1000, next_outgoing_id=self.sent, outgoing_window=1000, **fields),
            channel,
        )

    def deliver(self, channel: int) -> None:
        """Sends what there is and credit for."""
        for handle, link in self.links.items():
            queue = self.peer.queues.setdefault(link.address, deque())
            while link.attach.role is Role.RECEIVER and link.credit > 0 and queue:
                message = queue.popleft()
                self.deliveries[self.sent] = (link.address, message)
                transfer = Transfer(handle, self.sent, b"%d" % self.sent, 0, state=self.states.get(handle))
                for frame in amqp.split_transfer(
                    transfer, message, max_frame_size=self.frame_size, channel=channel
                ):
                    self.socket.sendall(frame)
                self.sent += 1
                link.count = (link.count + 1) & NUMBERS
                link.credit -= 1


Answer = Callable[[Conversation, int, Any, bytes], None]


def on_header(conversation: Conversation, channel: int, header: bytes, payload: bytes) -> None:
    layer = amqp.recognise_header(header)
    if layer in (None, "tls"):
        conversation.socket.sendall(amqp.PROTOCOL_HEADERS["sasl"])
        conversation.socket.shutdown(socket.SHUT_RDWR)
        return
    conversation.socket.sendall(header)
    if layer == "sasl":
        conversation.say(SaslMechanisms(["ANONYMOUS"]))


def on_sasl_init(conversation: Conversation, channel: int, init: SaslInit, payload: bytes) -> None:
    conversation.say(SaslOutcome(SaslCode.OK))


def on_open(conversation: Conversation, channel: int, opening: Open, payload: bytes) -> None:
    conversation.frame_size = opening.max_frame_size
    conversation.say(Open("fake", max_frame_size=4096))


def on_begin(conversation: Conversation, channel: int, begin: Begin, payload: bytes) -> None:
    conversation.came = begin.next_outgoing_id
    conversation.say(
        Begin(channel, next_outgoing_id=conversation.sent, incoming_window=1000, outgoing_window=1000),
        channel,
    )


def on_attach(conversation: Conversation, channel: int, attach: Attach, payload: bytes) -> None:
    link = conversation.links[attach.handle] = Link(attach)
    role = Role.SENDER if attach.role is Role.RECEIVER else Role.RECEIVER
    known = conversation.peer.knows(link.address)
    target = attach.target if known or role is Role.SENDER else None
    source = attach.source if known or role is Role.RECEIVER else None
    count = conversation.peer.first_count if role is Role.SENDER else None
    link.count = count or 0
    conversation.say(
        Attach(attach.name, attach.handle, role, source=source, target=target, initial_delivery_count=count),
        channel,
    )
    if not known:
        conversation.say(Detach(attach.handle, True, Error(AmqpError.NOT_FOUND, "no such node")), channel)
    elif role is Role.RECEIVER:
        link.count = attach.initial_delivery_count or 0
        conversation.flow(channel, handle=attach.handle, delivery_count=link.count, link_credit=CREDIT)


def on_flow(conversation: Conversation, channel: int, flow: Flow, payload: bytes) -> None:
    conversation.came = flow.next_outgoing_id
    if flow.handle is not None and flow.handle not in conversation.links:
        conversation.say(End(Error(SessionError.UNATTACHED_HANDLE, "no such handle")), channel)
        return
    link = conversation.links.get(flow.handle) if flow.handle is not None else None
    if link and link.attach.role is Role.RECEIVER:
        link.credit = ((flow.delivery_count or 0) + (flow.link_credit or 0) - link.count) & NUMBERS
        conversation.deliver(channel)
        if flow.drain:
            link.count, link.credit = (link.count + link.credit) & NUMBERS, 0
        if flow.drain or flow.echo:
            conversation.flow(channel, handle=flow.handle, delivery_count=link.count, link_credit=link.credit)
    elif flow.echo:
        conversation.flow(channel)


def on_transfer(conversation: Conversation, channel: int, transfer: Transfer, payload: bytes) -> None:
    conversation.came += 1
    link = conversation.links[transfer.handle]
    if transfer.aborted:
        link.unfinished = b""
        return
    link.unfinished += payload
    link.settled = link.settled or bool(transfer.settled)
    if transfer.delivery_id is not None:
        link.number = transfer.delivery_id
    if transfer.more:
        return
    link.count += 1
    conversation.peer.queues.setdefault(link.address, deque()).append(link.unfinished)
    if not link.settled:
        conversation.say(Disposition(Role.RECEIVER, link.number, settled=True, state=Accepted()), channel)
    link.unfinished, link.settled = b"", False
    conversation.deliver(channel)


def on_disposition(
    conversation: Conversation, channel: int, disposition: Disposition, payload: bytes
) -> None:
    last = disposition.first if disposition.last is None else disposition.last
    for number in range(disposition.first, last + 1):
        if number in conversation.deliveries and disposition.state is not None:
            address, message = conversation.deliveries.pop(number)
            if isinstance(disposition.state, Released):
                conversation.peer.queues[address].appendleft(message)
    conversation.deliver(channel)


def on_detach(conversation: Conversation, channel: int, detach: Detach, payload: bytes) -> None:
    conversation.links.pop(detach.handle, None)
    conversation.say(Detach(detach.handle, detach.closed), channel)


def on_end(conversation: Conversation, channel: int, end: End, payload: bytes) -> None:
    conversation.say(End(), channel)


def on_close(conversation: Conversation, channel: int, close: Close, payload: bytes) -> None:
    conversation.say(Close())


def on_malformed(conversation: Conversation, channel: int, performative: None, payload: bytes) -> None:
    conversation.socket.shutdown(socket.SHUT_RDWR)


def keep_silent(conversation: Conversation, channel: int, performative: Any, payload: bytes) -> None:
    return


def say(*performatives: Any) -> Answer:
    """Says the same every time, on the channel that is spoken on."""

    def answer(conversation: Conversation, channel: int, performative: Any, payload: bytes) -> None:
        for item in performatives:
            conversation.say(item, channel)

    return answer


def say_octets(octets: bytes) -> Answer:
    return lambda conversation, channel, performative, payload: conversation.socket.sendall(octets)


ANSWERS: Mapping[str, Answer] = {
    "header": on_header,
    "sasl-init": on_sasl_init,
    "open": on_open,
    "begin": on_begin,
    "attach": on_attach,
    "flow": on_flow,
    "transfer": on_transfer,
    "disposition": on_disposition,
    "detach": on_detach,
    "end": on_end,
    "close": on_close,
    "malformed": on_malformed,
}


class FakePeer:
    """A container that listens on the loopback.

    Attributes:
        url: Where.
        queues: Messages by address.
        first_count: The delivery-count with which its links begin.
        knows: Whether there is a node at an address, or one is created for an attach.
    """

    def __init__(self, server: socket.socket, answers: Mapping[str, Answer]) -> None:
        self.url = f"amqp://127.0.0.1:{server.getsockname()[1]}"
        self.queues: dict[str, deque[bytes]] = {}
        self.first_count = 0
        self.knows: Callable[[str], bool] = lambda address: "/" not in address
        self._server = server
        self._answers = {**ANSWERS, **answers}

    def answer(self, name: str) -> Answer:
        return self._answers.get(name, keep_silent)

    def listen(self) -> None:
        with suppress(OSError):
            while True:
                stream, _ = self._server.accept()
                threading.Thread(target=Conversation(self, stream).run, daemon=True).start()


@contextmanager
def running(**answers: Answer) -> Iterator[FakePeer]:
    """A fake peer; answers in place of its own by the name of the performative, ``sasl_init`` for ``sasl-init``."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        peer = FakePeer(server, {name.replace("_", "-"): answer for name, answer in answers.items()})
        thread = threading.Thread(target=peer.listen, daemon=True)
        thread.start()
        yield peer
        server.shutdown(socket.SHUT_RDWR)
    thread.join(PATIENCE)
