"""The consumers of a channel of 0-x, and the queues that they consume from."""

from __future__ import annotations

from typing import NamedTuple

from ..outstanding import MOST


class Consumer(NamedTuple):
    """What basic.consume or basic.get asks for.

    Attributes:
        queue: The queue; empty stands for the one that was declared last, None for one that is not known.
        no_ack: Whether messages are not to be settled.
    """

    queue: str | None
    no_ack: bool


class Consumers:
    """Consumers by tag. Those that are cancelled are known until that is answered: something may be on its way."""

    __slots__ = ("_active", "_cancelled")

    def __init__(self) -> None:
        self._active: dict[str, Consumer] = {}
        self._cancelled: dict[str, Consumer] = {}

    def __contains__(self, tag: str) -> bool:
        """Whether a consumer is there that is not cancelled."""
        return tag in self._active

    def find(self, tag: str) -> Consumer | None:
        """The consumer to which something may be delivered."""
        return self._active.get(tag) or self._cancelled.get(tag)

    def begin(self, tag: str, consumer: Consumer) -> None:
        """A consumer begins, perhaps with the tag of another one."""
        self._active.pop(tag, None)
        self._active[tag] = consumer
        _cap(self._active)

    def cancel(self, tag: str) -> None:
        """A side cancels a consumer."""
        consumer = self._active.pop(tag, None)
        if consumer is not None:
            self._cancelled[tag] = consumer
            _cap(self._cancelled)

    def end(self, tag: str) -> None:
        """Nothing is delivered to a consumer any more, though its cancellation may not have been captured."""
        if self._cancelled.pop(tag, None) is None:
            self._active.pop(tag, None)

    def clear(self) -> None:
        """Nothing is delivered to any of them."""
        self._active.clear()
        self._cancelled.clear()


def _cap(consumers: dict[str, Consumer]) -> None:
    if len(consumers) > MOST:
        del consumers[next(iter(consumers))]
