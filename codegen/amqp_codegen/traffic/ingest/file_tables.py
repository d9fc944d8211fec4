"""The tables about files, and the quarantine; and what is told of a capture in the end."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from ..core.quarantine import Quarantine, Quarantined, Reason
from ..tables.numbering import Numbering, rows_to_arrow
from ..tables.partition import day_of
from .capture_result import CaptureResult
from .capture_rows import ORDINARY, FileFacts, SplitFacts, capture_row, quarantine_row, split_row
from .on_table import OnTable


def write_files(
    files: Sequence[FileFacts],
    splits: Sequence[SplitFacts],
    quarantines: Mapping[int, Sequence[Quarantined]],
    on_table: OnTable,
    date: str = "",
) -> None:
    """Write the tables captures and splits, and of quarantine what is about files and packets.

    Args:
        files: The files of a capture.
        splits: The parts that they were read in.
        quarantines: What is left out of files, by their numbers.
        on_table: Is given the rows.
        date: That of the capture, if these are not all of its files.
    """
    numbering = Numbering((), (), date or capture_date(files))
    about_files = [quarantine_row(item, number) for number in quarantines for item in quarantines[number]]
    for name, rows in (
        ("captures", list(map(capture_row, files))),
        ("splits", list(map(split_row, splits))),
        ("quarantine", about_files),
    ):
        if rows:
            for day, table in rows_to_arrow(name, rows, numbering).items():
                on_table(name, day, table)


def write_quarantine(
    items: Iterable[Quarantined],
    conn_ids: Sequence[str | None],
    packets_before: Sequence[int],
    date: str,
    on_table: OnTable,
) -> None:
    """Write what is left out of connections.

    Args:
        items: With the numbers of connections, and of packets in the capture.
        conn_ids: The names of connections, by number.
        packets_before: Of each file, how many packets are in those before it.
        date: That of the capture.
        on_table: Is given the rows.
    """
    rows = []
    for item in items:
        file_no = bisect_left(packets_before, item.packet_no) - 1
        known = file_no >= 0
        rows.append(quarantine_row(item, file_no if known else None, packets_before[file_no] if known else 0))
    for day, table in rows_to_arrow("quarantine", rows, Numbering(conn_ids, (), date)).items():
        on_table("quarantine", day, table)


def capture_date(files: Sequence[FileFacts]) -> str:
    """The date of a capture: that of its first packet."""
    return day_of(next((file.first_ns for file in files if file.first_ns), 0)).isoformat()


def count_reasons(quarantine: Quarantine) -> Counter[Reason]:
    """How often something was left out, by reason."""
    return Counter({reason: total.count for reason, total in quarantine.totals.items()})


def result_of(capture_id: str, files: Sequence[FileFacts], left_out: Counter[Reason]) -> CaptureResult:
    """What is told of a capture.

    Args:
        capture_id: Its name.
        files: Its files.
        left_out: See ``count_reasons``.
    """
    return CaptureResult(
        capture_id,
        len(files),
        sum(file.size for file in files),
        sum(file.packets for file in files),
        {reason.value: left_out[reason] for reason in sorted(left_out, key=lambda it: it.value)},
        not ORDINARY.issuperset(left_out),
    )
