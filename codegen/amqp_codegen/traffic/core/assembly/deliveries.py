"""Messages that a client of 0-x got on a channel, and how it settled them."""

from __future__ import annotations

from collections.abc import Callable

from .awaited import Awaited
from .message0 import NONE, Message0


class Deliveries:
    """What is not settled, by delivery tag.

    An acknowledgement may come before the last frame of a message was captured.
    """

    __slots__ = ("_awaited", "_last", "_over")

    def __init__(self, over: Callable[[Message0], None]) -> None:
        """Begin without.

        Args:
            over: Takes messages that will not be settled any more.
        """
        self._over = over
        self._awaited = Awaited()
        self._last = 0

    def add(self, message: Message0, tag: int | None) -> None:
        """A message with that tag comes."""
        message.settle = NONE
        if message.no_ack or tag is None:
            return
        if (
            tag <= self._last
        ):  # the channel was closed and opened again, or the server starts all over: basic.recover
            self.end()
        self._last = tag
        oldest = self._awaited.add(tag, message)
        if oldest is not None:
            self._give_up(oldest)

    def settle(self, tag: int | None, multiple: bool, outcome: str, ns: int) -> None:
        """The client acknowledges or refuses."""
        if tag is None:
            return
        for message in self._awaited.take(tag, multiple):
            message.settle, message.settle_ns = outcome, ns
            self._give_up(message)

    def end(self) -> None:
        """What the client says now does not count for the messages so far."""
        for message in self._awaited.take_all():
            self._give_up(message)
        self._last = 0

    def _give_up(self, message: Message0) -> None:
        message.is_awaited = False
        self._over(message)
