"""Byte splits of a capture file, which can be read at the same time.

``plan_splits`` looks where a packet may begin near each boundary, and nowhere else in the file. Whoever reads a split
reports where it ended. ``check_proof`` tells whether each split ended where the next begins, in the state of the file that
the next assumed: then together they have read what one pass reads. If not, ``exact_splits`` goes through the file record by
record; its splits need no proof, whatever is damaged.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..capture import pcap, pcapng
from ..capture.files import Buffer
from ..capture.formats import Capture, recognise_capture
from ..capture.ledgers import FileLedger
from ..capture.pcapng import Interface, PcapngSection
from ..capture.quarantine import Quarantine
from ..capture.segments import EXPORTED_PDU

LOOK = 1 << 20  # so far after a boundary a packet must begin; else there is no split


@dataclass(frozen=True, slots=True)
class SectionState:
    """What must be known of a pcapng file to read on in the middle of it; see ``PcapngSection``."""

    byte_order: str
    interfaces: tuple[Interface, ...] = ()


@dataclass(frozen=True, slots=True)
class Split:
    """A part of a capture file.

    Attributes:
        start: 0, or where a packet begins: its record or its block.
        end: Packets that begin from ``start`` up to, but not at, ``end`` are of this split.
        section: The section of a pcapng file that ``start`` is in; None for pcap, and at the beginning.
    """

    start: int
    end: int
    section: SectionState | None = None


@dataclass(frozen=True, slots=True)
class SplitReport:
    """What came out of reading a split.

    Attributes:
        split: Which one.
        end: Where reading ended: after the last packet, or the damage after it.
        packets: How many packets there were.
        headers, records, skipped: Where the octets went, see ``FileLedger``.
        section: That of a pcapng file at the end.
    """

    split: Split
    end: int
    packets: int
    headers: int
    records: int
    skipped: int
    section: SectionState | None


def plan_splits(buffer: Buffer, size: int) -> list[Split]:
    """Splits of about a size. To be proved, see ``check_proof``.

    Args:
        buffer: The file, uncompressed.
        size: In octets.

    Raises:
        CaptureError: It is no capture.
    """
    capture = recognise_capture(buffer, Quarantine())
    if _is_whole(capture) or len(buffer) <= size:
        return [Split(0, len(buffer))]
    if capture.header is None:
        next(capture.packets(), None)  # up to here interfaces are described
        if _is_whole(capture):
            return [Split(0, len(buffer))]
    state = _state(capture)
    starts: list[tuple[int, SectionState | None]] = [(0, None)]
    for boundary in range(size, len(buffer), size):
        start = _find(capture, boundary, min(boundary + min(LOOK, size), len(buffer)))
        if start is not None and start > starts[-1][0]:
            starts.append((start, state))
    return _between(starts, len(buffer))


def exact_splits(buffer: Buffer, size: int) -> list[Split]:
    """Splits of about a size, each of which begins with a packet that one pass reads. Goes through the whole file.

    Raises:
        CaptureError: It is no capture.
    """
    capture = recognise_capture(buffer, Quarantine(most=0))
    starts: list[tuple[int, SectionState | None]] = [(0, None)]
    following = size
    for record, _, _, _, _, link_type in capture.packets():
        if link_type == EXPORTED_PDU:
            return [Split(0, len(buffer))]
        if record >= following:
            starts.append((record, _state(capture)))
            following = record - record % size + size
    return _between(starts, len(buffer))


def open_split(buffer: Buffer, split: Split, quarantine: Quarantine, damage: str = "") -> Capture:
    """A capture that reads only this split. ``split_report`` when it is read.

    Args:
        buffer: The file, uncompressed.
        split: What to read of it.
        quarantine: Where to collect what is left out.
        damage: Why the end of the file could not be uncompressed, see ``recognise_capture``; the last split tells.

    Raises:
        CaptureError: It is no capture.
    """
    capture = recognise_capture(buffer, quarantine, damage if split.end == len(buffer) else "")
    capture.start, capture.end = split.start, split.end
    if split.section is not None:
        capture.section = PcapngSection(split.section.byte_order, list(split.section.interfaces))
    return capture


def split_report(capture: Capture, split: Split) -> SplitReport:
    """What came out of a split whose packets were all read."""
    ledger = capture.ledger
    end = split.start + ledger.headers + ledger.records + ledger.skipped
    return SplitReport(
        split, end, ledger.packets, ledger.headers, ledger.records, ledger.skipped, _state(capture)
    )


def check_proof(reports: Iterable[SplitReport], size: int) -> str:
    """Do splits make up a file of this size?

    Returns:
        What is wrong; nothing if they do.
    """
    end, section = 0, None
    for number, it in enumerate(reports):
        start = it.split.start
        if start != end:
            return f"split {number} begins at {start:,}, but what is before it ends at {end:,}"
        if number and it.split.section != section:
            return f"split {number} does not know the section or the interfaces that were described before it"
        end, section = it.end, it.section
    return "" if end == size else f"the last split ends at {end:,}, but the file at {size:,}"


def join_ledgers(reports: Iterable[SplitReport], size: int) -> FileLedger:
    """The ledger of a file of this size, of which all splits were read."""
    ledger = FileLedger(size)
    for it in reports:
        ledger.headers += it.headers
        ledger.records += it.records
        ledger.skipped += it.skipped
        ledger.packets += it.packets
    return ledger


def _is_whole(capture: Capture) -> bool:
    """Must the file be read as a whole, as its packets can only be understood after those before them?"""
    if capture.header is not None:
        return capture.header.link_type == EXPORTED_PDU
    return any(it.link_type == EXPORTED_PDU for it in capture.section.interfaces)


def _state(capture: Capture) -> SectionState | None:
    if capture.header is not None:
        return None
    return SectionState(capture.section.byte_order, tuple(capture.section.interfaces))


def _find(capture: Capture, start: int, end: int) -> int | None:
    if capture.header is not None:
        return pcap.find_pcap_record(capture.buffer, capture.header, start, end)
    return pcapng.find_packet(capture.buffer, capture.section, start, end)


def _between(starts: list[tuple[int, SectionState | None]], size: int) -> list[Split]:
    ends = [start for start, _ in starts[1:]] + [size]
    return [Split(start, end, section) for (start, section), end in zip(starts, ends, strict=True)]
