"""``EmbeddedFrameSampler`` looks into some payloads to learn whether message bodies of a stream hide frames."""

from __future__ import annotations

from collections.abc import Sequence

from .formats import PROTOCOL_HEADER, FrameFormat, FrameSpan, hides_frame
from .resync import Resynchronisation

# A prime: the frames of contents alternate, so a round number would always sample, say, content headers.
_FRAMES_PER_SAMPLE = 17


class EmbeddedFrameSampler:
    """Looks into the first frames of a stream, then into a sample, and sets ``bodies_hide_frames`` of the search.

    Attributes:
        until: Number of frames until the next sample. The reader of frames counts it down and calls ``at`` at 0.
    """

    __slots__ = ("_looks", "_search", "_shape", "until")

    def __init__(self, shape: FrameFormat, search: Resynchronisation) -> None:
        self.until = self._looks = 1
        self._shape = shape
        self._search = search

    def at(self, frames: Sequence[FrameSpan], limit: int) -> None:
        """Look into those of the latest frames that are due; ``until`` already counts these frames.

        Frames larger than ``limit`` are not considered.
        """
        count = len(frames)
        after = self.until + count
        while after <= count:
            self.into_frame(frames[after - 1], limit)
            self._looks += 1
            after += 1 if self._looks < _FRAMES_PER_SAMPLE else _FRAMES_PER_SAMPLE
        self.until = after - count

    def into_frame(self, frame: FrameSpan, limit: int) -> None:
        """Look into the payload of a frame."""
        if frame.type != PROTOCOL_HEADER:
            self.into(frame.payload, limit)

    def into(self, data: bytes, limit: int) -> None:
        """Look for frames in a payload."""
        if not self._search.bodies_hide_frames:
            self._search.bodies_hide_frames = hides_frame(self._shape, data, 0, len(data), limit)
