"""The quarantine: what of a capture is not in the tables, each with one of a closed list of reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar


class Reason(StrEnum):
    """All reasons. The values are those of column ``reason`` in table ``quarantine``."""

    # The file
    FILE_TRUNCATED = "file-truncated"  # the file ends within a record
    FILE_CORRUPT = "file-corrupt"  # octets that are not a record, up to where records begin again
    FILE_MISSING = "file-missing"  # a file of a ring that was overwritten before it was read
    # In a log of rabbitmq_tracing: not a record, or perhaps part of another record's payload.
    TRACE_RECORD = "trace-record"
    UNKNOWN_LINK_TYPE = "unknown-link-type"
    # The packet
    NON_TCP = "non-tcp"
    IP_FRAGMENT = "ip-fragment"
    BAD_PACKET = "bad-packet"  # its headers contradict themselves
    SNAPLEN_CUT = "snaplen-cut"  # the capture kept only its beginning
    # The stream
    SEQ_GAP = "seq-gap"  # octets that were sent, but not captured
    OVERLAP_CONFLICT = "overlap-conflict"  # octets that were sent twice and differ; the first are kept
    MID_STREAM_HEAD = "mid-stream-head"  # before the first frame of a stream whose beginning was not captured
    NO_DATA = "no-data"  # a connection without any
    # Bounds of memory. Rows that end early for them say so, too.
    NOT_FOLLOWED = "not-followed"  # a connection, or what its messages and requests wait for
    # The protocol
    NOT_AMQP = "not-amqp"
    TLS = "tls"
    TLS_KEYS = "tls-keys"  # the keys that there are do not fit
    UNSUPPORTED_VERSION = "unsupported-version"
    # The frame
    FRAME_END = "frame-end"
    FRAME_TYPE = "frame-type"
    FRAME_MAX = "frame-max"  # larger than what was negotiated
    FRAME_SIZE = "frame-size"  # 1.0: smaller than a frame header
    # The protocol allows it, but no frame above ``LARGEST_FRAME`` is read.
    OUR_FRAME_LIMIT = "our-frame-limit"
    DATA_OFFSET = "data-offset"  # 1.0: below 2, or beyond the end of the frame
    FRAME_BODY = "frame-body"  # 1.0: octets that do not begin with a descriptor
    FRAME_GAP = "frame-gap"  # the rest of frames with missing octets, up to the next frame
    TAIL_INCOMPLETE = "tail-incomplete"  # a frame that is cut by the end of the capture
    # The content of the frame
    ARGS_TRUNCATED = "args-truncated"
    ARGS_TRAILING = "args-trailing"
    UNKNOWN_METHOD = "unknown-method"
    BAD_UTF8 = "bad-utf8"
    TABLE_TAG = "table-tag"
    DECODE_ERROR = "decode-error"
    OUR_LIMIT = "our-limit"  # nested deeper, or with more values, than this program decodes


MOST_ROWS = 10_000  # for each reason


@dataclass(frozen=True, slots=True)
class Quarantined:
    """Octets that are left out, and where they are.

    Attributes:
        reason: Why they are left out.
        length: Number of octets.
        packet_no: The packet, from 1; 0 if it is not about a packet.
        packet_offset: Where the record of that packet, or the damage, begins in the file.
        ns: When the packet was captured.
        connection: The number of the connection, if there is one.
        direction: The direction of the stream, if there is one.
        stream_offset: The offset of the octets in that stream.
        detail: More for people. Never octets of the capture: they may be a password.
        sample: At most 256 octets of the payload of a frame; none where there may be secrets.
    """

    reason: Reason
    length: int
    packet_no: int = 0
    packet_offset: int = 0
    ns: int = 0
    connection: int | None = None
    direction: int | None = None
    stream_offset: int | None = None
    detail: str = ""
    sample: bytes = b""


@dataclass(slots=True)
class Total:
    """How often a reason occurred, and the octets left out for it."""

    count: int = 0
    octets: int = 0


@dataclass(slots=True)
class Quarantine:
    """Collects what is left out: all of it in totals, and the first items of each reason as rows.

    Attributes:
        most: The most rows for each reason, so that a bad capture cannot fill the memory.
        totals: The totals, by reason.
    """

    most: int = MOST_ROWS
    rows: list[Quarantined] = field(default_factory=list)
    totals: dict[Reason, Total] = field(default_factory=dict)

    def add(self, item: Quarantined) -> None:
        """Count an item, and keep it as a row if there is room."""
        if self.count(item.reason, item.length) <= self.most:
            self.rows.append(item)

    def count(self, reason: Reason, octets: int, times: int = 1) -> int:
        """Count octets without a row: for what is not damage, such as packets of other protocols.

        ``octets`` are those of all times together.

        Returns:
            How often this reason has occurred by now.
        """
        total = self.totals.get(reason)
        if total is None:
            total = self.totals[reason] = Total()
        total.count += times
        total.octets += octets
        return total.count


@dataclass(slots=True)
class OrderedQuarantine(Quarantine):
    """Keeps the rows of the first packets, not those that come first: the same, however a capture is shared out."""

    _counts: Counter[Reason] = field(default_factory=Counter)

    def add(self, item: Quarantined) -> None:
        """Count an item, and keep it as a row for now."""
        self.count(item.reason, item.length)
        self.rows.append(item)
        self._counts[item.reason] += 1
        if self._counts[item.reason] > 2 * self.most:
            self.trim()

    def trim(self) -> None:
        """Keep ``most`` rows for each reason."""
        self.rows = first_of_each(self.rows, self.most, lambda item: item)
        self._counts = Counter(item.reason for item in self.rows)


_Row = TypeVar("_Row")


def first_of_each(rows: Iterable[_Row], most: int, item_of: Callable[[_Row], Quarantined]) -> list[_Row]:
    """Return at most so many rows for each reason, those of the first packets."""

    def place_of(row: _Row) -> tuple[int, int, int, int, str]:
        item = item_of(row)
        return item.packet_no, item.direction or 0, item.stream_offset or 0, item.length, item.detail

    kept: list[_Row] = []
    counts: Counter[Reason] = Counter()
    for row in sorted(rows, key=place_of):
        reason = item_of(row).reason
        counts[reason] += 1
        if counts[reason] <= most:
            kept.append(row)
    return kept
