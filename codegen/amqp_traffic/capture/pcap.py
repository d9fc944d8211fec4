"""Packets of a pcap file.

Format: https://ietf-opsawg-wg.github.io/draft-ietf-opsawg-pcap/draft-ietf-opsawg-pcap.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from struct import Struct

from .file_octets import find_each, have
from .files import Buffer
from .ledgers import FileLedger
from .packets import CHAIN, LONGEST_PACKET, SECOND, Packet, Skip
from .quarantine import Quarantine, Quarantined, Reason

HEADER_SIZE = 24
RECORD_HEADER_SIZE = 16

# First octets of a file to its byte order, and the nanoseconds in a unit of its fractions of a second.
MAGICS = {
    b"\xd4\xc3\xb2\xa1": ("<", 1_000),
    b"\xa1\xb2\xc3\xd4": (">", 1_000),
    b"\x4d\x3c\xb2\xa1": ("<", 1),
    b"\xa1\xb2\x3c\x4d": (">", 1),
}
_DAY = 86_400
_LONGEST_RECORD = RECORD_HEADER_SIZE + LONGEST_PACKET


@dataclass(frozen=True, slots=True)
class PcapHeader:
    """The header of a pcap file.

    Attributes:
        byte_order: ``<`` or ``>``, as in ``struct``.
        unit: Nanoseconds in a unit of the fractions of a second: 1,000 or 1.
        snaplen: The most octets captured of each packet.
        link_type: The link layer of each packet, see ``LINK_LAYERS``.
    """

    byte_order: str
    unit: int
    snaplen: int
    link_type: int


def read_header(buffer: Buffer) -> PcapHeader | None:
    """Return the file header; None if the file is not pcap, or too short to have a header."""
    head = buffer[:HEADER_SIZE]
    known = MAGICS.get(head[:4])
    if known is None or len(head) < HEADER_SIZE:
        return None
    byte_order, unit = known
    snaplen, link_type = Struct(byte_order + "II").unpack_from(head, 16)
    link_type &= 0xFFFF  # the upper bits are the length of the frame check sequence
    return PcapHeader(byte_order, unit, snaplen, link_type)


def read_pcap_packets(
    buffer: Buffer, header: PcapHeader, ledger: FileLedger, quarantine: Quarantine, skip: Skip | None = None
) -> Iterator[Packet | None]:
    """Read all packets; with ``skip`` those that it leaves, and None each time after it has read some.

    After octets that are not a record, reading continues at the next three adjacent records. ``ledger`` and
    ``quarantine`` account for all octets.
    """
    unpack = Struct(header.byte_order + "IIII").unpack_from
    unit, link_type = header.unit, header.link_type
    units = SECOND // unit
    size = len(buffer)
    last = size - RECORD_HEADER_SIZE
    position = run = HEADER_SIZE
    ledger.headers += HEADER_SIZE
    ns = there = 0
    while position < size:
        if position + _LONGEST_RECORD > there:
            there = have(buffer, position, position + _LONGEST_RECORD)
        if skip is not None:
            following, ns = skip(position, there)
            if following != position:
                position = following
                yield None
                continue
        if position <= last:
            seconds, fraction, captured, original = unpack(buffer, position)
            data = position + RECORD_HEADER_SIZE
            if 0 < captured <= LONGEST_PACKET and fraction < units and data + captured <= size:
                ns = seconds * SECOND + fraction * unit
                yield position, data, captured, original, ns, link_type
                position = data + captured
                continue
        ledger.records += position - run
        run = _resynchronise(buffer, header, position, ns // SECOND)
        there = 0  # the search may have given it up
        ledger.skipped += run - position
        reason = Reason.FILE_CORRUPT
        if run == size and (position > last or _looks_cut(buffer, header, position)):
            reason = Reason.FILE_TRUNCATED
        quarantine.add(Quarantined(reason, run - position, packet_offset=position, ns=ns))
        position = run
    ledger.records += position - run


def _looks_cut(buffer: Buffer, header: PcapHeader, position: int) -> bool:
    """Return whether this seems a record that is cut by the end of the file."""
    head = buffer[position : position + RECORD_HEADER_SIZE]
    _, fraction, captured, original = Struct(header.byte_order + "IIII").unpack(head)
    return bool(fraction * header.unit < SECOND and 0 < captured <= min(original, LONGEST_PACKET))


def _resynchronise(buffer: Buffer, header: PcapHeader, position: int, seconds: int) -> int:
    """Return where records begin again, or the size of the file."""
    for start in find_each(_candidates(header), buffer, position + 1, RECORD_HEADER_SIZE):
        if _is_chain(buffer, header, start, seconds):
            return start
    return len(buffer)


def _candidates(header: PcapHeader) -> re.Pattern[bytes]:
    """Return a pattern of possible record headers, so that garbage is not searched octet by octet in Python.

    Fields: seconds; fraction, less than a million or a billion (10^9); captured, 1 to 262,144; original, less than 16 Mi.
    """
    little = header.byte_order == "<"

    fraction = _number(b"\x00-\x3b", little, at=0) if header.unit == 1 else _number(b"\x00-\x0f", little)
    return re.compile(
        b"(?s)(?=...."
        + fraction
        + b"(?!\x00\x00\x00\x00)"
        + _number(b"\x00-\x04", little)
        + _number(b"\x00-\xff", little)
        + b")"
    )


def _number(high: bytes, little: bool, at: int = 1) -> bytes:
    """Return a pattern of a number of four octets whose highest are ``at`` zeros, then one of ``high``."""
    parts = [b"\x00"] * at + [b"[" + high + b"]"] + [b"."] * (3 - at)
    return b"".join(reversed(parts) if little else parts)


def _is_chain(buffer: Buffer, header: PcapHeader, position: int, seconds: int) -> bool:
    """Return whether three adjacent records begin here, or fewer that end with the file.

    Their times must be within a day of ``seconds`` (0: unknown).
    """
    unpack = Struct(header.byte_order + "IIII").unpack
    size = len(buffer)
    for _ in range(CHAIN):
        if position + RECORD_HEADER_SIZE > size:
            return False
        head = buffer[position : position + RECORD_HEADER_SIZE]
        own_seconds, fraction, captured, original = unpack(head)
        plausible = 0 < captured <= min(original, LONGEST_PACKET) and fraction * header.unit < SECOND
        if not plausible or (seconds and abs(own_seconds - seconds) > _DAY):
            return False
        position += RECORD_HEADER_SIZE + captured
        if position == size:
            return True
    return position < size
