"""A channel as a driver sees it: send, and say what is expected next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..outcome import Violation
from .contents import Message
from .wording import describe, frame_name

if TYPE_CHECKING:
    from .connection import Connection


class Channel:
    """One channel of a connection; channel 0 stands for the connection itself.

    Attributes:
        connection: The connection it belongs to.
        number: Its number.
        amqp: The generated package.
    """

    def __init__(self, connection: Connection, number: int) -> None:
        self.connection = connection
        self.number = number
        self.amqp: Any = connection.amqp

    # --- sending ---

    def send(self, *frames: Any) -> None:
        """Sends methods, content headers and content bodies, just as they are given."""
        self.connection.send(*frames, channel=self.number)

    def publish(
        self,
        routing_key: str,
        body: bytes = b"",
        properties: Any = None,
        *,
        exchange: str = "",
        mandatory: bool = False,
        immediate: bool = False,
    ) -> None:
        """Publishes a message, in as many frames as it takes."""
        method = self.amqp.methods.BasicPublish(
            exchange=exchange, routing_key=routing_key, mandatory=mandatory, immediate=immediate
        )
        self.connection.send_message(self.number, method, properties, body)

    # --- what comes ---

    def next(self, seconds: float | None = None) -> Any:
        """The next method, or ``Message`` when it has content, of this channel; or the end of the connection.

        Raises:
            NoAnswer: Nothing came.
            Disconnected: The broker closed the socket.
        """
        return self.connection.take(self.number, seconds)

    def expect(self, *kinds: type) -> Any:
        """The next method or message, which must be of one of these classes.

        Raises:
            Violation: It is another one, or nothing comes.
        """
        expected = " or ".join(kind.NAME for kind in kinds)  # type: ignore[attr-defined]
        with self.connection.expecting(expected):
            item = self.next()
        if not isinstance(getattr(item, "method", item), kinds):
            raise Violation(f"expected {expected}, got {describe(item)}")
        return item

    def call(self, method: Any) -> Any:
        """Sends a method and returns its reply, which must be one of those that the specification names.

        Raises:
            Violation: Another reply, or none.
        """
        self.send(method)
        return self.expect(*type(method).RESPONSES)

    def synchronize(self) -> list[Any]:
        """Waits until the broker has dealt with all that was sent; returns what else it sent meanwhile.

        Raises:
            Violation: It closed the channel or the connection.
        """
        methods = self.amqp.methods
        self.send(methods.ChannelFlow(active=True))
        items: list[Any] = []
        while True:
            with self.connection.expecting("channel.flow-ok"):
                item = self.next()
            if isinstance(item, methods.ChannelFlowOk):
                return items
            if isinstance(item, (methods.ChannelClose, methods.ConnectionClose)):
                raise Violation(f"expected that the channel stays open, got {describe(item)}")
            items.append(item)

    def expect_close(self, name: str, kind: Any = None) -> Any:
        """The close with this reply code must come next: of the channel for a soft error, else of the connection.

        Args:
            name: The name of the constant, for example ``not-found``.
            kind: The class of the close, where a rule asks for another one than the constant is declared for.

        Returns:
            The close method; close-ok has been sent.

        Raises:
            Violation: Something else comes, or nothing.
        """
        constants, methods = self.amqp.constants, self.amqp.methods
        code = constants.ReplyCode[name.replace("-", "_").upper()]
        if kind is None:
            kind = methods.ChannelClose if code in constants.SOFT_ERRORS else methods.ConnectionClose
        expected = f"{kind.NAME} {int(code)} ({name})"
        with self.connection.expecting(expected):
            item = self.next()
        if not isinstance(item, kind) or item.reply_code != code:
            raise Violation(f"expected {expected}, got {describe(item)}")
        return item

    def expect_refusal(self, *frames: Any, name: str) -> Any:
        """Sends something that the broker must refuse with this reply code.

        Where the last method has no reply, something harmless is called after it, so that a broker that takes
        it is found out at once.

        Args:
            frames: A method, or a method with its content header and body.
            name: The name of the constant, for example ``not-found``.

        Returns:
            The close method.

        Raises:
            Violation: It is not refused, or in another way.
        """
        self.send(*frames)
        if not frames[0].SYNCHRONOUS:
            self.send(self.amqp.methods.ChannelFlow(active=True))
        return self.expect_close(name)

    def get(self, queue: str, *, no_ack: bool = True) -> Message | None:
        """Fetches one message; None when the queue is empty."""
        item = self.call(self.amqp.methods.BasicGet(queue=queue, no_ack=no_ack))
        return item if isinstance(item, Message) else None

    def fetch(self, queue: str, *, no_ack: bool = True) -> Message:
        """Fetches one message, which must be there.

        Raises:
            Violation: The queue is empty.
        """
        message = self.get(queue, no_ack=no_ack)
        if message is None:
            raise Violation(f"expected a message in the queue {queue}, got basic.get-empty")
        return message

    # --- shorthands ---

    def declare_queue(self, queue: str = "", **options: Any) -> str:
        """Declares a queue, exclusive unless told otherwise, and returns its name."""
        method = self.amqp.methods.QueueDeclare(queue=queue, **{"exclusive": True, **options})
        return str(self.call(method).queue)

    def declare_exchange(self, exchange: str, type: str = "direct", **options: Any) -> str:
        """Declares an exchange and returns its name."""
        self.call(self.amqp.methods.ExchangeDeclare(exchange=exchange, type=type, **options))
        return exchange

    def close(self) -> None:
        """Closes the channel in good order; what else comes meanwhile is dropped."""
        methods = self.amqp.methods
        self.send(methods.ChannelClose(reply_code=200, reply_text="done"))
        while True:
            with self.connection.expecting("channel.close-ok"):
                item = self.next()
            if isinstance(item, methods.ConnectionClose):
                raise Violation(f"expected channel.close-ok, got {describe(item)}")
            if frame_name(item) == "channel.close-ok":
                return
