"""Packets of a pcapng file: sections, interfaces and blocks.

Format: https://ietf-opsawg-wg.github.io/draft-ietf-opsawg-pcap/draft-ietf-opsawg-pcapng.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from struct import Struct

from .file_octets import find_each, have
from .files import Buffer
from .ledgers import FileLedger
from .packets import CHAIN, LONGEST_PACKET, SECOND, Packet, Skip
from .quarantine import Quarantine, Quarantined, Reason

SECTION_HEADER = 0x0A0D0D0A
INTERFACE_DESCRIPTION = 1
OBSOLETE_PACKET = 2
SIMPLE_PACKET = 3
ENHANCED_PACKET = 6
DECRYPTION_SECRETS = 10
# Name resolution, interface statistics, systemd journal, decryption secrets, custom blocks (to copy and not).
OTHER_BLOCKS = (4, 5, 9, DECRYPTION_SECRETS, 0x0BAD, 0x40000BAD)
KNOWN_BLOCKS = frozenset(
    (SECTION_HEADER, INTERFACE_DESCRIPTION, OBSOLETE_PACKET, SIMPLE_PACKET, ENHANCED_PACKET, *OTHER_BLOCKS)
)
_LONGEST_BLOCK = 1 << 24
_ENHANCED_SIZE = 32  # an enhanced packet block without packet and options
_BYTE_ORDER_MAGIC = 0x1A2B3C4D
_LONGEST_PACKET_BLOCK = LONGEST_PACKET + 2 * _ENHANCED_SIZE  # but for its options
_LATEST = (1 << 63) - 1  # nanoseconds since 1970: the year 2262
_END_OF_OPTIONS, _TIME_RESOLUTION, _TIME_OFFSET = 0, 9, 14
_TLS_KEY_LOG = 0x544C534B  # a type of secrets


@dataclass(frozen=True, slots=True)
class Interface:
    """An interface description.

    Attributes:
        link_type: The link layer of each packet, see ``LINK_LAYERS``.
        snaplen: The most octets captured of each packet; 0 for all.
        resolution: Units of time in a second (if_tsresol).
        time_offset: Seconds to add to each timestamp (if_tsoffset).
    """

    link_type: int
    snaplen: int
    resolution: int = 1_000_000
    time_offset: int = 0

    def nanoseconds(self, units: int) -> int:
        """Return a timestamp in nanoseconds since 1970; 0 for a damaged one, which 64 bits cannot hold."""
        ns = units * SECOND // self.resolution + self.time_offset * SECOND
        return ns if abs(ns) <= _LATEST else 0

    @property
    def plain(self) -> tuple[int, int]:
        """Link type and nanoseconds per unit of time; 0 if that is not a whole number, or there is a time offset."""
        scale, rest = divmod(SECOND, self.resolution)
        return self.link_type, 0 if rest or self.time_offset else scale


@dataclass(slots=True)
class PcapngSection:
    """A section of the file, with its own byte order and interfaces.

    Attributes:
        byte_order: ``<`` or ``>``, as in ``struct``.
        interfaces: The interfaces, in the order of their numbers.
        secrets: Takes the key logs of TLS in all sections; None if they are not wanted.
    """

    byte_order: str
    interfaces: list[Interface] = field(default_factory=list)
    secrets: list[bytes] | None = None


def byte_order_of(buffer: Buffer, position: int = 0) -> str:
    """Return the byte order of the section whose header begins here; empty if there is no section header."""
    head = buffer[position : position + 12]
    if len(head) == 12 and head[:4] == b"\x0a\x0d\x0d\x0a":
        for order in "<>":
            if Struct(order + "I").unpack_from(head, 8)[0] == _BYTE_ORDER_MAGIC:
                return order
    return ""


def read_pcapng_packets(
    buffer: Buffer,
    section: PcapngSection,
    ledger: FileLedger,
    quarantine: Quarantine,
    skip: Skip | None = None,
) -> Iterator[Packet | None]:
    """Read all packets; with ``skip`` those that it leaves, and None each time after it has read some.

    After octets that are not a block, reading continues at the next three adjacent blocks. ``ledger`` and
    ``quarantine`` account for all octets. ``section`` is the first one; section and interface blocks change it.
    """
    size = len(buffer)
    last = size - _ENHANCED_SIZE
    position = run = 0
    interfaces = section.interfaces
    unpack = Struct(section.byte_order + "IIIIIII").unpack_from
    number, link_type, scale, ns, latest = -1, 0, 0, 0, _LATEST
    there = 0
    while position < size:
        if position + _LONGEST_PACKET_BLOCK > there:
            there = have(buffer, position, position + _LONGEST_PACKET_BLOCK)
        if skip is not None:
            following, ns = skip(position, there)
            if following != position:
                position = following
                yield None
                continue
        if position <= last:
            kind, length, interface_no, high, low, captured, original = unpack(buffer, position)
            # Fast path: an enhanced packet without options, its interface counts in whole nanoseconds.
            if (
                kind == ENHANCED_PACKET
                and length == (captured + 35 & ~3)
                and captured <= LONGEST_PACKET
                and position + length <= size
            ):
                if interface_no != number and interface_no < len(interfaces):
                    number = interface_no
                    link_type, scale = interfaces[number].plain
                if interface_no == number and scale:
                    ns = (high << 32 | low) * scale
                    if ns <= latest:
                        yield position, position + 28, captured, original, ns, link_type
                        position += length
                        continue
                    ns = 0
        # All other blocks, and damage.
        ledger.records += position - run
        run = position
        length = _block_length(buffer, section, position)
        if not length:
            position = _skip(buffer, section, position, ledger, quarantine, ns)
        else:
            have(buffer, position, position + length)
            kind = Struct(section.byte_order + "I").unpack_from(buffer, position)[0]
            packet = None
            if kind in (ENHANCED_PACKET, SIMPLE_PACKET, OBSOLETE_PACKET):
                packet = _packet(buffer, section, position, kind, length)
                if packet is None:
                    ledger.skipped += length
                    detail = "a packet that is longer than its block, or of an interface without description"
                    quarantine.add(
                        Quarantined(Reason.FILE_CORRUPT, length, packet_offset=position, detail=detail)
                    )
                else:
                    ledger.records += length
                    ns = packet[4]
                    yield packet
            else:
                ledger.headers += length
                if kind == SECTION_HEADER:
                    section.byte_order = byte_order_of(buffer, position)
                    section.interfaces = interfaces = []
                    unpack = Struct(section.byte_order + "IIIIIII").unpack_from
                    number = -1
                elif kind == INTERFACE_DESCRIPTION:
                    interfaces.append(_interface(buffer, section.byte_order, position, length))
                elif kind == DECRYPTION_SECRETS and section.secrets is not None:
                    section.secrets += _key_log(buffer, section.byte_order, position, length)
            position += length
        run = position
        there = 0  # another part of the file may be there now
    ledger.records += position - run


def _block_length(buffer: Buffer, section: PcapngSection, position: int) -> int:
    """Return the length of the block that begins here; 0 if there is none, or it does not end in the file."""
    order = byte_order_of(buffer, position) or section.byte_order
    if position + 12 > len(buffer):
        return 0
    kind, length = Struct(order + "II").unpack(buffer[position : position + 8])
    if length < 12 or length % 4 or position + length > len(buffer):
        return 0
    if kind == SECTION_HEADER and (length < 28 or not byte_order_of(buffer, position)):
        return 0
    if kind == INTERFACE_DESCRIPTION and length < 20:
        return 0
    (again,) = Struct(order + "I").unpack(buffer[position + length - 4 : position + length])
    return length if again == length else 0


def _packet(buffer: Buffer, section: PcapngSection, position: int, kind: int, length: int) -> Packet | None:
    """Return the packet of any packet block; None if the block contradicts itself."""
    order = section.byte_order
    ns = number = 0
    if kind == SIMPLE_PACKET:
        if length < 16 or not section.interfaces:
            return None
        (original,) = Struct(order + "I").unpack_from(buffer, position + 8)
        snaplen = section.interfaces[0].snaplen
        # The block does not have the captured length; it ends with up to three octets of padding.
        captured, data = min(original, snaplen or original, length - 16), position + 12
    else:
        # interface, drops (obsolete packets only), time high, time low, captured, original
        layout = "IIIII" if kind == ENHANCED_PACKET else "HHIIII"
        if length < _ENHANCED_SIZE:
            return None
        number, *_, high, low, captured, original = Struct(order + layout).unpack_from(buffer, position + 8)
        data = position + 28
        if number >= len(section.interfaces) or captured > min(length - _ENHANCED_SIZE, LONGEST_PACKET):
            return None
        ns = section.interfaces[number].nanoseconds(high << 32 | low)
    return position, data, captured, original, ns, section.interfaces[number].link_type


def _interface(buffer: Buffer, order: str, position: int, length: int) -> Interface:
    """Return an interface description; options that are cut or too short are ignored."""
    link_type, snaplen = Struct(order + "HxxI").unpack_from(buffer, position + 8)
    resolution, time_offset = 1_000_000, 0
    at, end = position + 16, position + length - 4
    while at + 4 <= end:
        code, size = Struct(order + "HH").unpack_from(buffer, at)
        at += 4
        if code == _END_OF_OPTIONS or at + size > end:
            break
        if code == _TIME_RESOLUTION and size >= 1:
            exponent = buffer[at]
            resolution = 1 << (exponent & 0x7F) if exponent & 0x80 else 10**exponent
        elif code == _TIME_OFFSET and size >= 8:
            (time_offset,) = Struct(order + "q").unpack_from(buffer, at)
        at += size + 3 & ~3
    return Interface(link_type, snaplen, resolution, time_offset)


def _key_log(buffer: Buffer, order: str, position: int, length: int) -> list[bytes]:
    """Return the key log of TLS in a block of secrets; none if it has other secrets."""
    if length < 20:
        return []
    kind, size = Struct(order + "II").unpack(buffer[position + 8 : position + 16])
    return (
        [bytes(buffer[position + 16 : position + 16 + min(size, length - 20)])]
        if kind == _TLS_KEY_LOG
        else []
    )


def _skip(
    buffer: Buffer, section: PcapngSection, position: int, ledger: FileLedger, quarantine: Quarantine, ns: int
) -> int:
    """Account for octets that are not a block. Return where blocks begin again."""
    size = len(buffer)
    following = _resynchronise(buffer, section, position)
    reason = Reason.FILE_CORRUPT
    if following == size and _looks_cut(buffer, section, position):
        reason = Reason.FILE_TRUNCATED
    ledger.skipped += following - position
    quarantine.add(Quarantined(reason, following - position, packet_offset=position, ns=ns))
    return following


def _looks_cut(buffer: Buffer, section: PcapngSection, position: int) -> bool:
    """Return whether this seems a block that is cut by the end of the file."""
    if position + 8 > len(buffer):
        return True
    kind, length = Struct(section.byte_order + "II").unpack(buffer[position : position + 8])
    return kind in KNOWN_BLOCKS and len(buffer) < position + length < position + _LONGEST_BLOCK


def _resynchronise(buffer: Buffer, section: PcapngSection, position: int) -> int:
    """Return where blocks begin again, or the size of the file."""
    candidates = _CANDIDATES[section.byte_order]
    for start in find_each(candidates, buffer, position + 1, _CANDIDATE):
        if _is_chain(buffer, section, start):
            return start
    return len(buffer)


def _is_chain(buffer: Buffer, section: PcapngSection, position: int) -> bool:
    """Return whether three adjacent blocks begin here, or fewer that end with the file."""
    for _ in range(CHAIN):
        length = _block_length(buffer, section, position)
        if not length or length > _LONGEST_BLOCK:
            return False
        order = byte_order_of(buffer, position) or section.byte_order
        if Struct(order + "I").unpack(buffer[position : position + 4])[0] not in KNOWN_BLOCKS:
            return False
        position += length
        if position == len(buffer):
            return True
    return True


# Patterns of possible headers of known blocks of less than 16 MiB, and the octets that they look at.
_CANDIDATE = 8
_CANDIDATES = {
    "<": re.compile(
        rb"(?s)(?:[\x01-\x06\x09\x0a]\x00\x00\x00|\x0a\x0d\x0d\x0a|\xad\x0b\x00[\x00\x40])(?=...\x00|\x00...)"
    ),
    ">": re.compile(
        rb"(?s)(?:\x00\x00\x00[\x01-\x06\x09\x0a]|\x0a\x0d\x0d\x0a|[\x00\x40]\x00\x0b\xad)(?=...\x00|\x00...)"
    ),
}
