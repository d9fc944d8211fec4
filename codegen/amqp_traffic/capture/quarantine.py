"""Why something of a capture is not in the tables: a closed list of reasons, and who collects them."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum


class Reason(str, Enum):
    """Every reason there is. The values are what the table ``quarantine`` has."""

    # The file
    FILE_TRUNCATED = "file-truncated"  # it ends within a record
    FILE_CORRUPT = "file-corrupt"  # octets that are no record, up to where records begin again
    FILE_MISSING = "file-missing"  # of a ring: it was overwritten before it was read
    TRACE_RECORD = (
        "trace-record"  # of a log of rabbitmq_tracing: it is no record, or perhaps part of another's payload
    )
    UNKNOWN_LINK_TYPE = "unknown-link-type"
    # The packet
    NON_TCP = "non-tcp"
    IP_FRAGMENT = "ip-fragment"
    BAD_PACKET = "bad-packet"  # its headers contradict themselves
    SNAPLEN_CUT = "snaplen-cut"  # the capture kept only its beginning
    # The stream
    SEQ_GAP = "seq-gap"  # octets that were sent, but not captured
    OVERLAP_CONFLICT = "overlap-conflict"  # octets that were sent twice, and not the same; the first are kept
    MID_STREAM_HEAD = "mid-stream-head"  # before the first frame of a stream whose beginning was not captured
    NO_DATA = "no-data"  # a connection without any
    # The protocol
    NOT_AMQP = "not-amqp"
    TLS = "tls"
    UNSUPPORTED_VERSION = "unsupported-version"
    # The frame
    FRAME_END = "frame-end"
    FRAME_TYPE = "frame-type"
    FRAME_MAX = "frame-max"
    FRAME_GAP = "frame-gap"  # what is left of frames that octets are missing of, up to the next frame
    TAIL_INCOMPLETE = "tail-incomplete"  # a frame that the capture ends within
    # What is in it
    ARGS_TRUNCATED = "args-truncated"
    ARGS_TRAILING = "args-trailing"
    UNKNOWN_METHOD = "unknown-method"
    BAD_UTF8 = "bad-utf8"
    TABLE_TAG = "table-tag"
    DECODE_ERROR = "decode-error"


@dataclass(frozen=True, slots=True)
class Quarantined:
    """Octets that are left out, and where they are.

    Attributes:
        reason: Why.
        length: How many octets.
        packet_no: The packet, from 1; 0 if it is not about a packet.
        packet_offset: Where the record of that packet, or the damage, begins in the file.
        ns: When the packet was captured.
        connection: The number of the connection, if there is one.
        direction: The direction of the stream, if there is one.
        stream_offset: Where in that stream the octets would be.
        detail: What more there is to say. Never octets of the capture: they may be a password.
        sample: At most 256 octets of the payload of a frame; none where secrets might be in it.
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
    """How often there was a reason, and how many octets it cost."""

    count: int = 0
    octets: int = 0


@dataclass(slots=True)
class Quarantine:
    """Collects what is left out: all of it in the totals, and the first of each reason one by one.

    Attributes:
        most: How many of each reason are kept one by one, so that a bad capture cannot fill the memory.
        rows: These.
        totals: All, by reason.
    """

    most: int = 10_000
    rows: list[Quarantined] = field(default_factory=list)
    totals: dict[Reason, Total] = field(default_factory=dict)

    def add(self, item: Quarantined) -> None:
        """Keep this."""
        if self.count(item.reason, item.length) <= self.most:
            self.rows.append(item)

    def count(self, reason: Reason, octets: int) -> int:
        """Only count this. For what is no damage, like packets of other protocols.

        Returns:
            How often there has been this reason by now.
        """
        total = self.totals.get(reason)
        if total is None:
            total = self.totals[reason] = Total()
        total.count += 1
        total.octets += octets
        return total.count
