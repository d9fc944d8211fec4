"""A client of 0-x that plays a script: a ``Client`` with a name and an address of its own, which notes its end."""

from __future__ import annotations

import struct
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import amqp_0_9_1_rabbitmq

from tests.broker.client import Client, Disconnected
from tests.patience import PATIENCE

from ..labels import ANSWERS_HEADER, HANGS_UP, NOTHING

METHOD, HEADER, BODY = 1, 2, 3
FRAME_END = b"\xce"
SERVER_HEADER = b"AMQP\x00\x00\x09\x01"


def frame(kind: int, payload: bytes, channel: int = 1, end: bytes = FRAME_END) -> bytes:
    """The octets of a frame."""
    return struct.pack(">BHI", kind, channel, len(payload)) + payload + end


def method(ids: tuple[int, int], arguments: bytes = b"", channel: int = 1) -> bytes:
    """The octets of a frame with a method of these ids and arguments."""
    return frame(METHOD, struct.pack(">HH", *ids) + arguments, channel)


class Actor(Client):
    """One connection of a script.

    Attributes:
        id: What the client is called; its product, too.
        reactions: What the broker did that is worth a label, on this connection.
        others: More connections of the same client.
    """

    def __init__(self, id: str, source: str, amqp: Any = amqp_0_9_1_rabbitmq) -> None:
        """Connect, and say nothing yet.

        Args:
            id: What the client is called.
            source: The address from which it connects.
            amqp: The generated package.
        """
        super().__init__(amqp, timeout=PATIENCE, source=(source, 0))
        self.id = id
        self.source = source
        self.port = int(self.socket.getsockname()[1])
        self.reactions: list[str] = []
        self.others: list[Actor] = []

    # --- The client and its connections ---

    def another(self) -> Actor:
        """One more connection of the same client."""
        self.others.append(Actor(self.id, self.source, self.amqp))
        return self.others[-1]

    def name(self) -> str:
        """A name that nobody else has."""
        return f"{self.id}.{uuid.uuid4().hex[:8]}"

    def handshake(self, **options: Any) -> Actor:
        """As ``Client.handshake``, with the heartbeat that the server wants."""
        super().handshake(**{"heartbeat": 60} | options)
        return self

    def ready(self, **options: Any) -> Actor:
        """Open the connection and its channel 1."""
        self.handshake(**options).open_channel()
        return self

    def start_ok(self, capabilities: dict[str, Any] | None = None) -> Any:
        """As that of ``Client``, with a product of its own."""
        found = super().start_ok(capabilities)
        found.client_properties |= {"product": self.id, "version": "1.0", "platform": "Python"}
        return found

    def started(self) -> Actor:
        """Send the header, and take connection.start."""
        self.send_octets(self.amqp.PROTOCOL_HEADER)
        self.start = self.expect(self.amqp.methods.ConnectionStart, channel=0)
        return self

    def tuned(self, **changes: int) -> Actor:
        """Log in, and answer connection.tune with what is offered, but for these changes."""
        self.started().send(self.start_ok(), channel=0)
        tune = self.expect(self.amqp.methods.ConnectionTune, channel=0)
        self.frame_max = tune.frame_max
        fields = {"channel_max": tune.channel_max, "frame_max": tune.frame_max, "heartbeat": 60}
        self.send(self.amqp.methods.ConnectionTuneOk(**fields | changes), channel=0)
        return self

    def opened(self) -> Actor:
        """Open the virtual host, after ``tuned``."""
        self.call(self.amqp.methods.ConnectionOpen(self.address.virtual_host), channel=0)
        return self

    # --- What the broker does ---

    def watch(self, expected: str) -> None:
        """After the script: wait for what the broker is expected to do, if anything, and say goodbye."""
        with self.noting():
            while self.is_open and expected not in (NOTHING, *self.reactions):
                self.next()
        with self.noting():
            if self.is_open and not any(it.startswith("connection") for it in self.reactions):
                self.close()

    @property
    def is_open(self) -> bool:
        """Whether we have not closed the socket yet."""
        return self.socket.fileno() >= 0

    def cut_off(self) -> None:
        """Close the sockets of all connections that are still open."""
        for one in (self, *self.others):
            one.socket.close()

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Go on after the broker has closed the channel or the connection, or has let us wait in vain."""
        errors = self.amqp.errors
        try:
            yield
        except (errors.ConnectionCloseError, errors.ChannelCloseError, TimeoutError):
            pass  # ``_checked`` has noted it
        except Disconnected:
            self.reactions.append(HANGS_UP)
            self.socket.close()

    def read_to_end(self) -> None:
        """Read until the broker hangs up."""
        data = b""
        with suppress(Disconnected):
            while True:
                data += self.receive_octets()
        self.reactions.append(ANSWERS_HEADER if data == SERVER_HEADER else HANGS_UP)
        self.socket.close()

    def takes_close(self, channel: int) -> None:
        """Wait until the broker closes the channel, or the connection (0), and do not answer."""
        close = self.take(channel)
        self.reactions.append(f"{close.NAME.partition('.')[0]} {close.reply_code}")

    def _checked(self, item: Any, channel: int) -> Any:
        methods = self.amqp.methods
        if isinstance(item, methods.ConnectionClose):
            self.reactions.append(f"connection {item.reply_code}")
        elif isinstance(item, methods.ChannelClose):
            self.reactions.append(f"channel {item.reply_code}")
        return super()._checked(item, channel)
