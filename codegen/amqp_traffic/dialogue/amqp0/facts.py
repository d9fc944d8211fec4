"""What a model of a channel of 0-x notices: something that does not fit what was said before.

It is certain only where all was captured since the channel was opened.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias


class TagNotNext(NamedTuple):
    """A delivery whose tag does not come after the last one."""

    tag: int
    last: int


class TagUnknown(NamedTuple):
    """A settlement of a tag that was not delivered."""

    tag: int
    last: int


class TagSettled(NamedTuple):
    """A settlement of a message that is settled."""

    tag: int


class TagUnwanted(NamedTuple):
    """A settlement of a message that was delivered as not to be settled."""

    tag: int


class ConfirmUnselected(NamedTuple):
    """A confirm without confirm.select."""

    tag: int


class ConfirmUnknown(NamedTuple):
    """A confirm of a message that was not published."""

    tag: int
    last: int


class ConfirmRepeated(NamedTuple):
    """A confirm of a message that is confirmed."""

    tag: int


class ConsumerUnknown(NamedTuple):
    """A delivery to a consumer that is not there."""

    tag: str


class ConsumerTagInUse(NamedTuple):
    """A consumer with the tag of another one."""

    tag: str


class ConsumerCancelled(NamedTuple):
    """A consumer that the server cancels."""

    tag: str


class CancelUnknown(NamedTuple):
    """A client cancels a consumer that is not there."""

    tag: str


class QueueUnnamed(NamedTuple):
    """An empty queue name on a channel where no queue was declared."""


class TransactionUnselected(NamedTuple):
    """A commit or a rollback without tx.select."""


class TransactionWithConfirms(NamedTuple):
    """Transactions and confirms on one channel."""


class ContentStopped(NamedTuple):
    """Content from a side that agreed to send none."""


class ReturnUnasked(NamedTuple):
    """A message is returned, and none was published that may be."""


Fact: TypeAlias = (
    "TagNotNext | TagUnknown | TagSettled | TagUnwanted | ConfirmUnselected | ConfirmUnknown | ConfirmRepeated"
    " | ConsumerUnknown | ConsumerTagInUse | ConsumerCancelled | CancelUnknown | QueueUnnamed"
    " | TransactionUnselected | TransactionWithConfirms | ContentStopped | ReturnUnasked"
)
