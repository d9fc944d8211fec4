"""Reads a split of a file: frames become rows and events with the numbers of the split, for others to go on with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from zlib import crc32

from ..capture.files import open_capture
from ..capture.quarantine import Quarantine, Quarantined, Reason
from ..capture.segments import read_segments
from ..capture.stream_data import Direction
from ..decode.decoding import Decoding
from ..decode.events import EventTuple
from ..frames.conversation import Conversation
from ..frames.formats import FrameSpan
from ..ingest.file_tables import FileFacts, facts_of
from ..ingest.job import ReadSettings
from ..ingest.memory import bulk_memory
from ..ingest.staging import stage
from ..messages.connection_rows import endpoints
from ..tasks.blobs import BlobFolder
from .event_blobs import write_events
from .fragment import Fragment
from .fragments import read_fragments
from .splits import Split, SplitReport, open_split, split_report
from .survey import Known

# Events are kept apart by connection in so many files, so that whoever follows some connections need not read all.
BUCKETS = 32


@dataclass(frozen=True, slots=True)
class SplitOrder:
    """A split that is to be read.

    Attributes:
        path: The file.
        file_no: Its number in the capture.
        split: Where it is in the file.
        settings: How it is read.
        known: What is known of connections, see ``known_before``.
        is_first: Nothing of the capture is before it.
    """

    path: Path
    file_no: int
    split: Split
    settings: ReadSettings
    known: Mapping[bytes, Known]
    is_first: bool


@dataclass(frozen=True, slots=True)
class SplitResult:
    """What came out of a split.

    Attributes:
        order: Which one it was.
        report: Where it ended.
        file: What it tells of the file.
        fragments: The connections.
        quarantine: What is left out, with the numbers of the split.
        counts: Of each connection, by its number: frames by direction, and those that could not be decoded.
        rows: The blobs with rows.
        events: The blobs with events, by bucket, in their order.
    """

    order: SplitOrder
    report: SplitReport
    file: FileFacts
    fragments: list[Fragment]
    quarantine: Quarantine
    counts: dict[int, tuple[tuple[int, int], tuple[int, int]]]
    rows: list[str]
    events: dict[int, list[str]]


def bucket_of(flow: bytes) -> int:
    """Which bucket a connection is in: the same for all connections of its endpoints, everywhere."""
    return crc32(b"".join(endpoints(flow))) % BUCKETS


def of_packets(result: SplitResult, packets_before: int) -> Iterator[Quarantined]:
    """What is left out of a split that belongs to no connection.

    Args:
        result: The split.
        packets_before: How many packets of the file come before it.
    """
    for item in result.quarantine.rows:
        if item.connection is None:
            yield replace(item, packet_no=item.packet_no + packets_before) if item.packet_no else item


def packet_reasons(result: SplitResult) -> Counter[Reason]:
    """How often that was, by reason; of packets of other protocols there are no rows."""
    left_out = Counter(item.reason for item in of_packets(result, 0))
    others = result.quarantine.totals.get(Reason.NON_TCP)
    if others is not None:
        left_out[Reason.NON_TCP] = others.count
    return left_out


def index_split(order: SplitOrder) -> SplitResult:
    """Go through a split without reading what is in its packets; arguments and errors are those of ``read_split``."""
    quarantine = Quarantine()
    with open_capture(order.path) as file:
        capture = open_split(file.buffer, order.split, quarantine, file.damage)
        for _ in read_segments(capture):
            pass
        facts = facts_of(capture, order.path.name, order.file_no, file.compression)
        return SplitResult(order, split_report(capture, order.split), facts, [], quarantine, {}, [], {})


def read_split(order: SplitOrder, blobs: BlobFolder, name: str) -> SplitResult:
    """Read a split.

    Args:
        order: Which one.
        blobs: Where rows and events go.
        name: Is in the names of the blobs: that of this attempt, as a task may be tried more than once.

    Raises:
        CaptureError: The file is no capture, or cannot be uncompressed.
        OSError: It cannot be read.
    """
    quarantine = Quarantine()
    reading = _Reading(Decoding(quarantine, bodies=order.settings.bodies.wanted), blobs, name)
    with bulk_memory(), open_capture(order.path) as file:
        capture = open_split(file.buffer, order.split, quarantine, file.damage)
        fragments = read_fragments(
            read_segments(capture),
            reading.on_frames,
            first=order.is_first,
            server_ports=order.settings.server_ports,
            quarantine=quarantine,
            known=order.known,
        )
        reading.flush()
        facts = facts_of(capture, order.path.name, order.file_no, file.compression)
        done = split_report(capture, order.split)
    return SplitResult(
        order, done, facts, fragments, quarantine, reading.counts(), reading.rows, reading.events
    )


class _Reading:
    """Takes frames, and writes blobs."""

    def __init__(self, decoding: Decoding, blobs: BlobFolder, name: str) -> None:
        self.rows: list[str] = []
        self.events: dict[int, list[str]] = {}
        self._decoding = decoding
        self._blobs = blobs
        self._name = name
        self._buckets: dict[int, int] = {}

    def on_frames(self, conversation: Conversation, direction: Direction, frames: list[FrameSpan]) -> None:
        """Frames of a connection were found."""
        if conversation.number not in self._buckets:
            self._buckets[conversation.number] = bucket_of(conversation.flow)
        self._decoding.on_frames(conversation, direction, frames)
        if self._decoding.full:
            self.flush()

    def flush(self) -> None:
        """Write what has gathered."""
        decoded = self._decoding.take()
        if not decoded.spans and not decoded.events:
            return
        number = len(self.rows)
        self.rows.append(f"{self._name}-rows-{number:05}")
        self._blobs.write(self.rows[-1], stage(decoded))
        by_bucket: dict[int, list[EventTuple]] = {}
        buckets = self._buckets
        for event in decoded.events:
            bucket = buckets[event[0]]
            events = by_bucket.get(bucket)
            if events is None:
                events = by_bucket[bucket] = []
            events.append(event)
        for bucket, events in by_bucket.items():
            name = f"{self._name}-events-{number:05}-{bucket:02}"
            self.events.setdefault(bucket, []).append(name)
            write_events(self._blobs, name, events)

    def counts(self) -> dict[int, tuple[tuple[int, int], tuple[int, int]]]:
        """How many frames each connection has."""
        decoding = self._decoding
        return {
            number: (decoding.frames_of(number), decoding.bad_frames_of(number)) for number in self._buckets
        }
