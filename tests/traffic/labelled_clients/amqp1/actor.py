"""A client of 1.0 that plays a script: a ``Peer`` with a name and an address of its own, which notes its end."""

from __future__ import annotations

import socket
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import amqp_0_9_1_rabbitmq
from amqp_0_9_1_rabbitmq.methods import QueueDeclare, QueueDelete
from amqp_1_0.performatives import Close, Detach, End
from amqp_1_0.types import Symbol

from tests.broker.client import Client
from tests.interop.client import Disconnected, Ended, Peer, Refused, Session, address
from tests.patience import PATIENCE

from ..labels import HANGS_UP, NOTHING

REFUSED = "refused"


@contextmanager
def _keeper() -> Iterator[Client]:
    """A client of 0-9-1, which can declare queues."""
    client = Client(amqp_0_9_1_rabbitmq).handshake().open_channel()
    try:
        yield client
    finally:
        client.close()


class Actor(Peer):
    """One connection of a script.

    Attributes:
        id: What the client is called; its container-id and its product, too.
        reactions: What the broker did that is worth a label, on this connection.
        others: More connections of the same client; there are none.
    """

    def __init__(self, id: str, source: str) -> None:
        """Connect from an address, and say nothing yet."""
        where = address()
        super().__init__(
            socket.create_connection((where.host, where.port), PATIENCE, (source, 0)), timeout=PATIENCE
        )
        self.id = id
        self.port = int(self.stream.getsockname()[1])
        self.reactions: list[str] = []
        self.others: list[Actor] = []
        self._queues: list[str] = []

    def name(self) -> str:
        """The address of a topic that nobody else has."""
        return f"/topic/{self.id}.{uuid.uuid4().hex[:8]}"

    def queue(self) -> str:
        """The address of a queue that nobody else has, and that is gone in the end.

        RabbitMQ would make one for a topic, too, and leave it behind.
        """
        name = f"{self.id}.{uuid.uuid4().hex[:8]}"
        with _keeper() as keeper:
            keeper.call(QueueDeclare(name, durable=True))
        self._queues.append(name)
        return f"/amq/queue/{name}"

    def logged_in(self) -> Actor:
        """Log in with SASL."""
        self.log_in(*address()[2:])
        return self

    def ready(self, **fields: Any) -> Session:
        """Log in, open the connection, and begin a session."""
        return self.logged_in().opened(**fields).begin()

    def opened(self, **fields: Any) -> Actor:
        """Open the connection."""
        self.open(**{"container_id": self.id, "properties": self.properties} | fields)
        return self

    @property
    def properties(self) -> dict[Symbol, str]:
        """Those of open."""
        return {Symbol("product"): self.id, Symbol("version"): "1.0"}

    # --- What the broker does ---

    def watch(self, expected: str) -> None:
        """After the script: wait for what the broker is expected to do, if anything, and say goodbye."""
        with self.noting():
            if self.is_open and expected not in (NOTHING, *self.reactions):
                self.wait(lambda: False, expected)
        with self.noting():
            if self.is_open:
                self.pump(0.1)
                for item in [item for _, item in self.inbox if isinstance(item, (Close, End, Detach))]:
                    self._answer(item)
        with self.noting():
            if self.is_open:
                answer = self.close()
                if answer.error is not None:
                    self._note(answer)

    @property
    def is_open(self) -> bool:
        """Whether we have not closed the socket yet."""
        return self.stream.fileno() >= 0

    def cut_off(self) -> None:
        """Close the socket, if it is still open, and delete what it needed."""
        self.stream.close()
        if self._queues:
            with _keeper() as keeper:
                for name in self._queues:
                    keeper.call(QueueDelete(name))

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Go on after the broker has ended something, or has let us wait in vain."""
        try:
            yield
        except Ended as ended:
            self._answer(ended.performative)
        except Disconnected:
            self.reactions.append(HANGS_UP)
            self.stream.close()
        except Refused:
            self.reactions.append(REFUSED)
            self.stream.close()
        except TimeoutError:
            pass

    def _note(self, ended: Close | End | Detach) -> None:
        condition = ended.error and ended.error.condition
        words = [type(ended).__name__.lower(), str(getattr(condition, "value", condition or ""))]
        self.reactions.append(" ".join(words).strip())

    def _answer(self, ended: Close | End | Detach) -> None:
        self._note(ended)
        channel = next((number for number, item in self.inbox if item is ended), 0)
        if isinstance(ended, Close):
            with suppress(Disconnected):
                self.send(Close())
            self.stream.close()
        elif isinstance(ended, End):
            self.send(End(), self.sessions[channel].channel if channel in self.sessions else channel)
        else:
            self.send(Detach(ended.handle, closed=True))
        self.inbox = type(self.inbox)(pair for pair in self.inbox if pair[1] is not ended)
