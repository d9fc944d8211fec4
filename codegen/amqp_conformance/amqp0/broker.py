"""The broker of the 0-x family as a driver sees it, and as the runner asks it for its name and removes what is left.

Both go over ``LiveConnection``. The connection engine of the package is too strict for this: it hangs up on a broker with
another version, too small a frame-max or an unknown letter of a table in its handshake, and that is what rules are about.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import islice
from typing import Any

from ..engine.broker_view import NAME_PREFIX, BrokerView
from ..engine.run_result import Disconnected, Identity, NoAnswer, Violation
from .connection import LiveChannel, LiveConnection
from .frames import describe

# More methods than these are sent at once, and not one after the other has been answered.
_MANY = 8


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

    def leave(self, connection: LiveConnection) -> None:
        """Cancel the consumers that are left, and close the connection.

        A close ends consumers, too, but some brokers answer it first: then the queue would be deleted under a consumer.
        """
        connection.cancel_consumers()
        connection.close()

    def identify(self) -> Identity:
        """See ``BrokerView``."""
        connection = self.connect()
        properties = connection.start.server_properties
        connection.close()
        return Identity(str(properties.get("product", "")), str(properties.get("version", "")))

    def refused_declaration(self) -> str:
        """Declare a queue and delete it; return how the broker says that our user may not, or nothing."""
        methods = self.amqp.methods
        channel = self.open_channel()
        queue = self.name("permission")
        channel.send(methods.QueueDeclare(queue=queue, exclusive=True))
        reply = channel.next()
        if isinstance(reply, (methods.ChannelClose, methods.ConnectionClose)):
            is_refused = reply.reply_code == self.amqp.constants.ReplyCode.ACCESS_REFUSED
            return f"declare queues: {describe(reply)}" if is_refused else ""
        channel.call(methods.QueueDelete(queue=queue))
        channel.connection.close()
        return ""

    def probe(self, names: Sequence[str] = ()) -> None:
        """Delete the exchanges and queues of these names; without names, a queue that does not exist.

        Raises:
            NoAnswer, Disconnected: The broker does not answer.
            BrokerDied: Nothing listens.
            Violation: It closes the connection.
        """
        methods = self.amqp.methods
        deletes = [
            method
            for name in names
            for method in (methods.ExchangeDelete(exchange=name), methods.QueueDelete(queue=name))
        ] or [methods.QueueDelete(queue=f"{NAME_PREFIX}none")]
        if len(deletes) > _MANY:
            try:
                self._delete(deletes, at_once=len(deletes))
            except (NoAnswer, Disconnected):
                raise
            except Violation:  # it minds what comes on a channel that it has closed
                self._delete(deletes, at_once=1)
        else:
            self._delete(deletes, at_once=1)

    def _delete(self, methods: Sequence[Any], at_once: int) -> None:
        """Delete entities, which may be missing or belong to somebody else; so many methods are sent at once.

        A slow broker needs as long for many that are sent at once as for one.
        """
        connection = self.connect()
        waiting = deque(methods)
        while waiting:
            channel = connection.open_channel()
            is_open = True
            while waiting and is_open:
                sent = list(islice(waiting, at_once))
                channel.send(*sent)
                for method in sent:
                    with connection.expecting(f"an answer to {method.NAME}"):
                        reply = channel.next()
                    waiting.popleft()
                    if isinstance(reply, self.amqp.methods.ConnectionClose):
                        raise Violation(reply.reply_text)
                    if isinstance(reply, self.amqp.methods.ChannelClose):
                        is_open = False
                        break
        connection.close()
