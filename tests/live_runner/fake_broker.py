"""A broker on loopback that does just what the runner needs, and misbehaves as it is told to.

It speaks through the generated codec. What it says to a method is a function; a test replaces those it likes.
"""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

import amqp_0_9_1_rabbitmq as amqp

methods = amqp.methods
PRODUCT, VERSION = "Fake", "1.2.3"


class Conversation:
    """One connection.

    Attributes:
        broker: The broker it belongs to.
        channels: The numbers of the open channels.
    """

    def __init__(self, broker: FakeBroker, sock: socket.socket) -> None:
        self.broker = broker
        self.socket = sock
        self.channels: set[int] = set()

    def run(self) -> None:
        """Answers until either side closes the socket."""
        decoder = amqp.FrameDecoder(max_frame_size=1 << 17)
        try:
            self.header = self.socket.recv(8, socket.MSG_WAITALL)
            if not self.header:
                return
            self.broker.answer("protocol header")(self, 0, None)
            while data := self.socket.recv(1 << 16):
                for channel, frame in decoder.feed(data):
                    self.broker.came.append(frame)
                    self.broker.answer(getattr(frame, "NAME", ""))(self, channel, frame)
        except (OSError, amqp.CodecError):  # not frames: TLS, for example
            return
        finally:
            self.close()

    def say(self, channel: int, *frames: Any) -> None:
        self.say_octets(b"".join(amqp.encode_frame(channel, frame) for frame in frames))

    def say_message(self, channel: int, method: Any, body: bytes) -> None:
        self.say_octets(amqp.encode_message(channel, method, None, body))

    def say_octets(self, octets: bytes) -> None:
        self.socket.sendall(octets)

    def close(self) -> None:
        with suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()

    def reset(self) -> None:
        """Ends the socket with a RST."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()


Answer = Callable[[Conversation, int, Any], None]


def say(*frames: Any) -> Answer:
    """Says the same every time, on the channel that is spoken on."""
    return lambda conversation, channel, method: conversation.say(channel, *frames)


def say_octets(octets: bytes) -> Answer:
    return lambda conversation, channel, method: conversation.say_octets(octets)


def keep_silent(conversation: Conversation, channel: int, method: Any) -> None:
    return


def hang_up(conversation: Conversation, channel: int, method: Any) -> None:
    conversation.close()


def reset(conversation: Conversation, channel: int, method: Any) -> None:
    conversation.reset()


def die(conversation: Conversation, channel: int, method: Any) -> None:
    conversation.broker.stop()


def close_channel(code: int, text: str = "no") -> Answer:
    return say(methods.ChannelClose(code, text))


def close_connection(code: int, text: str = "no") -> Answer:
    return lambda conversation, channel, method: conversation.say(0, methods.ConnectionClose(code, text))


def both(*answers: Answer) -> Answer:
    def answer(conversation: Conversation, channel: int, method: Any) -> None:
        for item in answers:
            item(conversation, channel, method)

    return answer


def _start(conversation: Conversation, channel: int, method: Any) -> None:
    properties = {"product": PRODUCT, "version": VERSION}
    conversation.say(0, methods.ConnectionStart(0, 9, properties, b"PLAIN", b"en_US"))


def _open_channel(conversation: Conversation, channel: int, method: Any) -> None:
    if channel in conversation.channels:
        conversation.say(0, methods.ConnectionClose(504, "it is open", 20, 10))
        return
    conversation.channels.add(channel)
    conversation.say(channel, methods.ChannelOpenOk())


def _close_channel(conversation: Conversation, channel: int, method: Any) -> None:
    conversation.channels.discard(channel)
    conversation.say(channel, methods.ChannelCloseOk())


def _declare_queue(conversation: Conversation, channel: int, method: Any) -> None:
    conversation.broker.queues.add(method.queue)
    conversation.say(channel, methods.QueueDeclareOk(method.queue))


def _delete_queue(conversation: Conversation, channel: int, method: Any) -> None:
    conversation.broker.queues.discard(method.queue)
    conversation.say(channel, methods.QueueDeleteOk())


_GOOD: Mapping[str, Answer] = {
    "protocol header": _start,
    "connection.start-ok": say(methods.ConnectionTune(100, 1 << 17, 0)),
    "connection.open": say(methods.ConnectionOpenOk()),
    "connection.close": both(say(methods.ConnectionCloseOk()), hang_up),
    "connection.close-ok": hang_up,
    "channel.open": _open_channel,
    "channel.close": _close_channel,
    "channel.close-ok": lambda conversation, channel, method: conversation.channels.discard(channel),
    "channel.flow": say(methods.ChannelFlowOk(True)),
    "exchange.delete": say(methods.ExchangeDeleteOk()),
    "queue.declare": _declare_queue,
    "queue.delete": _delete_queue,
}


class FakeBroker:
    """Listens on a port of its own until it is stopped; it may be started again there.

    Attributes:
        answers: What it says to a method, by its name; ``protocol header`` counts as one.
        port: Where it listens.
        queues: The names of the queues that are declared and not deleted.
        came: Every frame that came on any connection.
    """

    def __init__(self, answers: Mapping[str, Answer]) -> None:
        self.answers = dict(answers)
        self.queues: set[str] = set()
        self.came: list[Any] = []
        self.port = 0
        self._conversations: list[Conversation] = []
        self.start()

    @property
    def url(self) -> str:
        return f"amqp://guest:secret@127.0.0.1:{self.port}/"

    def answer(self, name: str) -> Answer:
        return self.answers.get(name) or _GOOD.get(name, keep_silent)

    def start(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", self.port))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def stop(self) -> None:
        """Dies: nothing listens any more, and all connections end."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # wakes up accept
        self._listener.close()
        for conversation in self._conversations:
            conversation.close()

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                sock, _ = listener.accept()
            except OSError:
                return
            conversation = Conversation(self, sock)
            self._conversations.append(conversation)
            threading.Thread(target=conversation.run, daemon=True).start()


@contextmanager
def fake_broker(answers: Mapping[str, Answer] | None = None) -> Iterator[FakeBroker]:
    """A broker that behaves well but for these answers."""
    broker = FakeBroker(answers or {})
    try:
        yield broker
    finally:
        broker.stop()
