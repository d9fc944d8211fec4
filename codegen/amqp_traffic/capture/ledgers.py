"""Double-entry bookkeeping of octets: input and output must balance, or the program is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


class LedgerError(Exception):
    """Octets are missing or counted twice: a fault of this program, not of the capture."""


def balance(subject: str, sum_name: str, total: int, parts: Mapping[str, int]) -> None:
    """Check that the parts sum up to the total.

    Raises:
        LedgerError: They do not. The message names the subject and both sums.
    """
    counted = sum(parts.values())
    if counted != total:
        listed = " + ".join(f"{name} {octets:,}" for name, octets in parts.items())
        raise LedgerError(f"{subject}: {sum_name} {total:,} octets, but {listed} = {counted:,} octets")


@dataclass(slots=True)
class FileLedger:
    """Where the octets of a capture file went.

    Attributes:
        size: The size of the file, uncompressed.
        headers: File header, and blocks that are not packets.
        records: Packets with their record headers.
        skipped: Damage, see the quarantine.
        packets: Number of records.
        unwanted: Number of TCP segments that the reader did not want, see ``read_segments``.
        first_ns, last_ns: When the first and the last packet were captured; 0 if there is none, or the time is unknown.
        link_types: The link types of the packets.
    """

    size: int
    headers: int = 0
    records: int = 0
    skipped: int = 0
    packets: int = 0
    unwanted: int = 0
    first_ns: int = 0
    last_ns: int = 0
    link_types: set[int] = field(default_factory=set)

    def check(self) -> None:
        """Check that size = headers + records + skipped; raise LedgerError if not."""
        parts = {"headers": self.headers, "records": self.records, "skipped": self.skipped}
        balance("capture file", "size", self.size, parts)


@dataclass(slots=True)
class StreamLedger:
    """Where the octets of TCP payload of one direction of a connection went.

    Attributes:
        wire: The length of the stream by its sequence numbers.
        delivered: Delivered as data.
        gap: Delivered as gaps.
        duplicate: Seen again; not part of ``wire``.
        discarded: Not part of the stream, such as data before its beginning; not part of ``wire``.
    """

    wire: int = 0
    delivered: int = 0
    gap: int = 0
    duplicate: int = 0
    discarded: int = 0

    def check(self, subject: str) -> None:
        """Check that wire = delivered + gap; raise LedgerError if not."""
        balance(subject, "wire", self.wire, {"delivered": self.delivered, "gap": self.gap})


@dataclass(slots=True)
class FramingLedger:
    """Where the octets of a stream went when it was read as frames.

    Attributes:
        wire: The length of the stream.
        framed: In frames and protocol headers.
        gap: Lost, in gaps.
        skipped: Left out, see the quarantine.
        tail: The beginning of a frame that is cut by the end of the stream.
        wrapped: Around the octets of AMQP: a PROXY header, heads of WebSocket, and of TLS all that is not AMQP.
    """

    wire: int = 0
    framed: int = 0
    gap: int = 0
    skipped: int = 0
    tail: int = 0
    wrapped: int = 0

    def check(self, subject: str) -> None:
        """Check that wire = framed + gap + skipped + tail + wrapped; raise LedgerError if not."""
        parts = {
            "framed": self.framed,
            "gap": self.gap,
            "skipped": self.skipped,
            "tail": self.tail,
            "wrapped": self.wrapped,
        }
        balance(subject, "wire", self.wire, parts)
