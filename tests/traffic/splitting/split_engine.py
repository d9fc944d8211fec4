"""An engine that reads captures in splits, and one that reads them in one pass, for tests to compare."""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from amqp_traffic.capture.formats import recognise_capture
from amqp_traffic.capture.quarantine import Quarantine, Quarantined
from amqp_traffic.capture.segments import read_segments
from amqp_traffic.capture.stream_data import Direction, Segment
from amqp_traffic.frames.conversation import Conversation
from amqp_traffic.frames.formats import FrameSpan
from amqp_traffic.frames.frame_reader import Conversations
from amqp_traffic.frames.protocol import RABBITMQ, Protocol
from amqp_traffic.messages.connection_rows import ConnectionRecord, record_of
from amqp_traffic.splitting.fragments import read_fragments
from amqp_traffic.splitting.splits import (
    SectionState,
    Split,
    check_proof,
    exact_splits,
    join_ledgers,
    open_split,
    plan_splits,
    split_report,
)
from amqp_traffic.splitting.stitching import ConnectionPart, SplitFragments, StitchPlan, stitch
from amqp_traffic.splitting.survey import Known, known_before, survey
from amqp_traffic.streams.connection import CapturedConnection, flow_key
from amqp_traffic.streams.connections import ConnectionTracker
from amqp_traffic.synth.order import CaptureOrder
from amqp_traffic.synth.synthesis import synthesise

# Direction, frame, package and dialect by which it is read.
Frame = tuple[int, FrameSpan, str, str]
MOST = 10_000_000


@dataclass
class Reading:
    """What there is of a connection: its record, its frames in order, what is left out of it."""

    record: ConnectionRecord | None = None
    frames: list[Frame] = field(default_factory=list)
    quarantine: list[Quarantined] = field(default_factory=list)

    def sorted(self) -> Reading:
        """Numbers of connections do not matter, nor the order of the quarantine."""
        assert self.record is not None
        rows = sorted((replace(it, connection=0) for it in self.quarantine), key=repr)
        return Reading(replace(self.record, number=0), self.frames, rows)


# Addresses and ports, and which connection of these it is.
Readings = dict[tuple[bytes, int], Reading]


@dataclass
class Whole:
    """What there is of a capture."""

    connections: Readings
    others: list[Quarantined]
    packets: int


def make(**order: object) -> bytes:
    """A synthetic capture."""
    file = io.BytesIO()
    synthesise(CaptureOrder(**order), file, io.StringIO())  # type: ignore[arg-type]
    return file.getvalue()


def _how(protocol: Protocol | None, dialect: str) -> tuple[str, str]:
    """How a frame is read: by which package and dialect."""
    package = protocol.package if protocol else ""
    return package, dialect or ("rabbitmq" if package == RABBITMQ else "")


def read_flows(segments: Iterable[Segment], quarantine: Quarantine) -> Readings:
    """Read segments in one pass."""
    by_number: dict[int, Reading] = {}
    ended: list[tuple[CapturedConnection, Conversation]] = []

    def on_frames(conversation: Conversation, direction: Direction, frames: list[FrameSpan]) -> None:
        reading = by_number.setdefault(conversation.number, Reading())
        how = _how(conversation.protocol, conversation.dialect)
        reading.frames += [(int(direction), frame, *how) for frame in frames]

    conversations = Conversations(on_frames, lambda *it: ended.append(it), quarantine=quarantine)
    connections = ConnectionTracker(conversations.on_pieces, conversations.on_end, quarantine=quarantine)
    connections.read(segments)
    connections.flush()
    for row in quarantine.rows:
        if row.connection is not None:
            by_number.setdefault(row.connection, Reading()).quarantine.append(row)
    found: Readings = {}
    counts: dict[bytes, int] = {}
    for connection, conversation in sorted(ended, key=lambda it: it[0].number):
        key = flow_key(connection.streams[0].flow)
        counts[key] = counts.get(key, 0) + 1
        reading = by_number.setdefault(connection.number, Reading())
        reading.record = record_of(connection, conversation)
        found[key, counts[key]] = reading
    return found


def _segments(files: Sequence[bytes], quarantine: Quarantine) -> Iterable[Segment]:
    packets = 0
    for file in files:
        capture = recognise_capture(file, quarantine)
        yield from read_segments(capture, packets)
        packets += capture.ledger.packets
        capture.ledger.check()


def read_whole(files: Sequence[bytes]) -> Whole:
    """Read files in one pass."""
    quarantine = Quarantine(most=MOST)
    packets = 0

    def counted() -> Iterable[Segment]:
        nonlocal packets
        for file in files:
            capture = recognise_capture(file, quarantine)
            yield from read_segments(capture, packets)
            packets += capture.ledger.packets
            capture.ledger.check()

    connections = read_flows(counted(), quarantine)
    return Whole(connections, [it for it in quarantine.rows if it.connection is None], packets)


