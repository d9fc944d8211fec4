"""A relay between a client library and the broker, in which conversations listen to every channel.

What a client sends is heard before it goes on to the broker, and the other way round, so the order of what is
heard is one in which it can have happened.
"""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from typing import Any

from tests.patience import PATIENCE

from .client import Address

HEADER_SIZE = 8


class Eavesdropper:
    """Listens on a port of its own; use it as a context.

    Attributes:
        findings: What the conversations found, in order.
        seen: Sender and name of every method, in order.
        failures: Exceptions of its threads.
    """

    def __init__(self, amqp: Any, conversation: type[Any], broker: Address) -> None:
        self.findings: list[Any] = []
        self.seen: list[tuple[str, str]] = []
        self.failures: list[Exception] = []
        self._amqp = amqp
        self._conversation = conversation
        self._broker = broker
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._sockets: list[socket.socket] = []
        self._threads: list[threading.Thread] = []

    @property
    def address(self) -> Address:
        """Where a client has to go instead of to the broker."""
        host, port = self._listener.getsockname()
        return self._broker._replace(host=host, port=port)

    def __enter__(self) -> Eavesdropper:
        self._start(self._accept)
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._threads[0].join(PATIENCE)  # no new sockets from here on
        for item in self._sockets:
            with suppress(OSError):
                item.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(PATIENCE)
        for item in self._sockets:
            item.close()

    def _start(self, target: Any, *arguments: Any) -> None:
        thread = threading.Thread(target=target, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:  # the listener is closed
                return
            server = socket.create_connection(self._broker[:2], PATIENCE)
            server.settimeout(None)
            for item in (client, server):  # else small frames wait for acknowledgements that are delayed
                item.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._sockets += [client, server]
            conversations: dict[int, Any] = {}
            self._start(self._copy, "client", client, server, conversations)
            self._start(self._copy, "server", server, client, conversations)

    def _copy(
        self, sender: str, source: socket.socket, target: socket.socket, conversations: dict[int, Any]
    ) -> None:
        decoder = self._amqp.FrameDecoder(max_frame_size=1 << 20, dialect="rabbitmq")
        skip = HEADER_SIZE if sender == "client" else 0
        try:
            while data := source.recv(1 << 16):
                part, skip = data[skip:], max(0, skip - len(data))
                for channel, frame in decoder.feed(part):
                    self._hear(sender, channel, frame, conversations)
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            return  # either end is gone
        except Exception as error:
            self.failures.append(error)
            target.shutdown(socket.SHUT_RDWR)

    def _hear(self, sender: str, channel: int, frame: Any, conversations: dict[int, Any]) -> None:
        with self._lock:
            if channel not in conversations:
                conversations[channel] = self._conversation(channel)
            self.findings += conversations[channel].observe(sender, frame)
            if isinstance(frame, self._amqp.methods.MethodBase):
                self.seen.append((sender, frame.NAME))
