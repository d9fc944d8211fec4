"""The state of a 0-x channel and its consumers, as far as later methods depend on it."""

from __future__ import annotations

from typing import Generic, NamedTuple

from .facts import Fact, FactKind
from .requests import Requests
from .settlement import MOST_OUTSTANDING, Confirms, Deliveries, M


class Consumer(NamedTuple):
    """The request of basic.consume or basic.get.

    Attributes:
        queue: Its name. An empty name stands for the queue declared last; None is unknown.
        no_ack: True if messages need no acknowledgement.
    """

    queue: str | None
    no_ack: bool


def is_direct_reply(exchange: str | None, routing_key: str | None) -> bool:
    """Return whether a delivery is a direct reply of RabbitMQ.

    It comes from no queue, needs no acknowledgement, and its delivery-tag is always 1, whatever else the channel delivers.
    """
    return exchange == "" and (routing_key or "").startswith("amq.rabbitmq.reply-to.")


class Consumers:
    """Consumers by tag. A cancelled one is kept until basic.cancel-ok, as deliveries may be on their way."""

    __slots__ = ("_active", "_cancelled")

    def __init__(self) -> None:
        self._active: dict[str, Consumer] = {}
        self._cancelled: dict[str, Consumer] = {}

    @property
    def count(self) -> int:
        """Return how many consumers are kept."""
        return len(self._active) + len(self._cancelled)

    def __contains__(self, tag: str) -> bool:
        """True if there is such a consumer and it is not cancelled."""
        return tag in self._active

    def find(self, tag: str) -> Consumer | None:
        """Return the consumer, even if it is cancelled but not yet gone."""
        return self._active.get(tag) or self._cancelled.get(tag)

    def begin(self, tag: str, consumer: Consumer) -> None:
        """Add a consumer. It replaces one with the same tag."""
        self._active.pop(tag, None)
        self._active[tag] = consumer
        _cap_consumers(self._active)

    def cancel(self, tag: str) -> None:
        """Mark a consumer as cancelled."""
        consumer = self._active.pop(tag, None)
        if consumer is not None:
            self._cancelled[tag] = consumer
            _cap_consumers(self._cancelled)

    def end(self, tag: str) -> None:
        """Remove a consumer. Its cancellation may be missing from the capture."""
        if self._cancelled.pop(tag, None) is None:
            self._active.pop(tag, None)

    def clear(self) -> None:
        """Remove all."""
        self._active.clear()
        self._cancelled.clear()


def _cap_consumers(consumers: dict[str, Consumer]) -> None:
    if len(consumers) > MOST_OUTSTANDING:
        del consumers[next(iter(consumers))]


class ChannelDialogue(Generic[M]):
    """The state of a channel.

    The functions take plain values, so they do not depend on how a capture is read. Most return a fact if a method does
    not fit the state.

    Attributes:
        confirms: The messages that the broker has to confirm.
        deliveries: The messages that the client has to settle.
        requests: The requests without a reply.
        queue: The queue that an empty name stands for; None if it is not known.
    """

    def __init__(self) -> None:
        self.confirms: Confirms[M] = Confirms()
        self.deliveries: Deliveries[M] = Deliveries()
        self.consumers = Consumers()
        self.requests = Requests()
        self.queue: str | None = None
        self._has_declared = self._may_return = False
        self._is_stopped = [False, False]  # by direction: that side agreed to stop sending content

    @property
    def held(self) -> int:
        """Return how many messages, requests and consumers wait for something."""
        return self.confirms.count + self.deliveries.count + self.requests.count + self.consumers.count

    # --- Queues and consumers ---

    def declare(self, queue: str | None, wants_reply: bool) -> None:
        """Take queue.declare. The reply, if one is wanted, gives the name."""
        self._has_declared = True
        if not wants_reply:
            self.queue = queue or None

    def name_queue(self, queue: str | None) -> Fact | None:
        """Check a queue name in a method where an empty one stands for the queue declared last."""
        return None if queue or self._has_declared else Fact(FactKind.QUEUE_UNNAMED)

    def consume(self, tag: str, consumer: Consumer) -> Fact | None:
        """Take basic.consume. A consumer with a tag begins at once."""
        fact = Fact(FactKind.CONSUMER_TAG_IN_USE, consumer=tag) if tag in self.consumers else None
        self.begin(tag, consumer)
        return fact

    def begin(self, tag: str, consumer: Consumer) -> None:
        """Begin a consumer."""
        if tag:
            self.consumers.begin(tag, Consumer(consumer.queue or self.queue, consumer.no_ack))

    def cancel(self, tag: str, by_server: bool) -> Fact | None:
        """Take basic.cancel, from either side."""
        is_known = tag in self.consumers
        self.consumers.cancel(tag)
        if by_server:
            return Fact(FactKind.CONSUMER_CANCELLED, consumer=tag)
        return None if is_known else Fact(FactKind.CANCEL_UNKNOWN, consumer=tag)

    # --- Messages ---

    def send_content(self, direction: int) -> Fact | None:
        """Check that a side may send a message."""
        return Fact(FactKind.CONTENT_STOPPED) if self._is_stopped[direction] else None

    def flow_ok(self, direction: int, is_active: bool) -> None:
        """Take channel.flow-ok: a side agrees to send content or to stop."""
        self._is_stopped[direction] = not is_active

    def deliver_to(self, tag: str) -> Fact | None:
        """Check the consumer that the server delivers to."""
        is_known = self.consumers.find(tag) is not None or self.requests.has("basic.consume")
        return None if is_known else Fact(FactKind.CONSUMER_UNKNOWN, consumer=tag)

    def follow(self, tag: int) -> Fact | None:
        """Check the tag of a delivery. Call this before the delivery is added."""
        last = self.deliveries.last
        return Fact(FactKind.TAG_NOT_NEXT, tag, last) if tag <= last else None

    def publish(self, may_return: bool) -> None:
        """Take basic.publish. ``may_return``: the message may come back (mandatory or immediate)."""
        self._may_return = self._may_return or may_return

    @property
    def may_return(self) -> bool:
        """True if a message was published that may come back."""
        return self._may_return

    def returned(self) -> Fact | None:
        """Check basic.return."""
        return None if self._may_return else Fact(FactKind.RETURN_UNASKED)

    # --- Transactions and confirms ---

    def select_transactions(self) -> Fact | None:
        """Take tx.select."""
        self.deliveries.has_tx = True
        return Fact(FactKind.TRANSACTION_WITH_CONFIRMS) if self.confirms.is_on else None

    def end_transaction(self, is_rollback: bool) -> Fact | None:
        """Take tx.commit or tx.rollback."""
        if is_rollback:
            self.deliveries.rollback()
        else:
            self.deliveries.commit()
        return None if self.deliveries.has_tx else Fact(FactKind.TRANSACTION_UNSELECTED)

    def select_confirms(self) -> Fact | None:
        """Take confirm.select."""
        self.confirms.select()
        return Fact(FactKind.TRANSACTION_WITH_CONFIRMS) if self.deliveries.has_tx else None
