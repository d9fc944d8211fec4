"""Unsettled messages of a 0-x channel: deliveries by tag, published messages by confirm number."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, Generic, NamedTuple, TypeVar

from .facts import Fact, FactKind

MOST_OUTSTANDING = 65_536

M = TypeVar("M")  # what stands for a message


class Displaced(NamedTuple):
    """A message that nobody can settle any more.

    Attributes:
        is_for_room: True if there were too many; else another one has its number, as numbers began anew.
    """

    message: Any
    is_for_room: bool


class Outstanding(Generic[M]):
    """Messages by number; numbers rise.

    Attributes:
        last: The highest number so far; 0 before the first.
        forgotten: Up to this number, it is not known which are settled, as the oldest were dropped.
    """

    __slots__ = ("_messages", "forgotten", "last")

    def __init__(self) -> None:
        # The first is taken again and again. A dict would look for it at all places of what was removed before.
        self._messages: OrderedDict[int, M] = OrderedDict()
        self.last = 0
        self.forgotten = 0

    def __contains__(self, number: int) -> bool:
        return number in self._messages

    def __len__(self) -> int:
        return len(self._messages)

    def add(self, number: int, message: M) -> Displaced | None:
        """Add a message. Return the one that it displaces: that of the same number, or the oldest if there is no room."""
        messages = self._messages
        former = messages.get(number)  # numbers began anew, and what was between is not in the capture
        messages[number] = message
        self.last = max(self.last, number)
        if former is not None:
            return Displaced(former, is_for_room=False)
        if len(messages) <= MOST_OUTSTANDING:
            return None
        oldest = next(iter(messages))
        self.forgotten = max(self.forgotten, oldest)
        return Displaced(messages.pop(oldest), is_for_room=True)

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
        messages, self._messages = self._messages, OrderedDict()
        return messages


class Confirms(Generic[M]):
    """Messages without a confirm. The broker numbers what is published after confirm.select, from 1."""

    __slots__ = ("_number", "_outstanding")

    def __init__(self) -> None:
        self._number: int | None = None
        self._outstanding: Outstanding[M] = Outstanding()

    @property
    def count(self) -> int:
        """Return how many messages have no confirm."""
        return len(self._outstanding)

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

    def publish(self, message: M) -> Displaced | None:
        """Count a message after confirm.select. Return the one that it displaces."""
        if self._number is None:
            return None
        self._number += 1
        return self._outstanding.add(self._number, message)

    def problem(self, tag: int, multiple: bool) -> Fact | None:
        """Return what is wrong with a confirm, provided all was captured. Call this before ``settle``."""
        if self._number is None:
            return Fact(FactKind.CONFIRM_UNSELECTED, tag)
        if tag > self._number:
            return Fact(FactKind.CONFIRM_UNKNOWN, tag, self._number)
        outstanding = self._outstanding
        if not multiple and tag and tag not in outstanding and tag > outstanding.forgotten:
            return Fact(FactKind.CONFIRM_REPEATED, tag)
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


class Deliveries(Generic[M]):
    """The deliveries that the client has to settle.

    Attributes:
        has_tx: True if a transaction is selected: settlements count when they are committed.
    """

    __slots__ = ("_in_tx", "_outstanding", "_unwanted", "has_tx")

    def __init__(self) -> None:
        self._outstanding: Outstanding[M] = Outstanding()
        self._unwanted: OrderedDict[int, None] = OrderedDict()  # delivered with no-ack
        self._in_tx: dict[int, M] = {}  # settled since the transaction began
        self.has_tx = False

    @property
    def count(self) -> int:
        """Return how many messages are not settled."""
        return len(self._outstanding)

    @property
    def last(self) -> int:
        """Return the highest tag so far; 0 before the first."""
        return self._outstanding.last

    def is_outstanding(self, tag: int) -> bool:
        """True if the message with this tag is not settled yet."""
        return tag in self._outstanding

    def deliver(self, tag: int, message: M) -> Displaced | None:
        """Add a delivery. Return the message that it displaces."""
        return self._outstanding.add(tag, message)

    def deliver_unwanted(self, tag: int) -> None:
        """Add the tag of a delivery with no-ack."""
        self._unwanted[tag] = None
        if len(self._unwanted) > MOST_OUTSTANDING:
            del self._unwanted[next(iter(self._unwanted))]
        self._outstanding.last = max(self._outstanding.last, tag)

    def problem(self, tag: int) -> Fact | None:
        """Return what is wrong with a settlement, provided all was captured. Call this before ``settle``."""
        outstanding = self._outstanding
        if not tag or tag in outstanding:
            return None
        if tag in self._unwanted:
            return Fact(FactKind.TAG_UNWANTED, tag)
        if tag <= outstanding.forgotten:
            return None
        if tag <= outstanding.last:
            return Fact(FactKind.TAG_SETTLED, tag)
        return Fact(FactKind.TAG_UNKNOWN, tag, outstanding.last)

    def settle(self, tag: int, multiple: bool) -> dict[int, M]:
        """Take a basic.ack, nack or reject of the client. Return the messages it refers to."""
        messages = self._outstanding.take(tag, multiple)
        if self.has_tx and len(self._in_tx) < MOST_OUTSTANDING:
            self._in_tx.update(messages)
        return messages

    def commit(self) -> None:
        """Make the settlements of the transaction final."""
        self._in_tx.clear()

    def rollback(self) -> None:
        """Undo the settlements of the transaction."""
        if not self._in_tx:
            return
        undone = {**self._in_tx, **self._outstanding.take_all()}
        for tag in sorted(undone):
            self._outstanding.add(tag, undone[tag])
        self._in_tx.clear()

    def recover(self) -> dict[int, M]:
        """Return all unsettled messages: after basic.recover the server delivers them again, with new tags."""
        return self._outstanding.take_all()

    def end(self) -> dict[int, M]:
        """Return all unsettled messages; tags start again, and these will not be settled."""
        self._outstanding.last = 0
        return self._outstanding.take_all()
