"""Deliveries of a session in one direction: their numbers, and who has settled them (part 2, section 2.6.12)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic

from .link import Delivery, T
from .window import after, ahead

_MOST = 65_536


class Deliveries(Generic[T]):
    """The deliveries that are not settled by both ends, by number. The size is bounded.

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
        """Return whether this number comes after the last one; the first one may be any."""
        return self.last is None or number == after(self.last, 1)

    def add(self, delivery: Delivery[T]) -> Delivery[T] | None:
        """A delivery is sent; without a number it gets the next one, if that is known.

        Returns:
            A delivery that is forgotten: the one with the same number, or the oldest if there is no room.
        """
        number = delivery.number
        if number is None:
            if self.last is None:
                return None
            number = delivery.number = after(self.last, 1)
        if self._first is None:
            self._first = number
        elif not self.is_next(number):
            self._has_gaps = self._has_forgotten = True
        self.last = number
        displaced = self._known.get(number)
        if displaced is None and len(self._known) >= _MOST:
            displaced = next(iter(self._known.values()))
            self._has_forgotten = True
        if displaced is not None:
            self.forget(displaced)
        self._known[number] = delivery.link.unsettled[number] = delivery
        return displaced

    def has(self, first: int, last: int) -> bool:
        """Return whether any of these has been sent, or may have been, as numbers did not follow each other."""
        if self._first is None or self.last is None:
            return False
        return self._has_gaps or (ahead(last, self._first) >= 0 and ahead(first, self.last) <= 0)

    def between(self, first: int, last: int | None) -> list[Delivery[T]]:
        """Return those that are known of a range. If its end is before its beginning, there are none."""
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
        """An end settles these; those that both ends have settled are forgotten.

        Returns:
            Whether it had not settled all of them before.
        """
        is_new = self._has_forgotten
        for delivery in deliveries:
            is_new = is_new or not delivery.settled_by[role]
            delivery.settled_by[role] = True
            if all(delivery.settled_by):
                self.forget(delivery)
        return is_new

    def forget(self, delivery: Delivery[T]) -> None:
        """Nobody asks for this one any more; it must be known."""
        number = delivery.number
        if number is not None:
            del self._known[number]
            del delivery.link.unsettled[number]

    def all(self) -> list[Delivery[T]]:
        """Return all that are known, oldest first."""
        return list(self._known.values())
