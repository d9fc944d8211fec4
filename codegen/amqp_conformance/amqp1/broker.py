"""What a driver of AMQP 1.0 gets: a container, which need not be a broker."""

from __future__ import annotations

import uuid
from contextlib import suppress
from dataclasses import replace
from typing import Any

from amqp_1_0.performatives import Open
from amqp_codegen.support.packages import load_package

from ..amqp0.broker import Broker as Broker0
from ..engine.broker_view import NAME_PREFIX, BrokerView
from ..engine.run_result import BrokerDied, Identity, OutOfTime, Violation
from .connection import LiveConnection
from .links import LiveSession, Receiver, Sender
from .login import exchange_headers, expect_open, log_in, make_open

# RabbitMQ takes three seconds to close a socket without a word.
_PATIENCE = 5.0
# Loaded once for all threads.
_AMQP_0_9_1 = load_package("amqp_0_9_1")


class Broker(BrokerView):
    """The peer as seen by the trial of one rule, spoken to in AMQP 1.0."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.patience = min(self.patience, _PATIENCE)

    # --- connections ---

    def dial(self) -> LiveConnection:
        """Connects the socket, and says nothing yet."""
        connection = LiveConnection(self)
        self.connections.append(connection)
        return connection

    def log_in(self, **fields: Any) -> LiveConnection:
        """A connection whose SASL exchange is over; next are the headers of AMQP itself.

        Args:
            fields: Of sasl-init, in place of what they would be.
        """
        connection = self.dial()
        log_in(connection, self.target, **fields)
        return connection

    def before_open(self) -> LiveConnection:
        """A connection whose headers are exchanged, and on which open is due."""
        connection = self.log_in()
        exchange_headers(connection, "amqp")
        return connection

    def connect(self, **fields: Any) -> LiveConnection:
        """A connection that is open.

        Args:
            fields: Of open, in place of what they would be.
        """
        connection = self.before_open()
        connection.send(self.make_open(**fields))
        expect_open(connection)
        return connection

    def make_open(self, **fields: Any) -> Open:
        """Our open, with a container-id that nobody else uses."""
        return make_open(self.target, f"{NAME_PREFIX}{uuid.uuid4().hex}", **fields)

    def begin(self, **fields: Any) -> LiveSession:
        """A session on a connection of its own.

        Args:
            fields: Of begin, in place of what they would be.
        """
        session = LiveSession(self.connect())
        session.begin(**fields)
        return session

    def pair(self) -> tuple[Sender, Receiver]:
        """A sender to a queue of its own and a receiver from it, without credit, on one session."""
        session, address = self.begin(), self.queue()
        return session.sender(address), session.receiver(address)

    # --- nodes ---

    def queue(self, label: str = "queue") -> str:
        """The address of a queue of its own, which comes to be once a link is attached to it.

        RabbitMQ takes an address without slashes for the name of a queue and declares it.
        """
        return self.name(label)

    def missing_node(self) -> str:
        """An address at which there is nothing, and where nothing comes to be by attaching to it.

        RabbitMQ takes it for the name of an exchange, which has to be declared by other means.
        """
        return f"/exchange/{self.name('missing')}"

    # --- for the runner ---

    def identify(self) -> Identity:
        """Logs in and asks the peer who it is.

        Raises:
            BrokerDied: Nothing listens.
            Violation: It does not let us in.
        """
        connection = self.connect()
        properties = (connection.remote and connection.remote.properties) or {}
        connection.close()
        return Identity(str(properties.get("product", "")), str(properties.get("version", "")))

    def remove(self, names: list[str]) -> list[str]:
        """Deletes the queues of these names; returns the names that could not be removed.

        AMQP 1.0 itself has no way to do that. RabbitMQ has: AMQP 0-9-1 on the same port. A peer that does not
        speak it keeps its nodes, or gives them up by itself.
        """
        helper = Broker0(replace(self._setting, amqp=_AMQP_0_9_1))
        try:
            with suppress(Violation):
                helper.connect()
                return helper.remove(names)
            return []
        except (BrokerDied, OutOfTime):
            return names
        finally:
            helper.close_sockets()
