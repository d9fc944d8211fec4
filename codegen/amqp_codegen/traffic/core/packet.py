"""What readers of capture files hand on: where a packet is, and when it came."""

from __future__ import annotations

from typing import TypeAlias

# (record position, data position, captured octets, original octets, ns, link type)
#
# The record is the packet with its record header, or its block; ns is in nanoseconds since 1970, 0 if unknown.
Packet: TypeAlias = tuple[int, int, int, int, int, int]

LONGEST_PACKET = 262_144  # libpcap and Wireshark take and make no longer ones
SECOND = 1_000_000_000
CHAIN = 3  # so many records must follow each other to be believed after damage
