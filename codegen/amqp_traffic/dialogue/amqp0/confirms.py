"""Published messages that the broker has to confirm (publisher confirms, RabbitMQ's extension of 0-9-1)."""

from __future__ import annotations

from typing import Generic

from ..outstanding import M, Outstanding
from .facts import ConfirmRepeated, ConfirmUnknown, ConfirmUnselected, Fact


class Confirms(Generic[M]):
    """Messages without a confirm. The broker numbers what is published after confirm.select, from 1."""

    __slots__ = ("_number", "_outstanding")

    def __init__(self) -> None:
        self._number: int | None = None
        self._outstanding: Outstanding[M] = Outstanding()

    @property
    def is_on(self) -> bool:
        """True if messages are counted: confirm.select came, and no message was missed since."""
        return self._number is not None

    def has_published(self, tag: int) -> bool:
        """True if a message with this number was published."""
        return self._number is not None and tag <= self._number

    def select(self) -> None:
        """Begin to count. A second call changes nothing."""
        if self._number is None:
            self._number = 0

    def publish(self, message: M) -> M | None:
        """Count a message after confirm.select. Return the oldest message if there is no room for it any more."""
        if self._number is None:
            return None
        self._number += 1
        return self._outstanding.add(self._number, message)

    def problem(self, tag: int, multiple: bool) -> Fact | None:
        """Return what is wrong with a confirm, provided all was captured. Call this before ``settle``."""
        if self._number is None:
            return ConfirmUnselected(tag)
        if tag > self._number:
            return ConfirmUnknown(tag, self._number)
        outstanding = self._outstanding
        if not multiple and tag and tag not in outstanding and tag > outstanding.forgotten:
            return ConfirmRepeated(tag)
        return None

    def settle(self, tag: int, multiple: bool) -> dict[int, M]:
        """Take a basic.ack or basic.nack of the broker. Return the messages it refers to."""
        return self._outstanding.take(tag, multiple)

    def lose_count(self) -> None:
        """Stop counting: published messages may be missing from the capture, so their numbers are unknown."""
        self._number = None

    def end(self) -> dict[int, M]:
        """Return the messages without a confirm; no more confirms follow."""
        self._number = None
        return self._outstanding.take_all()
