"""Messages that wait for what the other side says to them."""

from __future__ import annotations

from .message0 import Message0

MOST = 65_536


class Awaited:
    """Messages by number, of which each is larger than the one before."""

    __slots__ = ("_messages",)

    def __init__(self) -> None:
        """Begin without."""
        self._messages: dict[int, Message0] = {}

    def add(self, number: int, message: Message0) -> Message0 | None:
        """A message waits; the oldest that there is no room for waits no more, and is returned."""
        messages = self._messages
        messages[number] = message
        message.is_awaited = True
        if len(messages) <= MOST:
            return None
        return messages.pop(next(iter(messages)))

    def take(self, number: int, multiple: bool) -> list[Message0]:
        """Those that are meant by a number: all up to it if it says multiple, and 0 is all there are."""
        messages = self._messages
        if not multiple:
            message = messages.pop(number, None)
            return [] if message is None else [message]
        if not number:
            return self.take_all()
        numbers = []
        for each in messages:
            if each > number:
                break
            numbers.append(each)
        return [messages.pop(each) for each in numbers]

    def take_all(self) -> list[Message0]:
        """All of them."""
        messages, self._messages = self._messages, {}
        return list(messages.values())
