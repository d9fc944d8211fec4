"""The broker of the 0-x family as a driver sees it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..engine.broker_view import NAME_PREFIX, BrokerView
from ..engine.run_result import Identity, Violation
from .connection import LiveChannel, LiveConnection


class Broker(BrokerView):
    """The broker in the trial of one rule, over the 0-x family.

    ``tune``, ``connect`` and ``open_channel`` are set-up, unless they are called in ``trial``.
    """

    def dial(self) -> LiveConnection:
        """Connect the socket, and send nothing yet."""
        connection = LiveConnection(self)
        self.connections.append(connection)
        return connection

    def tune(self, **tuning: int) -> LiveConnection:
        """Connect up to where connection.open is due; ``tuning`` as in ``connect``."""
        with self.set_up():
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
        with self.set_up():
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

    def probe(self, names: Sequence[str] = ()) -> None:
        """Delete the exchanges and queues of these names; without names, a queue that does not exist.

        Raises:
            NoAnswer, Disconnected: The broker does not answer.
            BrokerDied: Nothing listens.
            Violation: It closes the connection.
        """
        methods = self.amqp.methods
        connection = self.connect()
        deletes = [
            method
            for name in names
            for method in (methods.ExchangeDelete(exchange=name), methods.QueueDelete(queue=name))
        ]
        channel = connection.open_channel()
        for method in deletes or [methods.QueueDelete(queue=f"{NAME_PREFIX}none")]:
            if not self._delete(channel, method):
                channel = connection.open_channel()
        connection.close()

    def _delete(self, channel: LiveChannel, method: Any) -> bool:
        """Delete an entity, which may be missing or belong to somebody else; return whether the channel is still open."""
        channel.send(method)
        with channel.connection.expecting(f"an answer to {method.NAME}"):
            reply = channel.next()
        if isinstance(reply, self.amqp.methods.ConnectionClose):
            raise Violation(reply.reply_text)
        return not isinstance(reply, self.amqp.methods.ChannelClose)
