"""Serial numbers, and windows over them: how many transfers a session takes, and deliveries a link has credit for.

Part 2, sections 2.5.6 and 2.6.7. A smaller grant may not have reached the sender yet, so the largest one counts.
"""

from __future__ import annotations

_NUMBERS = 1 << 32
_HALF = 1 << 31
# From here on, a grant is no limit: numbers are compared across half of all that there are.
_UNLIMITED = _HALF - 1


def ahead(number: int, of: int) -> int:
    """Return how far a number is after another one; negative if it is before it (RFC 1982)."""
    return (number - of + _HALF) % _NUMBERS - _HALF


def after(number: int, step: int) -> int:
    """Return the number that is so many after another one."""
    return (number + step) % _NUMBERS


class SerialWindow:
    """What a sender may use up.

    Attributes:
        first: The number with which the sender begins; None before it has said so.
        count: The number that comes next.
        limit: The number that no grant reaches; None before the first grant.
    """

    __slots__ = ("_early", "_is_unlimited", "count", "first", "limit")

    def __init__(self) -> None:
        self.first: int | None = None
        self.count: int | None = None
        self.limit: int | None = None
        self._is_unlimited = False
        self._early: int | None = None  # granted before the sender began

    def begin(self, first: int) -> None:
        """The sender says with which number it begins."""
        self.first = self.count = first
        if self._early is not None:
            self.grant(first, self._early)

    def grant(self, base: int | None, amount: int) -> None:
        """The receiver takes so many.

        Args:
            base: The number from which on; None if it does not know where the sender begins.
            amount: How many.
        """
        self._is_unlimited = self._is_unlimited or amount >= _UNLIMITED
        if base is None:
            self._early = max(self._early or 0, amount)
            return
        limit = after(base, amount)
        if self.limit is None or ahead(limit, self.limit) > 0:
            self.limit = limit

    @property
    def has_room(self) -> bool:
        """Whether the sender may use one more."""
        if self._is_unlimited:
            return True
        return self.limit is not None and self.count is not None and ahead(self.limit, self.count) > 0

    def use(self) -> None:
        """The sender uses one."""
        if self.count is not None:
            self.count = after(self.count, 1)
