"""A man in the middle: passes on what client and broker say to each other, but for what a fault makes of it.

The faults plant misbehaviour into a broker that behaves well, one kind at a time.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any, Literal

from amqp_conformance.amqp0.frames import ReceivedFrame, SocketFrames

from .client import address

Side = Literal["broker", "client"]


@dataclass(frozen=True)
class Passage:
    """A method on its way, with all of its content when it has one.

    Attributes:
        to: Who is to get it.
        channel: The number of the channel.
        method: The method; a heartbeat and a protocol header count as such.
        octets: All of its frames.
        content: Those of its content.
        amqp: The generated package.
    """

    to: Side
    channel: int
    method: Any
    octets: bytes
    content: bytes
    amqp: Any

    @property
    def name(self) -> str:
        return str(getattr(self.method, "NAME", ""))

    @property
    def properties(self) -> Any:
        """Those in the header of its content."""
        return self.amqp.decode_frames(self.content)[0][0][1].properties

    def changed(self, **values: Any) -> Passage:
        """The same with other values in some fields of the method."""
        for field, value in values.items():
            assert hasattr(self.method, field)
            setattr(self.method, field, value)
        return replace(self, octets=self.amqp.encode_frame(self.channel, self.method) + self.content)

    def answer(self, method: Any, channel: int | None = None) -> Passage:
        """What the broker would say to the client, on the same channel unless told otherwise."""
        number = self.channel if channel is None else channel
        return Passage("client", number, method, self.amqp.encode_frame(number, method), b"", self.amqp)


# What becomes of a passage: any number of passages, each of which goes to its side.
Fault = Callable[[Passage], list[Passage]]


def no_fault(passage: Passage) -> list[Passage]:
    return [passage]


class _Passages:
    """Joins the frames that come from one side to passages."""

    def __init__(self, amqp: Any, to: Side) -> None:
        self._amqp = amqp
        self._to: Side = to
        self._reader = SocketFrames(amqp)
        self._reader.limit(0)
        self._open: dict[int, tuple[ReceivedFrame, bytes, int]] = {}

    def feed(self, octets: bytes) -> Iterator[Passage]:
        for received in self._reader.feed(octets):
            passage = self._join(received)
            if passage:
                yield passage
        assert self._reader.fault is None, self._reader.fault

    def _join(self, received: ReceivedFrame) -> Passage | None:
        """The passage that is complete with this frame; content never comes before its method."""
        frame, channel = received.frame, received.channel
        first, content, left = self._open.pop(channel, (received, b"", -1))
        if isinstance(frame, self._amqp.ContentHeader):
            content, left = received.octets, frame.body_size
        elif isinstance(frame, self._amqp.ContentBody):
            content, left = content + received.octets, left - len(frame.payload)
        elif not getattr(frame, "HAS_CONTENT", False):
            left = 0
        if left:
            self._open[channel] = (first, content, left)
            return None
        return Passage(self._to, channel, first.frame, first.octets + content, content, self._amqp)


class _Conversation:
    """One connection of a client, and the one to the broker that belongs to it."""

    def __init__(self, relay: Relay, client: socket.socket, broker: socket.socket) -> None:
        self._relay = relay
        self._sockets: dict[Side, socket.socket] = {"client": client, "broker": broker}
        self._lock = threading.Lock()  # a fault may answer while the broker speaks
        ways = (("client", "broker"), ("broker", "client"))
        self._threads = [threading.Thread(target=self._pass_on, args=way, daemon=True) for way in ways]
        for thread in self._threads:
            thread.start()

    def _pass_on(self, source: Side, to: Side) -> None:
        passages = _Passages(self._relay.amqp, to)
        try:
            while octets := self._sockets[source].recv(1 << 16):
                for passage in passages.feed(octets):
                    with self._lock:
                        for item in self._relay.fault(passage):
                            self._sockets[item.to].sendall(item.octets)
        except OSError:  # one side has gone; the other one shall see it
            pass
        finally:
            self._shut()

    def _shut(self) -> None:
        """Wakes up both threads; what they have read by then is on its way."""
        for item in self._sockets.values():
            with suppress(OSError):
                item.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._shut()
        for thread in self._threads:
            thread.join()
        for item in self._sockets.values():
            item.close()


class Relay:
    """Listens on a port of its own.

    Attributes:
        amqp: The generated package that both sides speak.
        fault: What it does with each passage.
        url: Where it listens, with the user and the virtual host of the broker.
    """

    def __init__(self, amqp: Any, fault: Fault) -> None:
        self.amqp = amqp
        self.fault = fault
        self._broker = address()
        self._conversations: list[_Conversation] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        port = self._listener.getsockname()[1]
        host = "%2F" if self._broker.virtual_host == "/" else self._broker.virtual_host
        self.url = f"amqp://{self._broker.user}:{self._broker.password}@127.0.0.1:{port}/{host}"
        self._acceptor = threading.Thread(target=self._accept, daemon=True)
        self._acceptor.start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                broker = socket.create_connection((self._broker.host, self._broker.port))
                for item in (client, broker):
                    item.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._conversations.append(_Conversation(self, client, broker))

    def stop(self) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # wakes up accept
        self._listener.close()
        self._acceptor.join()  # no new conversations from here on
        for conversation in self._conversations:
            conversation.close()


@contextmanager
def relay_to_broker(amqp: Any, fault: Fault = no_fault) -> Iterator[Relay]:
    """A relay that is stopped afterwards."""
    relay = Relay(amqp, fault)
    try:
        yield relay
    finally:
        relay.stop()
