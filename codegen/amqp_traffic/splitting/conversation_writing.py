"""Makes tables of what was said on some connections, from the events of all splits in their order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ..capture.quarantine import Quarantine, Quarantined
from ..decode.decoding import Decoding
from ..decode.events import EventTuple
from ..ingest.job import LakeTarget, ReadSettings
from ..ingest.memory import bulk_memory
from ..ingest.numbering import Numbering, number, rows_to_arrow
from ..ingest.staging import stage
from ..lake.writer import Writer, Written
from ..messages.assemblies import Assemblies
from ..messages.connection_rows import ConnectionRecord, connection_row
from ..tasks.blobs import BlobFolder
from .event_blobs import read_events
from .stitching import Seam

# Frames by direction, and how many of them could not be decoded.
Counts = tuple[tuple[int, int], tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Mapped:
    """What the numbers of a split stand for, for one connection.

    Attributes:
        number: Its number in the task.
        frames_before: How many frames come before those of the split.
        offsets_before: How many octets come before, by direction.
    """

    number: int
    frames_before: int
    offsets_before: tuple[int, int]


@dataclass(frozen=True, slots=True)
class SplitOfBucket:
    """What the task gets of a split.

    Attributes:
        events: The blobs, in their order.
        connections: Those that are wanted of it, by their numbers in the split.
        seams: Frames that end in this split, but could not be read there, with the numbers of the task. They come before
            everything else of their connections in the split.
    """

    events: tuple[str, ...]
    connections: Mapping[int, Mapped]
    seams: tuple[Seam, ...]


@dataclass(frozen=True, slots=True)
class WriteConversations:
    """A task: writes the tables messages, exchanges and connections, and of seams those of frames.

    Attributes:
        target: Where they go.
        blobs: Where the events are.
        settings: How captures are read.
        splits: All splits of the capture, in order.
        numbering: What the numbers of connections in the task mean; that of packets is for seams.
        records: The connections, with their numbers in the task.
        counts: Of their frames, but for those of seams, by number.
        originals: Their numbers in the capture, in their order.
        name: Of the task.
    """

    target: LakeTarget
    blobs: BlobFolder
    settings: ReadSettings
    splits: tuple[SplitOfBucket, ...]
    numbering: Numbering
    records: tuple[ConnectionRecord, ...]
    counts: Mapping[int, Counts]
    originals: tuple[int, ...]
    name: str

    def __call__(self) -> tuple[list[Written], list[Quarantined]]:
        """Write; returns the files, and what could not be decoded in seams, with the numbers of the capture."""
        quarantine = Quarantine()
        with bulk_memory(), self.target.writer(self.name) as writer:
            _Writing(self, writer, quarantine).run()
        return writer.written, [
            replace(item, connection=self.originals[item.connection - 1])
            for item in quarantine.rows
            if item.connection is not None
        ]


class _Writing:
    """The task at work."""

    def __init__(self, task: WriteConversations, writer: Writer, quarantine: Quarantine) -> None:
        self._task = task
        self._writer = writer
        self._assemblies = Assemblies(bodies=task.settings.bodies)
        self._quarantine = quarantine
        self._counts = {
            record.number: task.counts.get(record.number, ((0, 0), (0, 0))) for record in task.records
        }

    def run(self) -> None:
        """Go through all splits."""
        ends = _by_last_split(self._task.splits, self._task.records)
        for split, ended in zip(self._task.splits, ends, strict=True):
            for seam in split.seams:
                self._read_seam(seam)
            for blob in split.events:
                self._assemblies.add(_mapped(read_events(self._task.blobs, blob), split.connections))
                self._write_messages()
            self._write_connections(ended)
        self._write_messages()

    def _read_seam(self, seam: Seam) -> None:
        decoding = Decoding(self._quarantine, bodies=self._task.settings.bodies.wanted)
        for direction, span in seam.frames:
            decoding.on_frames(seam, direction, [span])
        frames, bad = decoding.frames_of(seam.number), decoding.bad_frames_of(seam.number)
        before, bad_before = self._counts[seam.number]
        self._counts[seam.number] = (
            (before[0] + frames[0], before[1] + frames[1]),
            (bad_before[0] + bad[0], bad_before[1] + bad[1]),
        )
        decoded = decoding.take()
        place = {seam.number: Mapped(seam.number, seam.frame_base, (0, 0))}
        self._assemblies.add(_mapped(decoded.events, place))
        numbering = _moved(self._task.numbering, seam)
        for table, staged in stage(decoded).items():
            for date, rows in number(table, staged, numbering).items():
                self._writer.write(table, date, rows)

    def _write_connections(self, records: Iterable[ConnectionRecord]) -> None:
        rows = [
            connection_row(record, self._assemblies.finish(record.number), *self._counts[record.number])
            for record in records
        ]
        self._write("connections", rows)

    def _write_messages(self) -> None:
        messages, exchanges = self._assemblies.take()
        self._write("messages", messages)
        self._write("exchanges", exchanges)

    def _write(self, table: str, rows: Sequence[tuple[object, ...]]) -> None:
        if rows:
            for date, found in rows_to_arrow(table, rows, self._task.numbering).items():
                self._writer.write(table, date, found)


def _mapped(events: Iterable[EventTuple], connections: Mapping[int, Mapped]) -> Iterator[EventTuple]:
    """The events of the wanted connections, with final numbers and offsets."""
    places = {number: (it.number, it.frames_before, it.offsets_before) for number, it in connections.items()}
    as_they_are = {number for number, place in places.items() if place == (number, 0, (0, 0))}
    for event in events:
        number = event[0]
        place = places.get(number)
        if number in as_they_are:
            yield event
        elif place is not None:
            _, frame_no, direction, channel, kind, row, size, offset, ns = event
            connection, frames, offsets = place
            yield (
                connection,
                frame_no + frames,
                direction,
                channel,
                kind,
                row,
                size,
                offset + offsets[direction],
                ns,
            )


def _moved(numbering: Numbering, seam: Seam) -> Numbering:
    """A numbering for the frames of a seam."""
    frames_before = [0] * len(numbering.conn_ids)
    frames_before[seam.number] = seam.frame_base
    return replace(numbering, frames_before=frames_before)


def _by_last_split(
    splits: Sequence[SplitOfBucket], records: Iterable[ConnectionRecord]
) -> list[list[ConnectionRecord]]:
    """For each split the connections of which nothing comes after it."""
    last: dict[int, int] = {}
    for at, split in enumerate(splits):
        last |= {it.number: at for it in split.connections.values()}
        last |= {seam.number: at for seam in split.seams}
    ends: list[list[ConnectionRecord]] = [[] for _ in splits]
    for record in records:
        ends[last.get(record.number, 0)].append(record)
    return ends
