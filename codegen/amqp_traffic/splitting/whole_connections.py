"""Reads connections as a whole, many at the same time: packets go to whoever follows their connection.

It is exact by construction: each connection is read by the code of the local engine, all its packets in the order of the
files, whatever else there is.
"""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterator, Set
from dataclasses import dataclass

from ..capture.files import open_capture
from ..capture.quarantine import Quarantine, Reason
from ..capture.segments import read_segments
from ..capture.stream_data import Segment
from ..frames.frame_reader import select
from ..ingest.file_tables import count_reasons
from ..ingest.job import LakeTarget, ReadSettings
from ..ingest.memory import bulk_memory
from ..ingest.table_pipeline import TablePipeline
from ..lake.writer import Written
from ..streams.connection import flow_key
from ..tasks.runner import Row, TaskRunner
from .read_splits import FilesRead
from .split_reading import SplitOrder, bucket_of
from .splits import open_split

_OCTETS_AT_ONCE = 1 << 22


@dataclass(frozen=True, slots=True)
class SendSegments:
    """Reads the segments of a split, and gives them with the bucket of their connection.

    Attributes:
        order: The split.
        packet_base: How many packets of the capture come before it.
        flows: Which flows are wanted, by ``flow_key``; None for all.
    """

    order: SplitOrder
    packet_base: int
    flows: Set[bytes] | None

    def __call__(self) -> Iterator[Row]:
        """Read; rows have some segments each."""
        with open_capture(self.order.path) as file:
            capture = open_split(file.buffer, self.order.split, Quarantine(most=0), file.damage)
            segments = read_segments(capture, self.packet_base)
            flows = self.flows
            if flows is not None:
                segments = select(segments, lambda flow: flow_key(flow) in flows)
            gathered: dict[int, list[Segment]] = {}
            octets = 0
            buckets: dict[bytes, int] = {}
            for segment in segments:
                flow = segment[0]
                bucket = buckets.get(flow)
                if bucket is None:
                    bucket = buckets[flow] = bucket_of(flow)
                gathered.setdefault(bucket, []).append(segment)
                octets += len(segment[4]) + 100
                if octets >= _OCTETS_AT_ONCE:
                    yield from self._rows(gathered)
                    gathered, octets = {}, 0
            yield from self._rows(gathered)

    def _rows(self, gathered: dict[int, list[Segment]]) -> Iterator[Row]:
        for bucket, segments in gathered.items():
            yield bucket, self.order.file_no, segments[0][7], pickle.dumps(segments, protocol=5)


@dataclass(frozen=True, slots=True)
class ReadConnections:
    """Makes tables of the connections of a bucket.

    Attributes:
        target: Where they go.
        settings: How captures are read.
        packets_before: Of each file, how many packets are in those before it.
        date: That of the capture.
    """

    target: LakeTarget
    settings: ReadSettings
    packets_before: tuple[int, ...]
    date: str

    def __call__(self, bucket: int, rows: Iterator[Row]) -> tuple[list[Written], Counter[Reason]]:
        """Read; returns the files, and how often something was left out."""
        with bulk_memory(), self.target.writer(f"whole-{bucket:02}") as writer:
            pipeline = TablePipeline(self.target.capture_id, self.settings, writer.write)
            for before in self.packets_before:
                pipeline.begin_file(before)
            for row in rows:
                pipeline.reader.connections.read(pickle.loads(row[3]))
                pipeline.flush_if_full()
            pipeline.finish()
            pipeline.write_quarantine(self.date)
        return writer.written, count_reasons(pipeline.quarantine)


def read_whole(
    read: FilesRead,
    packet_base: list[int],
    flows: Set[bytes] | None,
    target: LakeTarget,
    settings: ReadSettings,
    runner: TaskRunner,
    date: str,
) -> tuple[list[Written], Counter[Reason]]:
    """Read connections as a whole, and write all that there is of them.

    Args:
        read: The splits of the capture.
        packet_base: How many packets come before each.
        flows: Which connections, by ``flow_key``; None for all.
        target: Where the tables go.
        settings: How captures are read.
        runner: Runs the tasks.
        date: That of the capture.

    Returns:
        The files, and how often something was left out.
    """
    producers = [
        SendSegments(result.order, base, flows)
        for result, base in zip(read.results, packet_base, strict=True)
    ]
    consumer = ReadConnections(target, settings, tuple(read.packets_before), date)
    written: list[Written] = []
    left_out = Counter[Reason]()
    for files, reasons in runner.shuffle("whole connections", producers, consumer):
        written += files
        left_out += reasons
    return written, left_out
