"""The errors of pika that this client raises."""

from __future__ import annotations

from collections.abc import Sequence


class AMQPError(Exception):
    """Base of all errors."""


class AMQPConnectionError(AMQPError):
    """There is no connection, or it is over."""


class StreamLostError(AMQPConnectionError):
    """The broker hung up."""


class IncompatibleProtocolError(AMQPConnectionError):
    """The broker hung up on the protocol header: it speaks another version."""


class ProbableAuthenticationError(AMQPConnectionError):
    """The broker refused the login."""


class ProbableAccessDeniedError(AMQPConnectionError):
    """The broker refused the virtual host."""


class AMQPHeartbeatTimeout(AMQPConnectionError):
    """The broker is silent."""


class ConnectionBlockedTimeout(AMQPConnectionError):
    """The broker was blocked for longer than ``blocked_connection_timeout``."""


class ConnectionWrongStateError(AMQPConnectionError):
    """The connection is not open."""


class AMQPChannelError(AMQPError):
    """Base of the errors of a channel."""


class ChannelWrongStateError(AMQPChannelError):
    """The channel is not open."""


class DuplicateConsumerTag(AMQPChannelError):
    """The channel has a consumer with this tag."""


class ReentrancyError(Exception):
    """A callback called what waits for callbacks."""


class _Closed(AMQPError):
    """Closed with a reply code and a reply text."""

    def __init__(self, reply_code: int, reply_text: str) -> None:
        super().__init__(reply_code, reply_text)
        self.reply_code = reply_code
        self.reply_text = reply_text


class ConnectionClosed(_Closed, AMQPConnectionError):
    """The connection was closed."""


class ConnectionClosedByBroker(ConnectionClosed):
    """The broker closed the connection."""


class ConnectionClosedByClient(ConnectionClosed):
    """We closed the connection."""


class ChannelClosed(_Closed, AMQPChannelError):
    """The channel was closed."""


class ChannelClosedByBroker(ChannelClosed):
    """The broker closed the channel."""


class ChannelClosedByClient(ChannelClosed):
    """We closed the channel."""


class _NotTaken(AMQPChannelError):
    """A message that the broker did not take; ``messages`` has what came back."""

    def __init__(self, messages: Sequence[object]) -> None:
        super().__init__(messages)
        self.messages = messages


class UnroutableError(_NotTaken):
    """A mandatory message reached no queue."""


class NackError(_NotTaken):
    """The broker refused a message."""
