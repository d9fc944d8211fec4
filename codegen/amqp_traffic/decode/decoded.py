"""Decoded frames: rows of tables ``frames``, ``methods`` and ``performatives``, and events, as plain lists.

Connections are identified by their numbers; ``ingest.tables.staging`` makes Arrow batches of the rows. As there are very many
frames, values that several frames share are kept once, see ``Run`` and ``FrameKind``; ``Decoded.frames`` joins them.

``quarantine_frame`` keeps why a frame cannot be decoded, and as much of it as may be shown.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from ..capture.quarantine import Quarantine, Quarantined, Reason
from ..frames.formats import FrameSpan
from .events import PACKAGE, EventTuple

_SAMPLE_OCTETS = 256


# By the code of an error of a generated package.
_REASONS = {
    "truncated": Reason.ARGS_TRUNCATED,
    "octets-left-over": Reason.ARGS_TRAILING,
    "not-unicode": Reason.BAD_UTF8,
    "unknown-letter": Reason.TABLE_TAG,
    "unknown-format-code": Reason.TABLE_TAG,
    **dict.fromkeys(
        ("unknown-frame-type", "unknown-class", "unknown-method", "unknown-property", "unknown-descriptor"),
        Reason.UNKNOWN_METHOD,
    ),
    **dict.fromkeys(("too-large", "too-deep", "too-many-elements"), Reason.OUR_LIMIT),
}


def reason_of(error: Exception) -> Reason:
    """Return the reason for an error of a generated package."""
    return _REASONS.get(getattr(error, "code", ""), Reason.DECODE_ERROR)


def quarantine_frame(
    quarantine: Quarantine,
    frame: FrameSpan,
    connection: int,
    direction: int,
    error: Exception,
    name: str | None,
    is_secret: bool,
) -> Reason:
    """Put a frame into the quarantine, and return the reason.

    The text of the error is not used: it may contain octets of the frame. ``name`` is the method or performative, if it is
    known. If ``is_secret``, the frame may have secrets, and there is no sample.
    """
    reason = reason_of(error)
    offset = getattr(error, "offset", 0)
    item = Quarantined(
        reason,
        frame.size,
        frame.packet_no,
        frame.packet_offset,
        frame.ns,
        connection,
        direction,
        frame.offset,
        f"{name or 'unknown'}, octet {offset} of the payload",
        b"" if is_secret else frame.payload[:_SAMPLE_OCTETS],
    )
    quarantine.add(item)
    return reason


# (connection, direction, frame_no, offset, packet_no, packet_offset, ns, type, channel, size, key, name, status, error)
#
# connection, direction, frame_no, offset, ns: as in Event.
# packet_no, packet_offset, type, channel, size: as in FrameSpan.
# key, name: as in FrameKind.
# status: ``OK`` or ``UNDECODED``.
# error: the value of the Reason why it could not be decoded.
FrameRow: TypeAlias = (
    "tuple[int, int, int, int, int, int, int, int, int, int, int | None, str | None, str, str | None]"
)
OK, UNDECODED = "ok", "undecoded"

# (offset, size, type, channel, packet_no, packet_offset, ns): a FrameSpan without its payload.
Span: TypeAlias = "tuple[int, int, int, int, int, int, int]"

# (connection, direction, number of the first frame in its connection, number of frames): frames that came together.
Run: TypeAlias = "tuple[int, int, int, int]"

# (index of the frame in Decoded.spans, name as in FrameKind, payload or None if it may have secrets)
Undecoded: TypeAlias = "tuple[int, str | None, bytes | None]"


@dataclass(frozen=True, slots=True, eq=False)
class FrameKind:
    """The kind of a frame.

    Attributes:
        name: The name of the method or performative; else content-header, content-body, heartbeat, protocol-header,
            empty, or that of another frame type. None for an unknown method or performative.
        key: class id << 16 | method id; the method id is 0 for a content header. None for other frames.
    """

    name: str | None
    key: int | None = None


class UndecodedFrame(NamedTuple):
    """A frame that cannot be decoded.

    Attributes:
        kind: As far as it is known.
        reason: Why.
        raw: Its payload; None if it may have secrets.
    """

    kind: FrameKind
    reason: Reason
    raw: bytes | None


@dataclass(slots=True, eq=False)
class RowsOfKind:
    """The rows of one method, or of one type of performative.

    Attributes:
        kind: The method or performative.
        columns: Name and type of each column, from the generated package.
        frames: For each row, the index of its frame in ``Decoded.spans``.
        payload_sizes: For each performative, the octets that follow it.
    """

    kind: FrameKind
    columns: tuple[tuple[str, str], ...]
    rows: list[tuple[Any, ...]] = field(default_factory=list)
    frames: list[int] = field(default_factory=list)
    payload_sizes: list[int] = field(default_factory=list)

    def part(self, begin: int, end: int) -> RowsOfKind:
        """Return the rows of the frames from one index up to another, which count from the first one on."""
        rows = slice(bisect_left(self.frames, begin), bisect_left(self.frames, end))
        frames = [frame - begin for frame in self.frames[rows]]
        return RowsOfKind(self.kind, self.columns, self.rows[rows], frames, self.payload_sizes[rows])

    def cut(self, index: int) -> None:
        """Remove the rows of the frame with this index and of those after it, and what is incomplete."""
        while self.frames and self.frames[-1] >= index:
            self.frames.pop()
        del self.rows[len(self.frames) :]
        del self.payload_sizes[len(self.frames) :]


@dataclass(slots=True, eq=False)
class Decoded:
    """Frames, rows and events that ``Decoding`` has collected.

    Attributes:
        spans: All frames.
        runs: Their connections.
        kinds: The kind of each frame.
        errors: Why frames could not be decoded, by index in ``spans``.
        methods: The rows of methods, of all packages and dialects; a name may occur more than once.
        performatives: The rows of performatives of AMQP 1.0.
        undecoded_methods: Methods that could not be decoded.
        undecoded_performatives: Performatives that could not be decoded.
        events: The events, in the order of the frames.
        octets: About how many octets of payloads are held, in events and undecoded frames.
    """

    spans: list[Span] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    kinds: list[FrameKind] = field(default_factory=list)
    errors: dict[int, Reason] = field(default_factory=dict)
    methods: list[RowsOfKind] = field(default_factory=list)
    performatives: list[RowsOfKind] = field(default_factory=list)
    undecoded_methods: list[Undecoded] = field(default_factory=list)
    undecoded_performatives: list[Undecoded] = field(default_factory=list)
    events: list[EventTuple] = field(default_factory=list)
    octets: int = 0

    def __len__(self) -> int:
        """Return the number of frames."""
        return len(self.spans)

    def __getitem__(self, part: slice) -> Decoded:
        """Return some frames that follow each other, with their rows, without events."""
        begin, end, _ = part.indices(len(self))

        def undecoded(frames: list[Undecoded]) -> list[Undecoded]:
            return [(index - begin, name, raw) for index, name, raw in frames if begin <= index < end]

        def rows(kinds: list[RowsOfKind]) -> list[RowsOfKind]:
            return [rows for kind in kinds if (rows := kind.part(begin, end)).rows]

        return Decoded(
            self.spans[part],
            list(self._runs(begin, end)),
            self.kinds[part],
            {index - begin: reason for index, reason in self.errors.items() if begin <= index < end},
            rows(self.methods),
            rows(self.performatives),
            undecoded(self.undecoded_methods),
            undecoded(self.undecoded_performatives),
        )

    def _runs(self, begin: int, end: int) -> Iterator[Run]:
        """Yield the runs of some frames."""
        before = 0
        for connection, direction, first, count in self.runs:
            skipped, kept = max(begin - before, 0), min(end - before, count)
            if skipped < kept:
                yield connection, direction, first + skipped, kept - skipped
            before += count

    def cut(self, index: int, connection: int, frame_no: int) -> None:
        """Remove the last frame, which has this index, connection and number, and what was made of it."""
        del self.spans[index:], self.kinds[index:]
        self.errors.pop(index, None)
        for undecoded in (self.undecoded_methods, self.undecoded_performatives):
            while undecoded and undecoded[-1][0] >= index:
                undecoded.pop()
        while self.events and self.events[-1][:2] == (connection, frame_no) and self.events[-1][4] != PACKAGE:
            self.events.pop()

    @property
    def frames(self) -> list[FrameRow]:
        """The row of each frame."""
        rows: list[FrameRow] = []
        for connection, direction, first, count in self.runs:
            for frame_no in range(first, first + count):
                position = len(rows)
                offset, size, frame_type, channel, packet_no, packet_offset, ns = self.spans[position]
                kind, error = self.kinds[position], self.errors.get(position)
                status = (OK, None) if error is None else (UNDECODED, error.value)
                where = connection, direction, frame_no, offset, packet_no, packet_offset, ns
                rows.append((*where, frame_type, channel, size, kind.key, kind.name, *status))
        return rows
