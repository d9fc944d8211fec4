"""Numbers that a peer hands out and takes back: channels, link handles.

Channels and handles are small numbers that one side chooses, up to a maximum that the other side states
(channel-max, handle-max), and that may be used again once the channel or the link is closed.

    >>> channels = NumberAllocator(1, 3)
    >>> [channels.allocate() for _ in range(3)]
    [1, 2, 3]
    >>> channels.release(2)
    >>> channels.allocate()
    2

``allocate`` raises ``NoFreeNumber`` when all of them are in use.
"""

from collections.abc import Iterator
from heapq import heapify, heappop, heappush
from typing import Final

__all__ = ["NoFreeNumber", "NumberAllocator"]


class NoFreeNumber(Exception):
    """All numbers are in use: one must be released first, or the maximum be raised."""


class NumberAllocator:
    """The numbers of a range, each of which is either free or in use.

    The lowest free number is allocated first: it takes the fewest octets, and the tables of the peer stay
    small. Memory grows with the numbers in use at one time, not with the range.

    Attributes:
        first: The lowest number.
        last: The highest number. It may be changed when the peer states its maximum; numbers above it that
            are in use stay so until they are released.
    """

    __slots__ = ("_free", "_next", "_used", "first", "last")

    def __init__(self, first: int, last: int) -> None:
        """Make an allocator with all numbers free.

        Raises:
            ValueError: The range is negative, or empty.
        """
        if not 0 <= first <= last:
            raise ValueError(f"{first} to {last} is not a range of numbers")
        self.first: Final = first
        self.last = last
        self._used: set[int] = set()
        self._next = first  # the lowest number that was never allocated
        self._free: list[int] = []  # a heap of the free numbers below it

    def allocate(self) -> int:
        """Take the lowest free number.

        Raises:
            NoFreeNumber: All numbers are in use.
        """
        if self._free and self._free[0] <= self.last:
            number = heappop(self._free)
        else:
            while self._next in self._used:  # reserved before its turn came
                self._next += 1
            number = self._next
            if number > self.last:
                raise NoFreeNumber(f"all numbers from {self.first} to {self.last} are in use")
            self._next += 1
        self._used.add(number)
        return number

    def reserve(self, number: int) -> None:
        """Take a certain number, which the peer or the user chose.

        Raises:
            ValueError: The number is in use, or out of range.
        """
        if not self.first <= number <= self.last:
            raise ValueError(f"{number} is not a number from {self.first} to {self.last}")
        if number in self._used:
            raise ValueError(f"{number} is in use")
        if number < self._next:
            self._free.remove(number)
            heapify(self._free)
        self._used.add(number)

    def release(self, number: int) -> None:
        """Give a number back; the next ``allocate`` may return it.

        Raises:
            ValueError: The number is not in use.
        """
        if number not in self._used:
            raise ValueError(f"{number} is not in use")
        self._used.remove(number)
        if number < self._next:
            heappush(self._free, number)

    def __contains__(self, number: int) -> bool:
        """Return whether a number is in use."""
        return number in self._used

    def __iter__(self) -> Iterator[int]:
        """Iterate over the numbers in use, the lowest first."""
        return iter(sorted(self._used))

    def __len__(self) -> int:
        """Return how many numbers are in use."""
        return len(self._used)

    def __bool__(self) -> bool:
        """Return True, also if all numbers are free: ``if numbers`` asks whether there is an allocator."""
        return True
