"""Batches of segments: they hold no more octets than a few large segments, for these may hold very many frames."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow: pip install '.[traffic]'")

from amqp_traffic.capture.files import CaptureFile
from amqp_traffic.ingest.tables.file_reading import FileReading
from amqp_traffic.streams.connections import AT_ONCE

from tests.traffic.capture_builder import Conversation, captured, pcap

SMALL, LARGE = 10, 60_000


def batches(segment: int, count: int) -> list[tuple[int, int]]:
    """The segments and the octets of each batch."""
    said = Conversation().send(0, bytes(segment * count), segment, ack=False)
    file = CaptureFile(Path("a.pcap"), pcap(captured(said.packets)))
    return [batch.sums for batch in FileReading(file, 0).batches()]


def test_large_segments_make_small_batches() -> None:
    found = batches(LARGE, 100)
    assert sum(segments for segments, _ in found) == 100
    assert max(octets for _, octets in found) <= 1 << 20


def test_small_segments_make_batches_of_many() -> None:
    assert batches(SMALL, 3 * AT_ONCE) == [(AT_ONCE, AT_ONCE * SMALL)] * 3
