"""What has become of a capture, for whoever asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


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
