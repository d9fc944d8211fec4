"""Packets of capture files: where each is, and how long they may be."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

# (record position, data position, captured octets, original octets, ns, link type)
#
# The record is the packet with its record header, or its block; ns is in nanoseconds since 1970, 0 if unknown.
Packet: TypeAlias = tuple[int, int, int, int, int, int]

# Called with a position, and with the end of the octets that are there: somebody else reads plain packets from there on. Returns
# the position of the first record that was not read, and the time of the last packet.
Skip: TypeAlias = Callable[[int, int], tuple[int, int]]

LONGEST_PACKET = 262_144  # libpcap and Wireshark neither read nor write longer ones
SECOND = 1_000_000_000
CHAIN = 3  # adjacent records that are needed to accept a position after damage
