"""The peer of AMQP 1.0 as a driver sees it: a container, not necessarily a broker."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, ClassVar

from amqp_1_0.performatives import Open
from amqp_codegen.support.resources import load_package

from ..engine.broker_view import NAME_PREFIX, BrokerView
from ..engine.registry import broker_class
from ..engine.run_result import Identity
from .connection import LiveConnection
from .links import LiveSession, Receiver, Sender
from .login import exchange_headers, expect_open, identity_of, log_in, make_open
from .nodes import Nodes, find_nodes

# Loaded once for all threads.
_AMQP_0_9_1 = load_package("amqp_0_9_1")
_Broker0 = broker_class("amqp0")


class Broker(BrokerView):
    """The peer in the trial of one rule, over AMQP 1.0.

    ``fields``, in all methods, replace fields of the performative that the method sends. All methods but ``dial`` are
    set-up, unless they are called in ``trial``.
    """

    # Silence is the answer to many faults here: a longer wait would make a run much longer.
    PATIENCE: ClassVar[float] = 5.0

    # --- connections ---

    def dial(self) -> LiveConnection:
        """Connect the socket, and send nothing yet."""
        connection = LiveConnection(self)
        self.connections.append(connection)
        return connection

    def log_in(self, **fields: Any) -> LiveConnection:
        """Connect up to the end of the SASL exchange; the headers of AMQP itself are next."""
        with self.set_up():
            connection = self.dial()
            log_in(connection, self.target, **fields)
            return connection

    def before_open(self) -> LiveConnection:
        """Connect up to the exchange of headers; open is due."""
        with self.set_up():
            connection = self.log_in()
            exchange_headers(connection, "amqp")
            return connection

    def connect(self, **fields: Any) -> LiveConnection:
        """Open a connection."""
        with self.set_up():
            connection = self.before_open()
            connection.send(self.make_open(**fields))
            expect_open(connection)
            return connection

    def make_open(self, **fields: Any) -> Open:
        """Return our open, with a unique container-id."""
        return make_open(self.target, f"{NAME_PREFIX}{uuid.uuid4().hex}", **fields)

    def begin(self, **fields: Any) -> LiveSession:
        """Begin a session on a connection of its own."""
        with self.set_up():
            session = LiveSession(self.connect())
            session.begin(**fields)
            return session

    def pair(self) -> tuple[Sender, Receiver]:
        """Attach a sender to a new queue and a receiver from it, without credit, on one session."""
        with self.set_up():
            session, address = self.begin(), self.queue()
            return session.sender(address), session.receiver(address)

    # --- nodes ---

    def queue(self, label: str = "queue") -> str:
        """Return the address of a new queue; some peers create it only when a link is attached to it."""
        name = self.name(label)
        with self.set_up():
            self._nodes.create(self, name)
            return self._nodes.address(name)

    def missing_node(self) -> str:
        """Return an address without a node, where attaching does not create one."""
        with self.set_up():
            return self._nodes.missing_address(self.name("missing"))

    @property
    def deletes_nodes(self) -> bool:
        """Whether ``remove`` deletes queues."""
        return self._nodes.deletes

    @property
    def _nodes(self) -> Nodes:
        """How queues are made here; the first trial of a run asks."""
        if "nodes" not in self._setting.findings:
            self._setting.findings["nodes"] = find_nodes(self, self.name("first"))
        nodes: Nodes = self._setting.findings["nodes"]
        return nodes

    @contextmanager
    def over_0_9_1(self) -> Iterator[Any]:
        """Give the view of 0-9-1 on the same port; its sockets are closed at the end."""
        view = _Broker0(replace(self._setting, amqp=_AMQP_0_9_1))
        try:
            yield view
        finally:
            view.close_sockets()

    # --- for the runner ---

    def identify(self) -> Identity:
        """See ``BrokerView``."""
        connection = self.connect()
        connection.close()
        return identity_of(connection.remote)

    def refused_declaration(self) -> str:
        """Make a queue and delete it; return how the peer says that our user may not, or nothing."""
        try:
            return self._nodes.refusal(self, self.name("permission"))
        finally:
            self.say_goodbye()
            self.remove(self.names)

    def probe(self, names: Sequence[str] = ()) -> None:
        """Begin and end a session, and delete the queues of these names, where that is possible.

        Raises:
            NoAnswer, Disconnected: The peer does not answer.
            BrokerDied: Nothing listens.
            Violation: It ends more than it should.
        """
        session = self.begin()
        session.end()
        session.connection.close()
        if names:
            self._nodes.delete(self, names)
