"""The broker of the 0-x family as a driver sees it."""

from __future__ import annotations

from typing import Any

from ..engine.broker_view import BrokerView
from ..engine.run_result import BrokerDied, Identity, OutOfTime, Violation
from .connection import LiveChannel, LiveConnection


class Broker(BrokerView):
    """The broker in the trial of one rule, over the 0-x family."""

    def dial(self) -> LiveConnection:
        """Connect the socket, and send nothing yet."""
        connection = LiveConnection(self)
        self.connections.append(connection)
        return connection

    def tune(self, **tuning: int) -> LiveConnection:
        """Connect up to where connection.open is due; ``tuning`` as in ``connect``."""
        connection = self.dial()
        connection.begin()
        connection.log_in()
        connection.tune_ok(**tuning)
        return connection

    def connect(self, virtual_host: str | None = None, **tuning: int) -> LiveConnection:
        """Open a connection.

        Args:
            virtual_host: By default that of the target.
            tuning: What to change in connection.tune-ok: ``channel_max``, ``frame_max``, ``heartbeat``.
        """
        connection = self.tune(**tuning)
        connection.open(virtual_host)
        return connection

    def open_channel(self) -> LiveChannel:
        """Open channel 1 of a new connection."""
        return self.connect().open_channel()

    def identify(self) -> Identity:
        """Log in and return what the broker says of itself.

        Raises:
            BrokerDied: Nothing listens.
            Violation: The broker refuses the login.
        """
        connection = self.connect()
        properties = connection.start.server_properties
        connection.close()
        return Identity(str(properties.get("product", "")), str(properties.get("version", "")))

    def remove(self, names: list[str]) -> list[str]:
        """Delete the exchanges and queues of these names; return the names that could not be removed."""
        methods = self.amqp.methods
        try:
            connection = self.connect()
            for name in names:
                for method in (methods.ExchangeDelete(exchange=name), methods.QueueDelete(queue=name)):
                    self._delete(connection, method)
            connection.close()
        except (Violation, BrokerDied, OutOfTime):
            return names
        return []

    def _delete(self, connection: LiveConnection, method: Any) -> None:
        """Delete an entity on a channel of its own; it may be missing or belong to somebody else."""
        channel = connection.open_channel()
        channel.send(method)
        reply = channel.next()
        if isinstance(reply, self.amqp.methods.ConnectionClose):
            raise Violation(reply.reply_text)
        if not isinstance(reply, self.amqp.methods.ChannelClose):
            channel.close()
