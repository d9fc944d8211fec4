"""The tables about files, and the quarantine: the last that is written of a capture."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.quarantine import Quarantine
from ..tables.numbering import Numbering, rows_to_arrow
from ..tables.partition import day_of
from .capture_result import CaptureResult
from .capture_rows import FileFacts, SplitFacts, capture_row, is_partial, quarantine_row, split_row
from .table_pipeline import OnTable, TablePipeline


def write_files(
    capture_id: str,
    files: Sequence[FileFacts],
    splits: Sequence[SplitFacts],
    quarantines: Sequence[Quarantine],
    pipeline: TablePipeline,
    on_table: OnTable,
) -> CaptureResult:
    """Write captures, splits and quarantine.

    Args:
        capture_id: The capture.
        files: Its files.
        splits: The parts that they were read in.
        quarantines: Of each file, what is left out of it.
        pipeline: Has read all of it.
        on_table: Is given the rows.
    """
    date = capture_date(files)
    about_files = [
        quarantine_row(item, number)
        for number, quarantine in enumerate(quarantines)
        for item in quarantine.rows
    ]
    for name, rows in (
        ("captures", list(map(capture_row, files))),
        ("splits", list(map(split_row, splits))),
        ("quarantine", about_files),
    ):
        if rows:
            for day, table in rows_to_arrow(name, rows, Numbering((), (), date)).items():
                on_table(name, day, table)
    pipeline.write_quarantine(date)
    everything = [*quarantines, pipeline.quarantine]
    left_out: dict[str, int] = {}
    for quarantine in everything:
        for reason, total in quarantine.totals.items():
            left_out[reason.value] = left_out.get(reason.value, 0) + total.count
    return CaptureResult(
        capture_id,
        len(files),
        sum(file.size for file in files),
        sum(file.packets for file in files),
        dict(sorted(left_out.items())),
        is_partial(everything),
    )


def capture_date(files: Sequence[FileFacts]) -> str:
    """The date of a capture: that of its first packet."""
    return day_of(next((file.first_ns for file in files if file.first_ns), 0)).isoformat()
