"""Messages that a client of 0-x gets on a channel, by delivery tag, and how it settles them."""

from __future__ import annotations

from typing import Generic

from ..outstanding import MOST, M, Outstanding
from .facts import Fact, TagSettled, TagUnknown, TagUnwanted


class Deliveries(Generic[M]):
    """What the client has to settle.

    Attributes:
        has_tx: Whether settlements count only when they are committed.
    """

    __slots__ = ("_in_tx", "_outstanding", "_unwanted", "has_tx")

    def __init__(self) -> None:
        self._outstanding: Outstanding[M] = Outstanding()
        self._unwanted: dict[int, None] = {}  # delivered as not to be acknowledged
        self._in_tx: dict[int, M] = {}  # settled since the transaction began
        self.has_tx = False

    @property
    def last(self) -> int:
        """The highest tag so far; 0 before the first."""
        return self._outstanding.last

    def is_outstanding(self, tag: int) -> bool:
        """Whether the message with this tag is to be settled."""
        return tag in self._outstanding

    def deliver(self, tag: int, message: M) -> M | None:
        """Add a message that is to be settled. Return one that there is no room for any more."""
        return self._outstanding.add(tag, message)

    def deliver_unwanted(self, tag: int) -> None:
        """Note the tag of a message that is not to be settled."""
        self._unwanted[tag] = None
        if len(self._unwanted) > MOST:
            del self._unwanted[next(iter(self._unwanted))]
        self._outstanding.last = max(self._outstanding.last, tag)

    def problem(self, tag: int) -> Fact | None:
        """What is wrong with a settlement by the client, if all was captured; to be asked before ``settle``."""
        outstanding = self._outstanding
        if not tag or tag in outstanding:
            return None
        if tag in self._unwanted:
            return TagUnwanted(tag)
        if tag <= outstanding.forgotten:
            return None
        if tag <= outstanding.last:
            return TagSettled(tag)
        return TagUnknown(tag, outstanding.last)

    def settle(self, tag: int, multiple: bool) -> dict[int, M]:
        """The client acknowledges or refuses. Return the messages that it means."""
        messages = self._outstanding.take(tag, multiple)
        if self.has_tx and len(self._in_tx) < MOST:
            self._in_tx.update(messages)
        return messages

    def commit(self) -> None:
        """What was settled is settled for good."""
        self._in_tx.clear()

    def rollback(self) -> None:
        """What was settled in the transaction is to be settled again."""
        for tag, message in sorted({**self._in_tx, **self._outstanding.take_all()}.items(), key=_tag):
            self._outstanding.add(tag, message)
        self._in_tx.clear()

    def recover(self) -> dict[int, M]:
        """The server delivers all that is not settled again, with other tags. Return that."""
        return self._outstanding.take_all()

    def end(self) -> dict[int, M]:
        """Begin again with tags. Return what is not settled, and will not be any more."""
        self._outstanding.last = 0
        return self._outstanding.take_all()


def _tag(item: tuple[int, object]) -> int:
    return item[0]
