"""Deliveries of a session in one direction: their numbers, and who has settled them (part 2, section 2.6.12)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic

from .link import Delivery, T
from .window import after, ahead

_MOST_DELIVERIES = 65_536


class Deliveries(Generic[T]):
    """The deliveries that are not settled by both ends, by number. Their count is bounded.

    Attributes:
        last: The number of the last one; None before the first.
    """

    __slots__ = ("_first", "_has_forgotten", "_has_gaps", "_known", "last")

    def __init__(self) -> None:
        self._first: int | None = None
        self.last: int | None = None
        self._has_forgotten = self._has_gaps = False
        self._known: dict[int, Delivery[T]] = {}

    def is_next(self, number: int) -> bool:
        """True if this number follows the last one. The first may be any."""
        return self.last is None or number == after(self.last, 1)

    def add(self, delivery: Delivery[T]) -> Delivery[T] | None:
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
        if displaced is not None:
            self.forget(displaced)
        self._known[number] = delivery.link.unsettled[number] = delivery
        return displaced

    def has(self, first: int, last: int) -> bool:
        """True if any number of the range was sent, or may have been because numbers have gaps."""
        if self._first is None or self.last is None:
            return False
        return self._has_gaps or (ahead(last, self._first) >= 0 and ahead(first, self.last) <= 0)

    def between(self, first: int, last: int | None) -> list[Delivery[T]]:
        """Return the known deliveries of a range; none if it ends before it begins."""
        known = self._known
        if last is None or last == first:
            delivery = known.get(first)
            return [] if delivery is None else [delivery]
        count = ahead(last, first)
        if count > len(known):
            return [delivery for number, delivery in known.items() if 0 <= ahead(number, first) <= count]
        numbers = (after(first, step) for step in range(count + 1))
        return [known[number] for number in numbers if number in known]

    def settle(self, deliveries: Iterable[Delivery[T]], role: bool) -> bool:
        """Settle deliveries at one end. Those that both ends have settled are forgotten.

        Returns:
            False if that end had settled all of them before.
        """
        is_new = self._has_forgotten
        for delivery in deliveries:
            is_new = is_new or not delivery.settled_by[role]
            delivery.settled_by[role] = True
            if all(delivery.settled_by):
                self.forget(delivery)
        return is_new

    def forget(self, delivery: Delivery[T]) -> None:
        """Remove a delivery, which must be known."""
        number = delivery.number
        if number is not None:
            del self._known[number]
            del delivery.link.unsettled[number]

    def all(self) -> list[Delivery[T]]:
        """Return all known deliveries, oldest first."""
        return list(self._known.values())
