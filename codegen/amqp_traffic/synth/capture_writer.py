"""Capture files, octet by octet: pcap and pcapng, and the link-layer headers of packets.

Formats: https://ietf-opsawg-wg.github.io/draft-ietf-opsawg-pcap/draft-ietf-opsawg-pcap.html and
draft-ietf-opsawg-pcapng.html in the same place. Link types: https://www.tcpdump.org/linktypes.html. ``order`` is the
byte order, ``<`` or ``>`` as in ``struct``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from struct import pack

from amqp_codegen import __version__

SNAPLEN = 262_144  # the largest that libpcap and Wireshark accept
_SECOND = 1_000_000_000
_PCAP_MAGIC = {1_000: 0xA1B2C3D4, 1: 0xA1B23C4D}
_RESOLUTION = {1_000: 6, 1: 9}  # if_tsresol
_SECTION_HEADER, _INTERFACE, _OBSOLETE_PACKET, _SIMPLE_PACKET = 0x0A0D0D0A, 1, 2, 3
_STATISTICS, _ENHANCED_PACKET = 5, 6
_COMMENT, _INTERFACE_NAME, _TIME_RESOLUTION, _TIME_OFFSET = 1, 2, 9, 14


@dataclass(frozen=True)
class CaptureFormat(ABC):
    """A format of capture files: head, records, foot.

    Attributes:
        link_type: The number of the link type.
        order: The byte order.
        unit: Nanoseconds in the unit of time: 1,000 or 1.
        snaplen: The most octets captured of a packet.
    """

    link_type: int
    order: str = "<"
    unit: int = 1_000
    snaplen: int = SNAPLEN

    @abstractmethod
    def head(self) -> bytes:
        """Return the octets before the packets."""

    @abstractmethod
    def record(self, ns: int, octets: bytes, original: int) -> bytes:
        """Return the record of a packet.

        Args:
            ns: The time, in nanoseconds since 1970.
            octets: The captured octets of the packet.
            original: The size of the packet before it was captured.
        """

    @abstractmethod
    def foot(self) -> bytes:
        """Return the octets after the packets."""


class Pcap(CaptureFormat):
    """A pcap file, which ends with its last record."""

    def head(self) -> bytes:
        """Return the file header."""
        return pack(self.order + "IHHiIII", _PCAP_MAGIC[self.unit], 2, 4, 0, 0, self.snaplen, self.link_type)

    def record(self, ns: int, octets: bytes, original: int) -> bytes:
        """Return the record of a packet, see ``CaptureFormat``."""
        seconds, rest = divmod(ns, _SECOND)
        return pack(self.order + "IIII", seconds, rest // self.unit, len(octets), original) + octets

    def foot(self) -> bytes:
        """Return nothing."""
        return b""


@dataclass(frozen=True)
class Pcapng(CaptureFormat):
    """A pcapng file with one section and one interface.

    Attributes:
        packet_block: ``enhanced``, ``obsolete``, or ``simple``, which has no time.
    """

    packet_block: str = "enhanced"

    def head(self) -> bytes:
        """Return the section header and the interface description."""
        section = section_header(self.order, f"amqp-codegen {__version__}")
        resolution = _RESOLUTION[self.unit]
        return section + interface_description(self.link_type, self.order, self.snaplen, resolution)

    def record(self, ns: int, octets: bytes, original: int) -> bytes:
        """Return the record of a packet, see ``CaptureFormat``."""
        if self.packet_block == "simple":
            return simple_packet(octets, original, self.order)
        make = enhanced_packet if self.packet_block == "enhanced" else obsolete_packet
        return make(ns // self.unit, octets, original, self.order)

    def foot(self) -> bytes:
        """Return the interface statistics."""
        return block(_STATISTICS, pack(self.order + "III", 0, 0, 0), self.order)


# --- Blocks of pcapng ---


def block(kind: int, content: bytes, order: str = "<") -> bytes:
    """Return a block of any kind; the content is padded to a multiple of four octets."""
    padding = bytes(-len(content) % 4)
    length = len(content) + len(padding) + 12
    return b"".join((pack(order + "II", kind, length), content, padding, pack(order + "I", length)))


def option(code: int, value: bytes, order: str = "<") -> bytes:
    """Return an option of a block."""
    return pack(order + "HH", code, len(value)) + value + bytes(-len(value) % 4)


def section_header(order: str = "<", comment: str = "") -> bytes:
    """Return the header of a section of unknown length."""
    options = option(_COMMENT, comment.encode(), order) + option(0, b"", order) if comment else b""
    return block(_SECTION_HEADER, pack(order + "IHHq", 0x1A2B3C4D, 1, 0, -1) + options, order)


def interface_description(
    link_type: int = 1,
    order: str = "<",
    snaplen: int = 0,
    resolution: int | None = None,
    offset: int | None = None,
) -> bytes:
    """Return the description of an interface.

    Args:
        link_type: The number of the link type; 1 is Ethernet.
        order: The byte order.
        snaplen: The most octets captured of a packet; 0 for no limit.
        resolution: The value of if_tsresol: 6 for microseconds, 9 for nanoseconds. None leaves it out.
        offset: The value of if_tsoffset, in seconds. None leaves it out.
    """
    options = option(_INTERFACE_NAME, b"lo", order)
    if resolution is not None:
        options += option(_TIME_RESOLUTION, bytes([resolution]), order)
    if offset is not None:
        options += option(_TIME_OFFSET, pack(order + "q", offset), order)
    return block(
        _INTERFACE, pack(order + "HHI", link_type, 0, snaplen) + options + option(0, b"", order), order
    )


def enhanced_packet(
    time: int, octets: bytes, original: int, order: str = "<", interface: int = 0, options: bytes = b""
) -> bytes:
    """Return the block of a packet; the time is in units of its interface."""
    head = pack(order + "IIIII", interface, time >> 32, time & 0xFFFFFFFF, len(octets), original)
    padding = bytes(-len(octets) % 4)
    return block(_ENHANCED_PACKET, b"".join((head, octets, padding, options)), order)


def obsolete_packet(time: int, octets: bytes, original: int, order: str = "<", interface: int = 0) -> bytes:
    """Return the obsolete block of a packet."""
    head = pack(order + "HHIIII", interface, 0xFFFF, time >> 32, time & 0xFFFFFFFF, len(octets), original)
    return block(_OBSOLETE_PACKET, head + octets, order)


def simple_packet(octets: bytes, original: int, order: str = "<") -> bytes:
    """Return the block of a packet of the first interface, without a time."""
    return block(_SIMPLE_PACKET, pack(order + "I", original) + octets, order)


_ETHERTYPES = {4: 0x0800, 6: 0x86DD}
_ARP = 0x0806  # the ethertype of packets that are not IP
_MAC = b"\x02\x00\x5e\x00\x00\x01"  # locally administered
_VLAN, _SERVICE_VLAN = 0x8100, 0x88A8
_ETHERNET_HARDWARE = 1  # ARPHRD_ETHER
_INTERNET = {4: 2, 6: 30}  # AF_INET; AF_INET6 as on macOS

_Header = Callable[[int, str], bytes]


@dataclass(frozen=True, slots=True)
class LinkType:
    """A link type.

    Attributes:
        number: The number in the capture file.
        header: Returns the octets before an IP packet, from its version and the byte order of the file.
        ip_version: The only version of IP that it carries; None if it carries both.
    """

    number: int
    header: _Header
    ip_version: int | None = None


def ethernet(*tags: int) -> _Header:
    """Return the header of Ethernet, with VLAN tags of these ethertypes."""
    vlans = b"".join(pack(">HH", tag, 100 + place) for place, tag in enumerate(tags))
    return lambda version, order: _MAC + _MAC + vlans + pack(">H", _ETHERTYPES.get(version, _ARP))


def linux_cooked(version: int, order: str) -> bytes:
    """Return the header of Linux cooked captures (SLL)."""
    return pack(">HHH8sH", 0, _ETHERNET_HARDWARE, len(_MAC), _MAC, _ETHERTYPES.get(version, _ARP))


def linux_cooked_2(version: int, order: str) -> bytes:
    """Return the header of Linux cooked captures, version 2 (SLL2)."""
    return pack(">HHIHBB8s", _ETHERTYPES.get(version, _ARP), 0, 1, _ETHERNET_HARDWARE, 0, len(_MAC), _MAC)


def null(version: int, order: str) -> bytes:
    """Return the header of BSD loopback, in the byte order of the capturing machine."""
    return pack(order + "I", _INTERNET[version])


def loop(version: int, order: str) -> bytes:
    """Return the header of OpenBSD loopback, in network byte order."""
    return pack(">I", _INTERNET[version])


def nothing(version: int, order: str) -> bytes:
    """Return no header: raw IP."""
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
