"""The consumers of a 0-x channel, and their queues."""

from __future__ import annotations

from typing import NamedTuple

from ..outstanding import MOST_OUTSTANDING


class Consumer(NamedTuple):
    """The request of basic.consume or basic.get.

    Attributes:
        queue: Its name. An empty name stands for the queue declared last; None is unknown.
        no_ack: True if messages need no acknowledgement.
    """

    queue: str | None
    no_ack: bool


class Consumers:
    """Consumers by tag. A cancelled one is kept until basic.cancel-ok, as deliveries may be on their way."""

    __slots__ = ("_active", "_cancelled")

    def __init__(self) -> None:
        self._active: dict[str, Consumer] = {}
        self._cancelled: dict[str, Consumer] = {}

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
        _cap(self._active)

    def cancel(self, tag: str) -> None:
        """Mark a consumer as cancelled."""
        consumer = self._active.pop(tag, None)
        if consumer is not None:
            self._cancelled[tag] = consumer
            _cap(self._cancelled)

    def end(self, tag: str) -> None:
        """Remove a consumer. Its cancellation may be missing from the capture."""
        if self._cancelled.pop(tag, None) is None:
            self._active.pop(tag, None)

    def clear(self) -> None:
        """Remove all."""
        self._active.clear()
        self._cancelled.clear()


def _cap(consumers: dict[str, Consumer]) -> None:
    if len(consumers) > MOST_OUTSTANDING:
        del consumers[next(iter(consumers))]
