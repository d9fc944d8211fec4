"""Unsettled messages by number, oldest first. Their count is bounded."""

from __future__ import annotations

from typing import Generic, TypeVar

MOST_OUTSTANDING = 65_536

M = TypeVar("M")  # what stands for a message


class Outstanding(Generic[M]):
    """Messages by number; numbers rise.

    Attributes:
        last: The highest number so far; 0 before the first.
        forgotten: Up to this number, it is not known which are settled, as the oldest were dropped.
    """

    __slots__ = ("_messages", "forgotten", "last")

    def __init__(self) -> None:
        self._messages: dict[int, M] = {}
        self.last = 0
        self.forgotten = 0

    def __contains__(self, number: int) -> bool:
        return number in self._messages

    def add(self, number: int, message: M) -> M | None:
        """Add a message. Return the oldest one if there is no room for it any more."""
        messages = self._messages
        messages[number] = message
        self.last = max(self.last, number)
        if len(messages) <= MOST_OUTSTANDING:
            return None
        oldest = next(iter(messages))
        self.forgotten = max(self.forgotten, oldest)
        return messages.pop(oldest)

    def take(self, number: int, multiple: bool) -> dict[int, M]:
        """Remove and return one message, or with ``multiple`` all up to that number; 0 is all there are."""
        messages = self._messages
        if not multiple:
            return {number: messages.pop(number)} if number in messages else {}
        if not number:
            return self.take_all()
        numbers = []
        for outstanding in messages:
            if outstanding > number:
                break
            numbers.append(outstanding)
        return {taken: messages.pop(taken) for taken in numbers}

    def take_all(self) -> dict[int, M]:
        """Remove and return all."""
        messages, self._messages = self._messages, {}
        return messages