def parts_of(file: bytes, count: int, plan: Callable[[bytes, int], list[Split]] = plan_splits) -> list[Split]:
    """About so many splits."""
    return plan(file, len(file) // count + 1)


def splits_at(file: bytes, packets: Iterable[int]) -> list[Split]:
    """Splits that begin with these packets, counted from 0."""
    capture = recognise_capture(file, Quarantine())
    starts: list[tuple[int, SectionState | None]] = []
    wanted = set(packets) - {0}
    for number, (record, *_) in enumerate(capture.packets()):
        if number in wanted:
            section = capture.section
            state = SectionState(section.byte_order, tuple(section.interfaces))
            starts.append((record, state if capture.header is None else None))
    ends = [start for start, _ in starts] + [len(file)]
    starts.insert(0, (0, None))
    return [Split(start, end, state) for (start, state), end in zip(starts, ends, strict=True)]


def ring(file: bytes, packets: Iterable[int]) -> list[bytes]:
    """A pcap file as several, which begin with these packets."""
    splits = splits_at(file, packets)
    head = file[:24]
    return [(head if it.start else b"") + file[it.start : it.end] for it in splits]


@dataclass
class Stitching:
    """What an engine that reads splits has found.

    Attributes:
        whole: All there is.
        plan: What could be stitched.
        exact: Of how many files the splits had to be found record by record.
        splits: How many there were.
    """

    whole: Whole
    plan: StitchPlan
    exact: int
    splits: int

    @property
    def spanning(self) -> int:
        """How many connections were stitched out of more than one split."""
        return sum(
            len({part.split for part in it.parts if isinstance(part, ConnectionPart)}) > 1
            or any(not isinstance(part, ConnectionPart) for part in it.parts)
            for it in self.plan.connections
        )


def read_splits(
    files: Sequence[bytes], splits: int | Callable[[bytes], list[Split]], *, with_survey: bool = True
) -> Stitching:
    """Read files in about so many splits each, or in those that are told."""
    surveys = [survey(file) if with_survey else [] for file in files]
    exact = 0
    read: list[tuple[SplitFragments, dict[int, Reading]]] = []
    others: list[Quarantined] = []
    for number, file in enumerate(files):
        known = partial(known_before, surveys, number)
        planned = parts_of(file, splits) if isinstance(splits, int) else splits(file)
        found = _read_file(file, planned, known, not read)
        if found is None:
            assert isinstance(splits, int)
            exact += 1
            found = _read_file(file, parts_of(file, splits, exact_splits), known, not read)
            assert found is not None, "exact splits prove themselves"
        read += found
    plan = pickle.loads(pickle.dumps(stitch(it for it, _ in read)))
    connections: Readings = {}
    for it in plan.connections:
        reading = connections[flow_key(it.flow), it.ordinal] = Reading(it.record)
        reading.quarantine += it.quarantine
        for part in it.parts:
            assert part.frame_base == len(reading.frames)
            if isinstance(part, ConnectionPart):
                _add_part(reading, part, read[part.split][1], plan.packet_base[part.split])
            else:
                how = _how(part.protocol, part.dialect)
                reading.frames += [(int(direction), frame, *how) for direction, frame in part.frames]
    for base, (_, readings) in zip(plan.packet_base, read, strict=True):
        rows = readings[0].quarantine
        others += [replace(it, packet_no=it.packet_no + base if it.packet_no else 0) for it in rows]
    quarantine = Quarantine(most=MOST)
    mine = (it for it in _segments(files, Quarantine()) if flow_key(it[0]) in plan.unverified)
    connections |= read_flows(mine, quarantine)
    packets = sum(it.packets for it, _ in read)
    return Stitching(Whole(connections, others, packets), plan, exact, len(read))


def _read_file(
    file: bytes, splits: list[Split], known: Callable[[int], dict[bytes, Known]], is_first: bool
) -> list[tuple[SplitFragments, dict[int, Reading]]] | None:
    """Fragments, frames and quarantine of the splits; None if they are wrong."""
    read, reports = [], []
    for split in splits:
        readings: dict[int, Reading] = {}

        def on_frames(
            conversation: Conversation,
            direction: Direction,
            frames: list[FrameSpan],
            readings: dict[int, Reading] = readings,
        ) -> None:
            how = _how(conversation.protocol, conversation.dialect)
            reading = readings.setdefault(conversation.number, Reading())
            reading.frames += [(int(direction), frame, *how) for frame in frames]

        quarantine = Quarantine(most=MOST)
        capture = open_split(file, split, quarantine)
        fragments = read_fragments(
            read_segments(capture),
            on_frames,
            first=is_first and not read,
            quarantine=quarantine,
            known=known(split.start),
        )
        done = split_report(capture, split)
        reports.append(pickle.loads(pickle.dumps(done)))
        readings[0] = Reading()
        for row in quarantine.rows:
            readings.setdefault(row.connection or 0, Reading()).quarantine.append(row)
        fragments = pickle.loads(pickle.dumps(fragments))
        read.append((SplitFragments(done.packets, fragments), readings))
    if check_proof(reports, len(file)):
        return None
    join_ledgers(reports, len(file)).check()
    return read


def _add_part(reading: Reading, part: ConnectionPart, readings: dict[int, Reading], packets: int) -> None:
    """Map what a split has told to the whole."""
    told = readings.get(part.number, Reading())
    assert len(told.frames) == part.frames
    for direction, frame, package, dialect in told.frames:
        offset = frame.offset + part.offset_base[direction]
        moved = frame._replace(offset=offset, packet_no=frame.packet_no + packets)
        reading.frames.append((direction, moved, package, dialect))
    for row in told.quarantine:
        begin = row.stream_offset
        if begin is not None and row.direction is not None:
            begin += part.offset_base[row.direction]
        packet_no = row.packet_no + packets if row.packet_no else 0
        reading.quarantine.append(replace(row, packet_no=packet_no, stream_offset=begin))


def assert_equal(found: Whole, expected: Whole) -> None:
    """The same connections, frames, ledgers and quarantine."""
    assert found.packets == expected.packets
    assert sorted(map(repr, found.others)) == sorted(map(repr, expected.others))
    assert found.connections.keys() == expected.connections.keys()
    for key, one in expected.connections.items():
        other = found.connections[key].sorted()
        one = one.sorted()
        assert other.record == one.record
        assert other.quarantine == one.quarantine
        if other.frames != one.frames:
            assert len(other.frames) == len(one.frames)
            for at, (mine, theirs) in enumerate(zip(other.frames, one.frames, strict=True)):
                assert mine == theirs, at
