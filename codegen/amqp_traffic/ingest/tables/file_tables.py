"""The rows of the tables ``captures`` and ``quarantine``, and the result of a capture."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Any, NamedTuple

from ...capture.formats import Capture
from ...capture.quarantine import Quarantine, Quarantined, Reason
from ...lake.storage import day_of
from ...rows import row_of
from ...schemas import CAPTURES, QUARANTINE
from ..job import CaptureResult, OnTable
from .numbering import Numbering, rows_to_arrow

# Reasons that a sound capture has, too: foreign packets, and data cut by its beginning and end. Any other reason means that
# the tables lack a part of the input.
ORDINARY = frozenset(
    (
        Reason.NON_TCP,
        Reason.NO_DATA,
        Reason.MID_STREAM_HEAD,
        Reason.TAIL_INCOMPLETE,
        Reason.NOT_AMQP,
        Reason.TLS,
        Reason.UNSUPPORTED_VERSION,
    )
)
_STAGES = {
    "file": (Reason.FILE_TRUNCATED, Reason.FILE_CORRUPT, Reason.FILE_MISSING, Reason.TRACE_RECORD),
    "packet": (
        Reason.UNKNOWN_LINK_TYPE,
        Reason.NON_TCP,
        Reason.IP_FRAGMENT,
        Reason.BAD_PACKET,
    ),
    "stream": (
        Reason.SNAPLEN_CUT,
        Reason.SEQ_GAP,
        Reason.OVERLAP_CONFLICT,
        Reason.MID_STREAM_HEAD,
        Reason.NO_DATA,
        Reason.NOT_FOLLOWED,
    ),
    "protocol": (Reason.NOT_AMQP, Reason.TLS, Reason.TLS_KEYS, Reason.UNSUPPORTED_VERSION),
    "frame": (
        Reason.FRAME_END,
        Reason.FRAME_TYPE,
        Reason.FRAME_MAX,
        Reason.OUR_FRAME_LIMIT,
        Reason.FRAME_SIZE,
        Reason.DATA_OFFSET,
        Reason.FRAME_BODY,
        Reason.FRAME_GAP,
        Reason.TAIL_INCOMPLETE,
    ),
}
_STAGE_OF = {reason: stage for stage, reasons in _STAGES.items() for reason in reasons}


@dataclass(frozen=True, slots=True)
class FileFacts:
    """A file that was read.

    Attributes:
        name: Its name, without the folder.
        number: Its number in the capture, from 0.
        format: ``pcap``, ``pcapng``, ``raw``, ``trace-json`` or ``trace-text``; empty for others.
        compression: See ``CaptureFile``.
        byte_order: ``little`` or ``big``; empty for formats without.
        ts_unit: ``us`` or ``ns``; empty if each interface has its own.
        link_types: The link types of its packets.
        snaplen: From the file header; None without one.
        size, headers, records, skipped: Octets, see ``FileLedger``.
        packets: Their number.
        tcp: How many of them are TCP segments; None for other files.
        ignored: How many of them are not, by reason.
        first_ns, last_ns: When the first and the last packet were captured.
        status: ``complete``, ``damaged`` or ``not-a-capture``.
    """

    name: str
    number: int
    format: str = ""
    compression: str = ""
    byte_order: str = ""
    ts_unit: str = ""
    link_types: tuple[int, ...] = ()
    snaplen: int | None = None
    size: int = 0
    headers: int = 0
    records: int = 0
    skipped: int = 0
    packets: int = 0
    tcp: int | None = None
    ignored: Mapping[str, int] = field(default_factory=dict)
    first_ns: int = 0
    last_ns: int = 0
    status: str = "complete"


class LeftOut(NamedTuple):
    """What is left out of a connection.

    Attributes:
        conn_id: The name of the connection; None if it is not about one.
        item: What it is. Its packet is counted from the first file of the capture.
    """

    conn_id: str | None
    item: Quarantined


_capture_row, _quarantine_row = map(row_of, (CAPTURES, QUARANTINE))
_PACKET_REASONS = (*_STAGES["packet"], Reason.SNAPLEN_CUT)
_BYTE_ORDERS = {"<": "little", ">": "big"}


def facts_of(capture: Capture, name: str, number: int, compression: str) -> FileFacts:
    """Return the facts of a capture file that was read to its end."""
    ledger, header = capture.ledger, capture.header
    units = {1_000: "us", 1: "ns"}
    damaged = any(
        reason in (Reason.FILE_CORRUPT, Reason.FILE_TRUNCATED) for reason in capture.quarantine.totals
    )
    ignored = {
        reason.value: capture.quarantine.totals[reason].count
        for reason in _PACKET_REASONS
        if reason in capture.quarantine.totals
    }
    return FileFacts(
        name,
        number,
        capture.format,
        compression,
        _BYTE_ORDERS.get(capture.section.byte_order, ""),
        units.get(header.unit, "") if header else "",
        tuple(sorted(ledger.link_types)),
        header.snaplen if header else None,
        ledger.size,
        ledger.headers,
        ledger.records,
        ledger.skipped,
        ledger.packets,
        ledger.packets - sum(ignored.values()),
        ignored,
        ledger.first_ns,
        ledger.last_ns,
        "damaged" if damaged else "complete",
    )


def capture_row(file: FileFacts) -> tuple[Any, ...]:
    """Return the row of a file in ``captures``."""
    return _capture_row(
        {
            "file": file.name,
            "file_no": file.number,
            "format": file.format or None,
            "compression": file.compression or None,
            "byte_order": file.byte_order or None,
            "ts_unit": file.ts_unit or None,
            "link_types": list(file.link_types),
            "snaplen": file.snaplen,
            "size": file.size,
            "bytes_headers": file.headers,
            "bytes_records": file.records,
            "bytes_skipped": file.skipped,
            "packets": file.packets,
            "tcp": file.tcp,
            "ignored": list(file.ignored.items()),
            "first_ns": file.first_ns or None,
            "last_ns": file.last_ns or None,
            "status": file.status,
        }
    )


def quarantine_row(item: Quarantined, file_no: int | None, packets_before: int = 0) -> tuple[Any, ...]:
    """Return a row of ``quarantine``, with the number of the connection instead of its name.

    Args:
        item: What is left out.
        file_no: The number of the file, if it is known.
        packets_before: The number of packets in earlier files.
    """
    return _quarantine_row(
        {
            "file_no": file_no,
            "conn_id": item.connection,
            "dir": item.direction,
            "stage": _STAGE_OF.get(item.reason, "decode"),
            "reason": item.reason.value,
            "file_off": item.packet_offset if file_no is not None else None,
            "pkt_no": item.packet_no - packets_before if item.packet_no else None,
            "stream_off": item.stream_offset,
            "length": item.length,
            "ns": item.ns or None,
            "detail": item.detail or None,
            "sample": item.sample or None,
        }
    )


def write_files(
    files: Sequence[FileFacts],
    quarantines: Mapping[int, Sequence[Quarantined]],
    on_table: OnTable,
    date: str = "",
) -> None:
    """Write the table captures, and the rows of quarantine about files and packets.

    Args:
        files: The files of a capture.
        quarantines: What is left out of files, by file number.
        on_table: Takes the rows.
        date: The date of the capture, if these are not all of its files.
    """
    numbering = Numbering({}, {}, date or capture_date(files))
    about_files = [quarantine_row(item, number) for number in quarantines for item in quarantines[number]]
    for name, rows in (("captures", list(map(capture_row, files))), ("quarantine", about_files)):
        if rows:
            for day, table in rows_to_arrow(name, rows, numbering).items():
                on_table(name, day, table)


def write_left_out(
    left_out: Iterable[LeftOut], packets_before: Sequence[int], date: str, on_table: OnTable
) -> None:
    """Write the rows of quarantine about connections.

    Args:
        left_out: What they are about.
        packets_before: For each file, the number of packets in earlier files.
        date: The date of the capture.
        on_table: Takes the rows.
    """
    numbers: dict[str, int] = {}
    rows = []
    for conn_id, item in left_out:
        number = None if conn_id is None else numbers.setdefault(conn_id, len(numbers))
        file_no = bisect_left(packets_before, item.packet_no) - 1
        item = replace(item, connection=number)
        known = file_no >= 0
        rows.append(quarantine_row(item, file_no if known else None, packets_before[file_no] if known else 0))
    for day, table in rows_to_arrow(
        "quarantine", rows, Numbering({number: name for name, number in numbers.items()}, {}, date)
    ).items():
        on_table("quarantine", day, table)


def capture_date(files: Sequence[FileFacts]) -> str:
    """Return the date of a capture: that of its first packet."""
    return day_of(next((file.first_ns for file in files if file.first_ns), 0)).isoformat()


def packets_before(files: Sequence[FileFacts]) -> list[int]:
    """Return for each file of packets the number of packets in earlier files; raw streams have none."""
    if any(file.format == "raw" for file in files):
        return []
    packets = (0 if file.tcp is None else file.packets for file in files)
    return list(accumulate(packets, initial=0))[:-1]


def count_reasons(quarantine: Quarantine) -> Counter[Reason]:
    """Return how often something was left out, by reason."""
    return Counter({reason: total.count for reason, total in quarantine.totals.items()})


def result_of(
    capture_id: str, files: Sequence[FileFacts], left_out: Counter[Reason], found: int
) -> CaptureResult:
    """Return the result of a capture; for ``left_out`` see ``count_reasons``, for ``found`` see ``CaptureResult``."""
    return CaptureResult(
        capture_id,
        len(files),
        sum(file.size for file in files),
        sum(file.packets for file in files),
        {reason.value: left_out[reason] for reason in sorted(left_out, key=lambda reason: reason.value)},
        not ORDINARY.issuperset(left_out),
        found,
    )
