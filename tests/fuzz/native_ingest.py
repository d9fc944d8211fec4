"""Captures through the ingest in C and that in Python, in memory: the same rows, sums and quarantine."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

from amqp_traffic.capture.files import CaptureFile
from amqp_traffic.ingest.job import ReadSettings
from amqp_traffic.ingest.sharing.decoding import ShareDecoding, ShareSums
from amqp_traffic.ingest.tables.file_reading import FileReading
from pytest import MonkeyPatch

from .case import Options
from .oracles import demand


def decoded(octets: bytes, settings: ReadSettings, is_pure: bool) -> tuple[ShareSums, Counter[str], bool]:
    """What a capture gives: sums, rows of all tables, and whether C has read it."""
    rows: Counter[str] = Counter()

    def gather(table: str, date: str, found: Any) -> None:
        rows.update(f"{table} {date} {row!r}" for row in found.to_pylist())

    with MonkeyPatch.context() as context:
        context.setenv("AMQP_PURE", "1" if is_pure else "")
        decoding = ShareDecoding("capture", settings, gather)
        for batch in FileReading(CaptureFile(Path("a.pcap"), octets), 0).batches(core=decoding.core):
            decoding.read(batch)
        sums = decoding.finish()
    left_out = sorted(sums.left_out, key=repr)
    return replace(sums, left_out=left_out), rows, decoding.core is not None


def check_native(traffic: Any, octets: bytes, options: Options) -> bool:
    """True if C has read the capture. A row or a sum that differs is a failure, and so is any error."""
    settings = ReadSettings()
    sums, rows, is_native = decoded(octets, settings, is_pure=False)
    expected_sums, expected_rows, _ = decoded(octets, settings, is_pure=True)
    demand(rows == expected_rows, f"+{rows - expected_rows} -{expected_rows - rows}")
    demand(sums == expected_sums, f"{sums}, but Python has {expected_sums}")
    return is_native
