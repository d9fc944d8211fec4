"""Are there frames in the bodies of a stream? Where octets are missing, what is found later may be one of those."""

from __future__ import annotations

from collections.abc import Sequence

from .formats import PROTOCOL_HEADER, FrameFormat, FrameSpan, hides_frame
from .resync import Resynchronisation

# Of so many frames one is looked into. The frames of contents come in turn: no small factor, or it would always be, say,
# a content header.
_EVERY = 17


class EmbeddedFrameSampler:
    """Looks into the first frames of a stream, and then into some. It tells the search, once there are such.

    Attributes:
        until: How many frames there are yet until one is looked into; whoever reads frames counts. At 0 it is time.
    """

    __slots__ = ("_looks", "_search", "_shape", "until")

    def __init__(self, shape: FrameFormat, search: Resynchronisation) -> None:
        """Begin with a stream.

        Args:
            shape: How its frames look.
            search: Is told.
        """
        self.until = self._looks = 1
        self._shape = shape
        self._search = search

    def at(self, frames: Sequence[FrameSpan], limit: int) -> None:
        """Look into some frames.

        Args:
            frames: The last ones; ``until`` counts them already.
            limit: How large a frame may be.
        """
        count = len(frames)
        after = self.until + count
        while after <= count:
            self.into_frame(frames[after - 1], limit)
            self._looks += 1
            after += 1 if self._looks < _EVERY else _EVERY
        self.until = after - count

    def into_frame(self, frame: FrameSpan, limit: int) -> None:
        """Look into a frame."""
        if frame.type != PROTOCOL_HEADER:
            self.into(frame.payload, limit)

    def into(self, data: bytes, limit: int) -> None:
        """Look into octets."""
        if not self._search.bodies_hide_frames:
            self._search.bodies_hide_frames = hides_frame(self._shape, data, 0, len(data), limit)
