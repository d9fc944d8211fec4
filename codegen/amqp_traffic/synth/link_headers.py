"""What stands before the IP packet, by link type.

Link types: https://www.tcpdump.org/linktypes.html
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from struct import pack

_ETHERTYPES = {4: 0x0800, 6: 0x86DD}
_ARP = 0x0806  # what anything else is taken for
_MAC = b"\x02\x00\x5e\x00\x00\x01"  # locally administered
_VLAN, _SERVICE_VLAN = 0x8100, 0x88A8
_ETHERNET_HARDWARE = 1  # ARPHRD_ETHER
_INTERNET = {4: 2, 6: 30}  # AF_INET; AF_INET6 as on macOS

_Header = Callable[[int, str], bytes]


@dataclass(frozen=True, slots=True)
class LinkType:
    """A link type.

    Attributes:
        number: As in the capture file.
        header: The octets before an IP packet, by its version and the byte order of the file.
        ip_version: The only version of IP, if there is only one.
    """

    number: int
    header: _Header
    ip_version: int | None = None


def ethernet(*tags: int) -> _Header:
    """Ethernet, with VLAN tags of these ethertypes."""
    vlans = b"".join(pack(">HH", tag, 100 + place) for place, tag in enumerate(tags))
    return lambda version, order: _MAC + _MAC + vlans + pack(">H", _ETHERTYPES.get(version, _ARP))


def linux_cooked(version: int, order: str) -> bytes:
    """SLL."""
    return pack(">HHH8sH", 0, _ETHERNET_HARDWARE, len(_MAC), _MAC, _ETHERTYPES.get(version, _ARP))


def linux_cooked_2(version: int, order: str) -> bytes:
    """SLL2."""
    return pack(">HHIHBB8s", _ETHERTYPES.get(version, _ARP), 0, 1, _ETHERNET_HARDWARE, 0, len(_MAC), _MAC)


def null(version: int, order: str) -> bytes:
    """BSD loopback: in the byte order of the machine that captured."""
    return pack(order + "I", _INTERNET[version])


def loop(version: int, order: str) -> bytes:
    """OpenBSD loopback: the same in network byte order."""
    return pack(">I", _INTERNET[version])


def nothing(version: int, order: str) -> bytes:
    """Raw IP."""
    return b""


LINK_TYPES = {
    "ethernet": LinkType(1, ethernet()),
    "vlan": LinkType(1, ethernet(_VLAN)),
    "qinq": LinkType(1, ethernet(_SERVICE_VLAN, _VLAN)),
    "sll": LinkType(113, linux_cooked),
    "sll2": LinkType(276, linux_cooked_2),
    "null": LinkType(0, null),
    "loop": LinkType(108, loop),
    "raw": LinkType(101, nothing),
    "raw-bsd": LinkType(12, nothing),
    "ipv4": LinkType(228, nothing, ip_version=4),
    "ipv6": LinkType(229, nothing, ip_version=6),
}
