"""What was read, and where every octet of it is."""

from __future__ import annotations

from dataclasses import dataclass

from ..capture.stream_data import SIDES
from .gather import Ask

_FILES = """
SELECT t.capture_id, t.file_no, t.file, t.format, t.compression, t.size, t.packets, t.first_ns, t.last_ns, t.status,
  t.bytes_skipped, coalesce(s.splits, 0) AS splits, coalesce(s.proofs, array()) AS proofs
FROM captures t LEFT JOIN (
  SELECT capture_id, file_no, count(*) AS splits, sort_array(collect_set(proof)) AS proofs
  FROM splits GROUP BY capture_id, file_no
) s ON s.capture_id = t.capture_id AND s.file_no = t.file_no
ORDER BY t.first_ns, t.capture_id, t.file_no
"""
_KINDS = ("wire", "framed", "gap", "skipped", "tail", "dup")
_STREAMS = "SELECT {} FROM connections".format(
    ", ".join(f"coalesce(sum({side}_bytes_{kind}), 0) AS {side}_{kind}" for side in SIDES for kind in _KINDS)
)
_MOST_FILES = 200  # of a ring there may be thousands


@dataclass(frozen=True, slots=True)
class FileTotals:
    """A file that was read: columns of ``captures``, with its splits.

    Attributes:
        splits: In how many parts it was read.
        proofs: How it is known that they meet: of ``whole``, ``chained``, ``exact``.
    """

    capture_id: str
    file_no: int
    file: str
    format: str
    compression: str | None
    size: int
    packets: int
    first_ns: int | None
    last_ns: int | None
    status: str
    bytes_skipped: int
    splits: int
    proofs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OctetTotals:
    """Octets of the streams of one direction, all connections together; the columns of ``connections``."""

    side: str
    wire: int
    framed: int
    gap: int
    skipped: int
    tail: int
    dup: int

    @property
    def difference(self) -> int:
        """What is not accounted for: 0."""
        return self.wire - self.framed - self.gap - self.skipped - self.tail


@dataclass(frozen=True, slots=True)
class Ledger:
    """What was read.

    Attributes:
        files: The files, at most 200.
        files_more: How many there are besides.
        size: Octets of all files.
        packets: Of all files.
        names: The name of a file by capture and number, of all.
        octets: Of the client's streams, and of the server's.
    """

    files: tuple[FileTotals, ...]
    files_more: int
    size: int
    packets: int
    names: dict[tuple[str, int], str]
    octets: tuple[OctetTotals, ...]


def ledger(ask: Ask) -> Ledger:
    """What the tables ``captures``, ``splits`` and ``connections`` say."""
    files = [FileTotals(**{**row, "proofs": tuple(row["proofs"])}) for row in ask(_FILES)]
    row = next(iter(ask(_STREAMS)))
    return Ledger(
        tuple(files[:_MOST_FILES]),
        max(0, len(files) - _MOST_FILES),
        sum(each.size or 0 for each in files),
        sum(each.packets or 0 for each in files),
        {(each.capture_id, each.file_no): each.file for each in files},
        tuple(OctetTotals(side, *(row[f"{side}_{kind}"] for kind in _KINDS)) for side in SIDES),
    )
