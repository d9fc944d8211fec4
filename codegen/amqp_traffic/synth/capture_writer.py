"""Capture files, octet by octet: pcap and pcapng.

Formats: https://ietf-opsawg-wg.github.io/draft-ietf-opsawg-pcap/draft-ietf-opsawg-pcap.html and, beside it,
draft-ietf-opsawg-pcapng.html. ``order`` is ``<`` or ``>``, as in ``struct``.
"""

from __future__ import annotations

from dataclasses import dataclass
from struct import pack
from typing import Protocol

from amqp_codegen import __version__

SNAPLEN = 262_144  # what libpcap and Wireshark take at most
_SECOND = 1_000_000_000
_PCAP_MAGIC = {1_000: 0xA1B2C3D4, 1: 0xA1B23C4D}
_RESOLUTION = {1_000: 6, 1: 9}  # if_tsresol
_SECTION_HEADER, _INTERFACE, _OBSOLETE_PACKET, _SIMPLE_PACKET = 0x0A0D0D0A, 1, 2, 3
_STATISTICS, _ENHANCED_PACKET = 5, 6
_COMMENT, _INTERFACE_NAME, _TIME_RESOLUTION, _TIME_OFFSET = 1, 2, 9, 14


class CaptureFormat(Protocol):
    """How a capture file is written: head, records, foot."""

    def head(self) -> bytes:
        """What comes before the packets."""

    def record(self, ns: int, octets: bytes, original: int) -> bytes:
        """A packet.

        Args:
            ns: When, in nanoseconds since 1970.
            octets: As much of it as was captured.
            original: How long it was.
        """

    def foot(self) -> bytes:
        """What comes after the packets."""


@dataclass(frozen=True)
class Pcap:
    """A pcap file.

    Attributes:
        link_type: What each packet begins with.
        order: The byte order.
        unit: How many nanoseconds the unit of time has: 1,000 or 1.
        snaplen: How much of each packet is captured at most.
    """

    link_type: int
    order: str = "<"
    unit: int = 1_000
    snaplen: int = SNAPLEN

    def head(self) -> bytes:
        """What comes before the packets."""
        return pack(self.order + "IHHiIII", _PCAP_MAGIC[self.unit], 2, 4, 0, 0, self.snaplen, self.link_type)

    def record(self, ns: int, octets: bytes, original: int) -> bytes:
        """A packet, see ``CaptureFormat``."""
        seconds, rest = divmod(ns, _SECOND)
        return pack(self.order + "IIII", seconds, rest // self.unit, len(octets), original) + octets

    def foot(self) -> bytes:
        """What comes after the packets."""
        return b""


@dataclass(frozen=True)
class Pcapng:
    """A pcapng file with one section and one interface.

    Attributes:
        link_type: What each packet begins with.
        order: The byte order.
        unit: How many nanoseconds the unit of time has: 1,000 or 1.
        snaplen: How much of each packet is captured at most.
        packet_block: ``enhanced``, ``obsolete``, or ``simple``, which has no time.
    """

    link_type: int
    order: str = "<"
    unit: int = 1_000
    snaplen: int = SNAPLEN
    packet_block: str = "enhanced"

    def head(self) -> bytes:
        """What comes before the packets."""
        section = section_header(self.order, f"amqp-codegen {__version__}")
        resolution = _RESOLUTION[self.unit]
        return section + interface_description(self.link_type, self.order, self.snaplen, resolution)

    def record(self, ns: int, octets: bytes, original: int) -> bytes:
        """A packet, see ``CaptureFormat``."""
        if self.packet_block == "simple":
            return simple_packet(octets, original, self.order)
        make = enhanced_packet if self.packet_block == "enhanced" else obsolete_packet
        return make(ns // self.unit, octets, original, self.order)

    def foot(self) -> bytes:
        """What comes after the packets."""
        return block(_STATISTICS, pack(self.order + "III", 0, 0, 0), self.order)


# --- Blocks of pcapng ---


def block(kind: int, content: bytes, order: str = "<") -> bytes:
    """A block of any kind; the content is padded to a multiple of four octets."""
    padding = bytes(-len(content) % 4)
    length = len(content) + len(padding) + 12
    return b"".join((pack(order + "II", kind, length), content, padding, pack(order + "I", length)))


def option(code: int, value: bytes, order: str = "<") -> bytes:
    """An option of a block."""
    return pack(order + "HH", code, len(value)) + value + bytes(-len(value) % 4)


def section_header(order: str = "<", comment: str = "") -> bytes:
    """What a section begins with; of unknown length."""
    options = option(_COMMENT, comment.encode(), order) + option(0, b"", order) if comment else b""
    return block(_SECTION_HEADER, pack(order + "IHHq", 0x1A2B3C4D, 1, 0, -1) + options, order)


def interface_description(
    link_type: int = 1,
    order: str = "<",
    snaplen: int = 0,
    resolution: int | None = None,
    offset: int | None = None,
) -> bytes:
    """An interface.

    Args:
        link_type: What each packet begins with; 1 is Ethernet.
        order: The byte order.
        snaplen: How much of each packet is captured at most; 0 for all of it.
        resolution: What if_tsresol says: 6 for microseconds, 9 for nanoseconds. None leaves it out.
        offset: What if_tsoffset says, in seconds. None leaves it out.
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
    """A packet; the time is in units of its interface."""
    head = pack(order + "IIIII", interface, time >> 32, time & 0xFFFFFFFF, len(octets), original)
    padding = bytes(-len(octets) % 4)
    return block(_ENHANCED_PACKET, b"".join((head, octets, padding, options)), order)


def obsolete_packet(time: int, octets: bytes, original: int, order: str = "<", interface: int = 0) -> bytes:
    """A packet as it was written before there were enhanced ones."""
    head = pack(order + "HHIIII", interface, 0xFFFF, time >> 32, time & 0xFFFFFFFF, len(octets), original)
    return block(_OBSOLETE_PACKET, head + octets, order)


def simple_packet(octets: bytes, original: int, order: str = "<") -> bytes:
    """A packet of the first interface, without a time."""
    return block(_SIMPLE_PACKET, pack(order + "I", original) + octets, order)
