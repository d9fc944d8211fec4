"""Messages that a client of 0-9-1 published on a channel, and how the broker confirmed them (RabbitMQ's extension)."""

from __future__ import annotations

from collections.abc import Callable

from .awaited import Awaited
from .message0 import NONE, Message0


class Confirms:
    """What is not confirmed. The broker counts what is published after confirm.select, from 1 on."""

    __slots__ = ("_awaited", "_number", "_over")

    def __init__(self, over: Callable[[Message0], None]) -> None:
        """Begin without; nothing is confirmed.

        Args:
            over: Takes messages that will not be confirmed any more.
        """
        self._over = over
        self._awaited = Awaited()
        self._number: int | None = None

    def select(self) -> None:
        """From here on the broker confirms; if it did already, nothing changes."""
        if self._number is None:
            self._number = 0

    def add(self, message: Message0) -> None:
        """A message is published."""
        if self._number is None:
            return
        self._number += 1
        message.confirm = NONE
        oldest = self._awaited.add(self._number, message)
        if oldest is not None:
            self._give_up(oldest)

    def settle(self, tag: int | None, multiple: bool, outcome: str, ns: int) -> None:
        """The broker confirms or refuses."""
        if tag is None:
            return
        for message in self._awaited.take(tag, multiple):
            message.confirm, message.confirm_ns = outcome, ns
            self._give_up(message)

    def lose_count(self) -> None:
        """What was published may not have been captured: which numbers come now is not known."""
        self._number = None

    def end(self) -> None:
        """The broker confirms nothing any more."""
        for message in self._awaited.take_all():
            self._give_up(message)
        self._number = None

    def _give_up(self, message: Message0) -> None:
        message.is_awaited = False
        self._over(message)
