"""The peer of AMQP 1.0 as a driver sees it: a container, not necessarily a broker."""

from __future__ import annotations

import uuid
from contextlib import suppress
from dataclasses import replace
from typing import Any

from amqp_1_0.performatives import Open
from amqp_codegen.support.resources import load_package

from ..engine.broker_view import NAME_PREFIX, BrokerView
from ..engine.registry import broker_class
from ..engine.run_result import BrokerDied, Identity, OutOfTime, Violation
from .connection import LiveConnection
from .links import LiveSession, Receiver, Sender
from .login import exchange_headers, expect_open, log_in, make_open

# RabbitMQ takes three seconds until it silently closes a socket.
_PATIENCE = 5.0
# What removes queues, over AMQP 0-9-1. Loaded once for all threads.
_AMQP_0_9_1 = load_package("amqp_0_9_1")
_Broker0 = broker_class("amqp0")


class Broker(BrokerView):
    """The peer in the trial of one rule, over AMQP 1.0.

    ``fields``, in all methods, replace fields of the performative that the method sends.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.patience = min(self.patience, _PATIENCE)

    # --- connections ---

    def dial(self) -> LiveConnection:
        """Connect the socket, and send nothing yet."""
        connection = LiveConnection(self)
        self.connections.append(connection)
        return connection

    def log_in(self, **fields: Any) -> LiveConnection:
        """Connect up to the end of the SASL exchange; the headers of AMQP itself are next."""
        connection = self.dial()
        log_in(connection, self.target, **fields)
        return connection

    def before_open(self) -> LiveConnection:
        """Connect up to the exchange of headers; open is due."""
        connection = self.log_in()
        exchange_headers(connection, "amqp")
        return connection

    def connect(self, **fields: Any) -> LiveConnection:
        """Open a connection."""
        connection = self.before_open()
        connection.send(self.make_open(**fields))
        expect_open(connection)
        return connection

    def make_open(self, **fields: Any) -> Open:
        """Return our open, with a unique container-id."""
        return make_open(self.target, f"{NAME_PREFIX}{uuid.uuid4().hex}", **fields)

    def begin(self, **fields: Any) -> LiveSession:
        """Begin a session on a connection of its own."""
        session = LiveSession(self.connect())
        session.begin(**fields)
        return session

    def pair(self) -> tuple[Sender, Receiver]:
        """Attach a sender to a new queue and a receiver from it, without credit, on one session."""
        session, address = self.begin(), self.queue()
        return session.sender(address), session.receiver(address)

    # --- nodes ---

    def queue(self, label: str = "queue") -> str:
        """Return the address of a new queue, which is created when a link is attached to it.

        RabbitMQ takes an address without slashes as the name of a queue and declares it.
        """
        return self.name(label)

    def missing_node(self) -> str:
        """Return an address without a node, where attaching does not create one.

        RabbitMQ takes it as the name of an exchange, which must be declared by other means.
        """
        return f"/exchange/{self.name('missing')}"

    # --- for the runner ---

    def identify(self) -> Identity:
        """Log in and return what the peer says of itself.

        Raises:
            BrokerDied: Nothing listens.
            Violation: The peer refuses the login.
        """
        connection = self.connect()
        properties = (connection.remote and connection.remote.properties) or {}
        connection.close()
        return Identity(str(properties.get("product", "")), str(properties.get("version", "")))

    def remove(self, names: list[str]) -> list[str]:
        """Delete the queues of these names; return the names that could not be removed.

        AMQP 1.0 itself cannot delete them. RabbitMQ can, by AMQP 0-9-1 on the same port. A peer that does not support it
        keeps its nodes, or deletes them by itself.
        """
        helper = _Broker0(replace(self._setting, amqp=_AMQP_0_9_1))
        try:
            with suppress(Violation):
                helper.connect()
                left: list[str] = helper.remove(names)
                return left
            return []
        except (BrokerDied, OutOfTime):
            return names
        finally:
            helper.close_sockets()
