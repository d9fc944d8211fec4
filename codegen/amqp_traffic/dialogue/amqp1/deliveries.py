"""Deliveries of a session in one direction: their numbers, and who has settled them (part 2, section 2.6.12)."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, NamedTuple

from .link import LinkDelivery, T
from .number_ranges import NumberRanges, Told
from .window import after, ahead

_MOST_DELIVERIES = 65_536


class Displaced(NamedTuple, Generic[T]):
    """A delivery that another one displaces.

    Attributes:
        told: What was told about it since ``Deliveries.hear``.
    """

    delivery: LinkDelivery[T]
    told: Told | None


class Deliveries(Generic[T]):
    """The deliveries that are not settled by both ends, by number. Their count is bounded.

    Attributes:
        last: The number of the last one; None before the first.
    """

    __slots__ = ("_first", "_has_forgotten", "_has_gaps", "_known", "_open", "_settled_by", "last")

    def __init__(self) -> None:
        self._first: int | None = None
        self.last: int | None = None
        self._has_forgotten = self._has_gaps = False
        # The oldest first. A dict would look for its first item at all places of what was removed before.
        self._known: OrderedDict[int, LinkDelivery[T]] = OrderedDict()
        # Each of them is here, or where one end has settled it, so that no range is looked through in vain.
        self._open: NumberRanges[LinkDelivery[T]] = NumberRanges()
        self._settled_by: tuple[NumberRanges[LinkDelivery[T]], NumberRanges[LinkDelivery[T]]] = (
            NumberRanges(),
            NumberRanges(),
        )

    @property
    def count(self) -> int:
        """Return how many are known."""
        return len(self._known)

    def is_next(self, number: int) -> bool:
        """True if this number follows the last one. The first may be any."""
        return self.last is None or number == after(self.last, 1)

    def add(self, delivery: LinkDelivery[T]) -> Displaced[T] | None:
        """Add a delivery. One without a number gets the next one, if that is known.

        Returns:
            The delivery that it displaces: the one with the same number, or the oldest if there is no room.
        """
        number = delivery.number
        if number is None:
            if self.last is None:
                return None
            number = delivery.number = after(self.last, 1)
        if self._first is None:
            self._first = number
        elif number != after(self.last or 0, 1):
            self._has_gaps = self._has_forgotten = True
        self.last = number
        displaced = self._known.get(number)
        if displaced is None and len(self._known) >= _MOST_DELIVERIES:
            displaced = next(iter(self._known.values()))
            self._has_forgotten = True
        told = None if displaced is None else self.forget(displaced)
        self._known[number] = delivery.link.unsettled[number] = delivery
        self._open.add(number, delivery)
        return None if displaced is None else Displaced(displaced, told)

    def has(self, first: int, last: int) -> bool:
        """True if any number of the range was sent, or may have been because numbers have gaps."""
        if self._first is None or self.last is None:
            return False
        return self._has_gaps or (ahead(last, self._first) >= 0 and ahead(first, self.last) <= 0)

    def first_open(self, first: int, last: int) -> LinkDelivery[T] | None:
        """Return the first delivery of a range that neither end has settled; none if it ends before it begins."""
        if first == last:
            delivery = self._known.get(first)
            return delivery if delivery is not None and delivery.settled_by is None else None
        return self._open.first(first, last)

    def tell(self, first: int, last: int, told: Told) -> None:
        """Note what is told about the deliveries of a range that neither end has settled."""
        self._open.tell(first, last, told)

    def hear(self, delivery: LinkDelivery[T]) -> Told | None:
        """Return what was told about a known delivery, that neither end has settled, since the last time."""
        return None if delivery.number is None else self._open.hear(delivery.number)

    def settle(self, first: int, last: int, role: bool) -> bool:
        """Settle the deliveries of a range at one end. Those that both ends have settled are forgotten.

        Returns:
            False if that end had settled all of them before.
        """
        is_new = self._has_forgotten
        settled, half_settled = self._settled_by[role], self._settled_by[not role]
        while (delivery := half_settled.first(first, last)) is not None:
            is_new = True
            self.forget(delivery)
        while (delivery := self._open.first(first, last)) is not None:
            is_new = True
            number = delivery.number
            assert number is not None
            self._open.take(number)
            delivery.settled_by = role
            settled.add(number, delivery)
        return is_new

    def forget(self, delivery: LinkDelivery[T]) -> Told | None:
        """Remove a delivery, which must be known. Return what was told about it since ``hear``."""
        number = delivery.number
        if number is None:
            return None
        del self._known[number]
        del delivery.link.unsettled[number]
        settled_by = delivery.settled_by
        return (self._open if settled_by is None else self._settled_by[settled_by]).take(number)

    def all(self) -> list[LinkDelivery[T]]:
        """Return all known deliveries, oldest first."""
        return list(self._known.values())
