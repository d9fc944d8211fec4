"""Messages that a client of 0-9-1 publishes on a channel, and how the broker confirms them (RabbitMQ's extension)."""

from __future__ import annotations

from typing import Generic

from ..outstanding import M, Outstanding
from .facts import ConfirmRepeated, ConfirmUnknown, ConfirmUnselected, Fact


class Confirms(Generic[M]):
    """What is not confirmed. The broker counts what is published after confirm.select, from 1 on."""

    __slots__ = ("_number", "_outstanding")

    def __init__(self) -> None:
        self._number: int | None = None
        self._outstanding: Outstanding[M] = Outstanding()

    @property
    def is_on(self) -> bool:
        """Whether messages are counted: confirm.select came, and none was missed since."""
        return self._number is not None

    def has_published(self, tag: int) -> bool:
        """Whether a message with this number was published."""
        return self._number is not None and tag <= self._number

    def select(self) -> None:
        """Begin to count; if that has begun already, nothing changes."""
        if self._number is None:
            self._number = 0

    def publish(self, message: M) -> M | None:
        """Count a message, if that has begun. Return one that there is no room for any more."""
        if self._number is None:
            return None
        self._number += 1
        return self._outstanding.add(self._number, message)

    def problem(self, tag: int, multiple: bool) -> Fact | None:
        """What is wrong with a confirm of the broker, if all was captured; to be asked before ``settle``."""
        if self._number is None:
            return ConfirmUnselected(tag)
        if tag > self._number:
            return ConfirmUnknown(tag, self._number)
        outstanding = self._outstanding
        if not multiple and tag and tag not in outstanding and tag > outstanding.forgotten:
            return ConfirmRepeated(tag)
        return None

    def settle(self, tag: int, multiple: bool) -> dict[int, M]:
        """The broker confirms or refuses. Return the messages that it means."""
        return self._outstanding.take(tag, multiple)

    def lose_count(self) -> None:
        """What was published may not have been captured: which numbers come now is not known."""
        self._number = None

    def end(self) -> dict[int, M]:
        """The broker confirms nothing any more. Return what it has not confirmed."""
        self._number = None
        return self._outstanding.take_all()
