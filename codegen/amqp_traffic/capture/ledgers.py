"""Double-entry bookkeeping of octets: what came in is what went out, or the program is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


class LedgerError(Exception):
    """Octets are missing, or counted twice. This is a fault of this program, not of the capture."""


def balance(subject: str, sum_name: str, total: int, parts: Mapping[str, int]) -> None:
    """Check that the parts make up the total.

    Raises:
        LedgerError: They do not. It names the subject and both sums.
    """
    found = sum(parts.values())
    if found != total:
        listed = " + ".join(f"{name} {octets:,}" for name, octets in parts.items())
        raise LedgerError(f"{subject}: {sum_name} {total:,} octets, but {listed} = {found:,} octets")


@dataclass(slots=True)
class FileLedger:
    """Where the octets of a capture file went.

    Attributes:
        size: Of the file, uncompressed.
        headers: File header, and blocks that are no packets.
        records: Packets with their record headers.
        skipped: Neither: damage, see the quarantine.
        packets: How many records there are.
        first_ns, last_ns: When the first and the last of them were captured; 0 if there are none, or no time is known.
        link_types: Those of the packets.
    """

    size: int
    headers: int = 0
    records: int = 0
    skipped: int = 0
    packets: int = 0
    first_ns: int = 0
    last_ns: int = 0
    link_types: set[int] = field(default_factory=set)

    def check(self) -> None:
        """Check that size = headers + records + skipped.

        Raises:
            LedgerError: It is not.
        """
        parts = {"headers": self.headers, "records": self.records, "skipped": self.skipped}
        balance("capture file", "size", self.size, parts)


@dataclass(slots=True)
class StreamLedger:
    """Where the octets of one direction of a connection went. All numbers are octets of TCP payload.

    Attributes:
        wire: The length of the stream by its sequence numbers.
        delivered: Handed on as data.
        gap: Handed on as gaps.
        duplicate: Seen again; not part of ``wire``.
        discarded: Not of the stream, such as data before its beginning; not part of ``wire``.
    """

    wire: int = 0
    delivered: int = 0
    gap: int = 0
    duplicate: int = 0
    discarded: int = 0

    def check(self, subject: str) -> None:
        """Check that wire = delivered + gap.

        Raises:
            LedgerError: It is not.
        """
        balance(subject, "wire", self.wire, {"delivered": self.delivered, "gap": self.gap})


@dataclass(slots=True)
class FramingLedger:
    """Where the octets of one direction went, in octets of the stream.

    Attributes:
        wire: The length of the stream.
        framed: In frames and protocol headers.
        gap: Lost, in gaps.
        skipped: Left out, see the quarantine.
        tail: The beginning of a frame that the stream ends within.
    """

    wire: int = 0
    framed: int = 0
    gap: int = 0
    skipped: int = 0
    tail: int = 0

    def check(self, subject: str) -> None:
        """Check that wire = framed + gap + skipped + tail.

        Raises:
            LedgerError: It is not.
        """
        parts = {"framed": self.framed, "gap": self.gap, "skipped": self.skipped, "tail": self.tail}
        balance(subject, "wire", self.wire, parts)
