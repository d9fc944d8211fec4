"""Serial numbers, and windows over them: transfers of a session (part 2, 2.5.6), deliveries of a link (2.6.7).

The sender may not have seen a smaller grant yet, so the largest one counts.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from amqp_codegen.support.resources import load_package

from ...schemas import PACKAGE1


@cache
def _serial() -> Any:
    """Return the arithmetic of serial numbers of the generated package, which is loaded when the first is compared."""
    return load_package(PACKAGE1).serial


def ahead(number: int, other: int) -> int:
    """Return how far a number is after another one; negative if it is before, or half of the range away (RFC 1982).

    Tables may hold what is not a serial number: only its lowest 32 bits count.
    """
    serial = _serial()
    try:
        distance: int = serial.difference(number & serial.MASK, other & serial.MASK)
    except serial.UndefinedOrder:
        distance = -serial.HALF
    return distance


def after(number: int, step: int) -> int:
    """Return the number ``step`` after another one; ``add`` of the package takes no step beyond half of the range."""
    following: int = (number + step) & _serial().MASK
    return following


class SerialWindow:
    """The numbers that a sender may use.

    Attributes:
        first: The sender's first number; None before it is known.
        count: The next number.
        limit: The first number beyond all grants; None before the first grant.
    """

    __slots__ = ("_early", "_is_unlimited", "count", "first", "limit")

    def __init__(self) -> None:
        self.first: int | None = None
        self.count: int | None = None
        self.limit: int | None = None
        self._is_unlimited = False
        self._early: int | None = None  # granted before the sender began

    def begin(self, first: int) -> None:
        """Take the first number of the sender."""
        self.first = self.count = first
        if self._early is not None:
            self.grant(first, self._early)

    def grant(self, base: int | None, amount: int) -> None:
        """Take a grant of the receiver.

        Args:
            base: The first number granted; None if the receiver does not know where the sender begins.
            amount: The size of the grant.
        """
        if amount >= _serial().HALF - 1:  # serial numbers compare only within half of their range
            self._is_unlimited = True
        elif base is None:
            self._early = max(self._early or 0, amount)
        else:
            limit = after(base, amount)
            if self.limit is None or ahead(limit, self.limit) > 0:
                self.limit = limit

    @property
    def has_room(self) -> bool:
        """True if the sender may use one more number."""
        if self._is_unlimited:
            return True
        return self.limit is not None and self.count is not None and ahead(self.limit, self.count) > 0

    def use(self) -> None:
        """Use one number."""
        if self.count is not None:
            self.count = after(self.count, 1)
