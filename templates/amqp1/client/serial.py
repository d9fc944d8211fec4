"""Serial numbers of 32 bits (RFC 1982): transfer-ids, delivery-ids and delivery-counts.

Their types are sequence-no, transfer-number and delivery-number. They go on from 4294967295 to 0, so neither
``<`` nor ``-`` of Python's integers fits them.

    >>> add(4294967295, 2)
    1
    >>> difference(1, 4294967295)
    2
    >>> compare(4294967295, 1)
    -1
    >>> list(span(4294967294, 1))
    [4294967294, 4294967295, 0, 1]
"""

from collections.abc import Iterator
from typing import Final

__all__ = ["HALF", "MASK", "UndefinedOrder", "add", "compare", "difference", "span"]

# Half of the numbers: the distance at which it is undefined which of two comes first.
HALF: Final = 0x80000000
MASK: Final = 0xFFFFFFFF


class UndefinedOrder(ValueError):
    """Two numbers are exactly 2^31 apart, so neither comes before the other (RFC 1982, section 3.2).

    Numbers of one sequence that are in use at a time are never that far apart: a peer that sends such a
    number is in error.
    """


def add(number: int, count: int) -> int:
    """Return the number that comes ``count`` after another.

    Raises:
        ValueError: A number is not 0 to 4294967295, or the count is not 0 to 2147483647: such additions are
            undefined (RFC 1982, section 3.1).
    """
    if not 0 <= number <= MASK:
        raise ValueError(f"{number} is not a serial number of 32 bits")
    if not 0 <= count < HALF:
        raise ValueError(f"{count} cannot be added to a serial number: only 0 to {HALF - 1} can")
    return (number + count) & MASK


def difference(number: int, other: int) -> int:
    """Return how far a number comes after another; less than 0 if it comes before it.

    Raises:
        UndefinedOrder: They are 2147483648 apart.
        ValueError: One of them is not 0 to 4294967295.
    """
    if not 0 <= number <= MASK or not 0 <= other <= MASK:
        raise ValueError(f"{number} and {other} are not both serial numbers of 32 bits")
    distance = (number - other) & MASK
    if distance < HALF:
        return distance
    if distance == HALF:
        raise UndefinedOrder(f"neither of {number} and {other} comes first: they are {HALF} apart")
    return distance - MASK - 1


def compare(number: int, other: int) -> int:
    """Return -1 if a number comes before another, 0 if they are equal, 1 if it comes after it.

    With ``functools.cmp_to_key`` it sorts numbers that are less than 2147483648 apart.

    Raises:
        UndefinedOrder: They are 2147483648 apart.
        ValueError: One of them is not 0 to 4294967295.
    """
    distance = difference(number, other)
    return (distance > 0) - (distance < 0)


def span(first: int, last: int) -> Iterator[int]:
    """Iterate from one number to another, both included; over nothing if the last comes before the first.

    In a disposition the peer chooses both, and there may be two billion between them:
    ``UnsettledDeliveries`` only looks at those it knows.

    Raises:
        UndefinedOrder: They are 2147483648 apart.
        ValueError: One of them is not 0 to 4294967295.
    """
    count = difference(last, first) + 1
    return ((first + offset) & MASK for offset in range(count))
