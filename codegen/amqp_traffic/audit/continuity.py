"""Whether frames of a connection are missing. Who audits must know that before the next frame of that direction comes.

A reply is captured before anybody sees that its request was not. So it is told as soon as the octets that come next are
missing: the quarantine has where.
"""

from __future__ import annotations

from ..capture.quarantine import Reason
from .connection_frames import AuditConnection, AuditFrame

_SIDES = ("client", "server")
_LEDGER = ("gap", "skipped", "tail")
# What is in the quarantine and leaves no hole between frames.
_NO_HOLE = frozenset((Reason.OVERLAP_CONFLICT.value, Reason.NO_DATA.value))
_WITH_FRAME = "decode"  # the stage of frames that are there and could not be decoded


class FrameContinuity:
    """Where the next frames should begin, and where octets are missing."""

    __slots__ = ("_expected", "_holes")

    def __init__(self, connection: AuditConnection) -> None:
        """Before the first frame.

        Args:
            connection: The connection.
        """
        self._expected = [0, 0]
        self._holes: list[list[int]] = [_holes(connection, 0), _holes(connection, 1)]

    def is_broken_at_start(self, direction: int) -> bool:
        """Whether octets of a direction are missing before its first frame, or it is not known where they are."""
        return self._reaches_hole(direction)

    def is_broken_by(self, frame: AuditFrame) -> bool:
        """Whether something is missing before a frame. To be called for each, once."""
        expected = self._expected
        is_broken = frame.offset != expected[frame.direction]
        expected[frame.direction] = frame.offset + frame.size
        return is_broken

    def is_broken_after(self, frame: AuditFrame) -> bool:
        """Whether octets after a frame are missing, which was given to ``is_broken_by`` just now."""
        return bool(self._holes[frame.direction]) and self._reaches_hole(frame.direction)

    def _reaches_hole(self, direction: int) -> bool:
        holes, expected = self._holes[direction], self._expected[direction]
        is_there = False
        while holes and holes[-1] <= expected:
            holes.pop()
            is_there = True
        return is_there


def _holes(connection: AuditConnection, direction: int) -> list[int]:
    """Where octets are missing, the first at the end."""
    rows = [
        row
        for row in connection.quarantined
        if row.get("dir") == direction
        and row.get("stage") != _WITH_FRAME
        and row.get("reason") not in _NO_HOLE
        and row.get("stream_off") is not None
    ]
    side = _SIDES[direction]
    missing = sum(connection.facts.get(f"{side}_bytes_{part}") or 0 for part in _LEDGER)
    if sum(row.get("length") or 0 for row in rows) < missing:
        return [0]  # the quarantine does not keep all of a capture in which very much is missing
    return sorted((row["stream_off"] for row in rows), reverse=True)
