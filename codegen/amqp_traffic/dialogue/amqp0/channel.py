"""A channel of 0-x: what was said on it, as far as it matters to what comes later.

Methods take plain values, so that it is all one how a capture is read. Most return a fact if what is said does not fit.
"""

from __future__ import annotations

from typing import Generic

from ..outstanding import M
from .confirms import Confirms
from .consumers import Consumer, Consumers
from .deliveries import Deliveries
from .facts import (
    CancelUnknown,
    ConsumerCancelled,
    ConsumerTagInUse,
    ConsumerUnknown,
    ContentStopped,
    Fact,
    QueueUnnamed,
    ReturnUnasked,
    TagNotNext,
    TransactionUnselected,
    TransactionWithConfirms,
)
from .requests import Requests


class Channel(Generic[M]):
    """The state of a channel.

    Attributes:
        confirms: What the broker has to confirm.
        deliveries: What the client has to settle.
        consumers: To whom is delivered.
        requests: What has no reply yet.
        queue: The queue that an empty name stands for, if it is known.
    """

    __slots__ = (
        "_has_declared",
        "_is_stopped",
        "_may_return",
        "confirms",
        "consumers",
        "deliveries",
        "queue",
        "requests",
    )

    def __init__(self) -> None:
        self.confirms: Confirms[M] = Confirms()
        self.deliveries: Deliveries[M] = Deliveries()
        self.consumers = Consumers()
        self.requests = Requests()
        self.queue: str | None = None
        self._has_declared = self._may_return = False
        self._is_stopped = [False, False]  # by direction: agreed to send no content

    # --- Queues and consumers ---

    def declare(self, queue: str | None, wants_reply: bool) -> None:
        """A queue is declared; a reply will say how it is called."""
        self._has_declared = True
        if not wants_reply:
            self.queue = queue or None

    def name_queue(self, queue: str | None) -> Fact | None:
        """A queue is named in a method where an empty name stands for the one that was declared last."""
        return None if queue or self._has_declared else QueueUnnamed()

    def consume(self, tag: str, consumer: Consumer) -> Fact | None:
        """The client asks for a consumer. It begins at once if it has a tag."""
        fact = ConsumerTagInUse(tag) if tag in self.consumers else None
        self.begin(tag, consumer)
        return fact

    def begin(self, tag: str, consumer: Consumer) -> None:
        """A consumer begins."""
        if tag:
            self.consumers.begin(tag, Consumer(consumer.queue or self.queue, consumer.no_ack))

    def cancel(self, tag: str, by_server: bool) -> Fact | None:
        """A side cancels a consumer."""
        is_known = tag in self.consumers
        self.consumers.cancel(tag)
        if by_server:
            return ConsumerCancelled(tag)
        return None if is_known else CancelUnknown(tag)

    # --- Messages ---

    def send_content(self, direction: int) -> Fact | None:
        """A side sends a message."""
        return ContentStopped() if self._is_stopped[direction] else None

    def flow_ok(self, direction: int, is_active: bool) -> None:
        """A side agrees to send content, or none."""
        self._is_stopped[direction] = not is_active

    def deliver_to(self, tag: str) -> Fact | None:
        """The server delivers to a consumer."""
        is_known = self.consumers.find(tag) is not None or self.requests.has("basic.consume")
        return None if is_known else ConsumerUnknown(tag)

    def follow(self, tag: int) -> Fact | None:
        """The server delivers with a tag; to be asked before the delivery is added."""
        last = self.deliveries.last
        return TagNotNext(tag, last) if tag <= last else None

    def publish(self, may_return: bool) -> None:
        """The client publishes a message, which may come back or not."""
        self._may_return = self._may_return or may_return

    @property
    def may_return(self) -> bool:
        """Whether a message was published that may come back."""
        return self._may_return

    def returned(self) -> Fact | None:
        """The server returns a message."""
        return None if self._may_return else ReturnUnasked()

    # --- Transactions and confirms ---

    def select_transactions(self) -> Fact | None:
        """Tx.select."""
        self.deliveries.has_tx = True
        return TransactionWithConfirms() if self.confirms.is_on else None

    def end_transaction(self, is_rollback: bool) -> Fact | None:
        """Tx.commit or tx.rollback."""
        if is_rollback:
            self.deliveries.rollback()
        else:
            self.deliveries.commit()
        return None if self.deliveries.has_tx else TransactionUnselected()

    def select_confirms(self) -> Fact | None:
        """Confirm.select."""
        self.confirms.select()
        return TransactionWithConfirms() if self.deliveries.has_tx else None
