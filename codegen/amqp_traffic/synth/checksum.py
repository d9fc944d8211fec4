"""The checksum of IP and TCP (RFC 1071), as a remainder: all octets are one large number, and one division does it.

2**16 leaves 1 when it is divided by 2**16 - 1, so the remainder of the number is that of the sum of its words.
"""

from __future__ import annotations

_ONES = 0xFFFF


def number_of(octets: bytes | bytearray) -> int:
    """The octets as a number that adds to others of their kind; an odd one has a zero behind it."""
    return int.from_bytes(octets, "big") << (8 if len(octets) & 1 else 0)


def checksum(total: int) -> int:
    """The checksum of what makes up this sum."""
    return _ONES - total % _ONES
