"""``BlockingConnection``: a socket, a clock, timers, and whom the events of the engine concern."""

from __future__ import annotations

import selectors
import socket
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import Any, TypeAlias

import amqp_0_9_1_rabbitmq as amqp
from amqp_0_9_1_rabbitmq.client import connection as engine
from amqp_0_9_1_rabbitmq.client.connection import ConnectionState
from amqp_0_9_1_rabbitmq.methods import ConnectionBlocked, ConnectionUnblocked

from . import errors
from .blocking_channel import BlockingChannel, MethodFrame
from .parameters import ConnectionParameters

CHUNK = 1 << 16  # octets to send or to receive at once

OnBlocked: TypeAlias = Callable[["BlockingConnection", MethodFrame], object]

# What it means that a handshake ends, by its state.
_REFUSED: Mapping[ConnectionState, type[errors.AMQPConnectionError]] = {
    ConnectionState.HEADER: errors.IncompatibleProtocolError,
    ConnectionState.START: errors.IncompatibleProtocolError,
    ConnectionState.SECURE: errors.ProbableAuthenticationError,
    ConnectionState.TUNE: errors.ProbableAccessDeniedError,
    ConnectionState.OPENING: errors.ProbableAccessDeniedError,
}


@dataclass(eq=False)
class Timer:
    """A callback, and when it is due."""

    callback: Callable[[], object]
    due: float = 0.0


def _capability(name: str) -> property:
    return property(lambda self: bool(self._capabilities.get(name)), doc=f"Whether the broker has {name}.")


