"""Serial numbers, and windows over them: transfers of a session (part 2, 2.5.6), deliveries of a link (2.6.7).

The sender may not have seen a smaller grant yet, so the largest one counts.
"""

from __future__ import annotations

_SERIAL_NUMBERS = 1 << 32
_HALF_RANGE = 1 << 31
# A grant of this size is not a limit, as serial numbers compare only within half of their range.
_UNLIMITED_GRANT = _HALF_RANGE - 1


def ahead(number: int, of: int) -> int:
    """Return how far a number is after another one; negative if it is before (RFC 1982)."""
    return (number - of + _HALF_RANGE) % _SERIAL_NUMBERS - _HALF_RANGE


def after(number: int, step: int) -> int:
    """Return the number ``step`` after another one."""
    return (number + step) % _SERIAL_NUMBERS


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
        self._is_unlimited = self._is_unlimited or amount >= _UNLIMITED_GRANT
        if base is None:
            self._early = max(self._early or 0, amount)
            return
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
            self.count = (self.count + 1) % _SERIAL_NUMBERS
