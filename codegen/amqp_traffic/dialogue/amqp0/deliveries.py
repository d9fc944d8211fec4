"""Messages delivered to a 0-x client on a channel, by delivery tag, until they are settled."""

from __future__ import annotations

from typing import Generic

from ..outstanding import MOST_OUTSTANDING, M, Outstanding
from .facts import Fact, TagSettled, TagUnknown, TagUnwanted


class Deliveries(Generic[M]):
    """The deliveries that the client has to settle.

    Attributes:
        has_tx: True if a transaction is selected: settlements count when they are committed.
    """

    __slots__ = ("_in_tx", "_outstanding", "_unwanted", "has_tx")

    def __init__(self) -> None:
        self._outstanding: Outstanding[M] = Outstanding()
        self._unwanted: dict[int, None] = {}  # delivered with no-ack
        self._in_tx: dict[int, M] = {}  # settled since the transaction began
        self.has_tx = False

    @property
    def last(self) -> int:
        """Return the highest tag so far; 0 before the first."""
        return self._outstanding.last

    def is_outstanding(self, tag: int) -> bool:
        """True if the message with this tag is not settled yet."""
        return tag in self._outstanding

    def deliver(self, tag: int, message: M) -> M | None:
        """Add a delivery. Return the oldest message if there is no room for it any more."""
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
            return TagUnwanted(tag)
        if tag <= outstanding.forgotten:
            return None
        if tag <= outstanding.last:
            return TagSettled(tag)
        return TagUnknown(tag, outstanding.last)

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
        for tag, message in sorted({**self._in_tx, **self._outstanding.take_all()}.items(), key=_tag):
            self._outstanding.add(tag, message)
        self._in_tx.clear()

    def recover(self) -> dict[int, M]:
        """Return all unsettled messages: after basic.recover the server delivers them again, with new tags."""
        return self._outstanding.take_all()

    def end(self) -> dict[int, M]:
        """Return all unsettled messages; tags start again, and these will not be settled."""
        self._outstanding.last = 0
        return self._outstanding.take_all()


def _tag(item: tuple[int, object]) -> int:
    return item[0]
