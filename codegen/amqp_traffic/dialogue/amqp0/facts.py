"""Facts: what does not fit the state of a 0-x channel.

A fact is certain only if everything since channel.open was captured.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias


class TagNotNext(NamedTuple):
    """A delivery whose tag is not above the last one."""

    tag: int
    last: int


class TagUnknown(NamedTuple):
    """A settlement of a tag that was not delivered."""

    tag: int
    last: int


class TagSettled(NamedTuple):
    """A settlement of a message that is settled already."""

    tag: int


class TagUnwanted(NamedTuple):
    """A settlement of a message that was delivered with no-ack."""

    tag: int


class ConfirmUnselected(NamedTuple):
    """A confirm without confirm.select."""

    tag: int


class ConfirmUnknown(NamedTuple):
    """A confirm of a message that was not published."""

    tag: int
    last: int


class ConfirmRepeated(NamedTuple):
    """A confirm of a message that is confirmed already."""

    tag: int


class ConsumerUnknown(NamedTuple):
    """A delivery to an unknown consumer."""

    tag: str


class ConsumerTagInUse(NamedTuple):
    """A new consumer with the tag of another one."""

    tag: str


class ConsumerCancelled(NamedTuple):
    """A cancellation by the server."""

    tag: str


class CancelUnknown(NamedTuple):
    """A cancellation of an unknown consumer by the client."""

    tag: str


class QueueUnnamed(NamedTuple):
    """An empty queue name on a channel where no queue was declared."""


class TransactionUnselected(NamedTuple):
    """A commit or a rollback without tx.select."""


class TransactionWithConfirms(NamedTuple):
    """Transactions and confirms on one channel."""


class ContentStopped(NamedTuple):
    """Content from a side that agreed to stop."""


class ReturnUnasked(NamedTuple):
    """A returned message, though no message was published that may come back."""


Fact: TypeAlias = (
    "TagNotNext | TagUnknown | TagSettled | TagUnwanted | ConfirmUnselected | ConfirmUnknown | ConfirmRepeated"
    " | ConsumerUnknown | ConsumerTagInUse | ConsumerCancelled | CancelUnknown | QueueUnnamed"
    " | TransactionUnselected | TransactionWithConfirms | ContentStopped | ReturnUnasked"
)
