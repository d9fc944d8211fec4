"""What has become of a capture, for whoever asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..tables.writer import Written


@dataclass(frozen=True, slots=True)
class CaptureResult:
    """What was read.

    Attributes:
        capture_id: The capture.
        files: How many files it has.
        octets: Their size.
        packets: How many there are.
        left_out: How often something was left out, by reason.
        partial: Something is not in the tables that should be: damage, or what cannot be decoded.
    """

    capture_id: str
    files: int
    octets: int
    packets: int
    left_out: Mapping[str, int]
    partial: bool


@dataclass(frozen=True, slots=True)
class WrittenCapture:
    """A capture whose tables are written, and not yet in the lake.

    Attributes:
        result: What was read.
        written: The files with its tables, as those who wrote them have returned them.
    """

    result: CaptureResult
    written: list[Written]

    @property
    def files(self) -> list[str]:
        """What is to be committed."""
        return [file.path for file in self.written]