class BlockingConnection:
    """A connection whose functions return when the broker has answered."""

    def __init__(
        self, parameters: ConnectionParameters | Sequence[ConnectionParameters] | None = None
    ) -> None:
        """Connect to the first broker that takes us; the error of the last one if none does."""
        choices = parameters or ConnectionParameters()
        if isinstance(choices, ConnectionParameters):
            choices = (choices,)
        for choice in choices[:-1]:
            with suppress(errors.AMQPConnectionError):
                self._connect(choice)
                return
        self._connect(choices[-1])

    def _connect(self, parameters: ConnectionParameters) -> None:
        self.parameters = parameters
        self.engine = amqp.Connection(parameters.settings)
        self._state = self.engine.state  # when the last octets came
        self._capabilities: Mapping[str, Any] = {}
        self._channels: dict[int, BlockingChannel] = {}
        self._replies: dict[int, engine.Reply] = {}  # that are not taken yet, by the number of the request
        self._closing_reason: Exception | None = None
        self._on_blocked: list[OnBlocked] = []
        self._on_unblocked: list[OnBlocked] = []
        self._blocked_timer = Timer(lambda: None, inf)
        self._timers = [self._blocked_timer]
        self._ready_events: deque[Timer] = deque()
        self._threadsafe: deque[Timer] = deque()
        self._has_news = False  # a channel waits to call back
        self._is_dispatching = False
        self._unsent = b""
        try:
            self._socket = socket.create_connection(
                (parameters.host, parameters.port), parameters.socket_timeout
            )
        except OSError as error:
            raise errors.AMQPConnectionError(str(error)) from error
        self._socket.setblocking(False)
        self._awaken, self._wake = socket.socketpair()  # for other threads
        self._wake.setblocking(False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._socket, selectors.EVENT_READ)
        self._selector.register(self._awaken, selectors.EVENT_READ)
        self.engine.start(time.monotonic())
        self.wait(lambda: self.is_open)

    # --- octets, time and events ---

    def wait(self, is_done: Callable[[], object], limit: float | None = None) -> None:
        """Exchange octets until something is done and all is sent, or the time is over; raise if the connection is."""
        deadline = inf if limit is None else time.monotonic() + limit

        def is_over() -> bool:
            is_sent = not self._unsent and not self.engine.buffered
            return time.monotonic() >= deadline or (is_sent and bool(is_done()))

        while True:
            self._exchange(0.0 if is_over() else deadline)
            self._look_at_the_clock()
            self._take_events()
            if self._closing_reason is not None:
                raise self._closing_reason
            if is_over():
                return

    def answer(self, request: engine.Request[Any]) -> engine.Reply | None:
        """Return the reply to a request; None if its channel ends before."""

        def is_done() -> bool:
            is_over = request.channel != 0 and request.channel not in self._channels
            return is_over or request.number in self._replies

        self.wait(is_done)
        return self._replies.pop(request.number, None)

    def _exchange(self, deadline: float) -> None:
        """Send and receive what is possible; if nothing is, wait until the deadline or a timer."""
        self._state = self.engine.state
        self._unsent = self._unsent or self.engine.data_to_send(CHUNK)
        is_sending = selectors.EVENT_WRITE if self._unsent else 0
        self._selector.modify(self._socket, selectors.EVENT_READ | is_sending)
        timer = self.engine.next_timer()
        due = min(deadline, inf if timer is None else timer, *(timer.due for timer in self._timers))
        timeout = None if due == inf else max(0.0, due - time.monotonic())
        for key, mask in self._selector.select(timeout):
            if key.fileobj is self._awaken:
                self._awaken.recv(CHUNK)
                continue
            try:
                if mask & selectors.EVENT_READ:  # first: it may say why nothing can be sent
                    self.engine.receive_data(self._socket.recv(CHUNK), time.monotonic())
                if mask & selectors.EVENT_WRITE:
                    self._unsent = self._unsent[self._socket.send(self._unsent) :]
            except BlockingIOError:
                pass
            except OSError:
                self.engine.receive_eof(time.monotonic())

    def _look_at_the_clock(self) -> None:
        now = time.monotonic()
        self.engine.timer(now)
        due = [timer for timer in self._timers if timer.due <= now]
        if self._blocked_timer in due:
            self._closing_reason = errors.ConnectionBlockedTimeout(f"blocked: {self.engine.blocked}")
            self.engine.receive_eof(now)
        self._timers = [timer for timer in self._timers if timer.due > now]
        self._ready_events += sorted(due, key=lambda timer: timer.due)
        while self._threadsafe:
            self._ready_events.append(self._threadsafe.popleft())

    def _take_events(self) -> None:
        while (event := self.engine.next_event()) is not None:
            match event:
                case engine.Opened(server):
                    capabilities = server.get("capabilities")
                    self._capabilities = capabilities if isinstance(capabilities, dict) else {}
                case engine.Reply(number=number):
                    self._replies[number] = event
                case engine.Blocked(reason):
                    limit = self.parameters.blocked_connection_timeout
                    self._blocked_timer.due = inf if limit is None else time.monotonic() + limit
                    self._tell(self._on_blocked, ConnectionBlocked(reason))
                case engine.Unblocked():
                    self._blocked_timer.due = inf
                    self._tell(self._on_unblocked, ConnectionUnblocked())
                case engine.ChannelClosed(number):
                    self._channels.pop(number).take(event)
                    self._has_news = True
                case engine.Delivered() | engine.Returned() | engine.ConsumerCancelled() | engine.Confirmed():
                    self._channels[event.channel].take(event)
                    self._has_news |= not isinstance(event, engine.Confirmed)
                case engine.Closed():
                    self._end(event)

    def _tell(self, callbacks: Sequence[OnBlocked], method: object) -> None:
        frame = MethodFrame(0, method)
        self._ready_events += [Timer(partial(callback, self, frame)) for callback in callbacks]

    def _end(self, event: engine.Closed) -> None:
        """Say why the connection is over, and close the sockets."""
        error = event.error
        if self._closing_reason is not None:
            pass
        elif self._state in _REFUSED:
            self._closing_reason = _REFUSED[self._state](str(error))
        elif error is None:
            self._closing_reason = errors.ConnectionClosedByClient(200, "Normal shutdown")
        elif isinstance(error, amqp.errors.CloseError):
            self._closing_reason = errors.ConnectionClosedByBroker(error.reply_code, error.reply_text)
        elif self._state is ConnectionState.OPEN and not event.by_peer:
            self._closing_reason = errors.AMQPHeartbeatTimeout(str(error))
        else:
            self._closing_reason = errors.StreamLostError(str(error))
        with suppress(OSError):  # the last answer; who would get it may be gone
            self._socket.send(self._unsent + self.engine.data_to_send())
        for closing in (self._selector, self._socket, self._awaken, self._wake):
            closing.close()

    # --- callbacks ---

    @contextmanager
    def dispatching(self) -> Iterator[bool]:
        """Give whether callbacks may be called: not while one runs."""
        is_outermost, self._is_dispatching = not self._is_dispatching, True
        try:
            yield is_outermost
        finally:
            self._is_dispatching = not is_outermost

    def process_data_events(self, time_limit: float | None = 0) -> None:
        """Wait until there is something to call back for, or the time is over, and call back."""
        self._must_be_open()
        with self.dispatching() as may_call:
            self.wait(lambda: may_call and (self._ready_events or self._has_news), time_limit)
            if not may_call:
                return
            self._has_news = False
            for timer in list(self._ready_events):
                if timer in self._ready_events:
                    self._ready_events.remove(timer)
                    timer.callback()
            for channel in list(self._channels.values()):
                channel.call_back()

    def sleep(self, duration: float) -> None:
        """Wait for some seconds, and call back meanwhile."""
        deadline = time.monotonic() + duration
        self.process_data_events(duration)
        while (rest := deadline - time.monotonic()) > 0:
            self.process_data_events(rest)

    def call_later(self, delay: float, callback: Callable[[], object]) -> Timer:
        """Call back after some seconds."""
        timer = Timer(callback, time.monotonic() + delay)
        self._timers.append(timer)
        return timer

    def remove_timeout(self, timeout_id: Timer) -> None:
        """Do not call back, if that has not happened yet."""
        self._timers = [timer for timer in self._timers if timer is not timeout_id]
        with suppress(ValueError):
            self._ready_events.remove(timeout_id)

    def add_callback_threadsafe(self, callback: Callable[[], object]) -> None:
        """Call back soon; the only function for other threads."""
        self._must_be_open()
        self._threadsafe.append(Timer(callback))
        with suppress(OSError):
            self._wake.send(b"\0")

    def add_on_connection_blocked_callback(self, callback: OnBlocked) -> None:
        """Call back when the broker takes no more publishes."""
        self._on_blocked.append(callback)

    def add_on_connection_unblocked_callback(self, callback: OnBlocked) -> None:
        """Call back when the broker takes publishes again."""
        self._on_unblocked.append(callback)

    # --- the connection ---

    def _must_be_open(self) -> None:
        if not self.is_open:
            raise errors.ConnectionWrongStateError("the connection is closed")

    @property
    def is_open(self) -> bool:
        """Whether it can be used."""
        return self.engine.state is ConnectionState.OPEN

    @property
    def is_closed(self) -> bool:
        """Whether it is over."""
        return self.engine.is_closed

    basic_nack_supported = _capability("basic.nack")
    consumer_cancel_notify_supported = _capability("consumer_cancel_notify")
    exchange_exchange_bindings_supported = _capability("exchange_exchange_bindings")
    publisher_confirms_supported = _capability("publisher_confirms")

    def channel(self) -> BlockingChannel:
        """Open a channel."""
        self._must_be_open()
        channel = BlockingChannel(self, self.engine.open_channel())
        self._channels[channel.channel_number] = channel
        self.wait(lambda: channel.is_open or channel.is_closed)
        channel.raise_if_refused()
        return channel

    def update_secret(self, new_secret: str, reason: str) -> None:
        """Give a new token before the old one expires."""
        assert isinstance(new_secret, str) and isinstance(reason, str), "both are text"
        self._must_be_open()
        self.answer(self.engine.update_secret(new_secret.encode(), reason))

    def close(self, reply_code: int = 200, reply_text: str = "Normal shutdown") -> None:
        """Close the connection and all its channels."""
        self._must_be_open()
        self.engine.close(reply_code, reply_text)
        with suppress(errors.ConnectionClosedByClient):
            self.wait(lambda: False)

    def __enter__(self) -> BlockingConnection:
        return self

    def __exit__(self, *_: object) -> None:
        if self.is_open:
            self.close()
