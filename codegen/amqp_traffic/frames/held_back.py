"""Frames of both directions in the order of packets, while the first frame of one of them is searched.

Where the beginning of a stream was not captured, its first frames are certain only when others have followed them. What the
other side answers meanwhile is held back, so that requests come before their replies.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from ..capture.stream_data import Direction
from .formats import FrameSpan

# What is held back of a connection at most: a side that is nearly silent must not hold back the other for long.
MOST_FRAMES = 1024
MOST_OCTETS = 1 << 20


class HeldBack:
    """The frames that wait."""

    def __init__(self) -> None:
        self._frames: tuple[deque[FrameSpan], deque[FrameSpan]] = (deque(), deque())
        self._octets = 0

    @property
    def is_full(self) -> bool:
        """Whether no more may be held back."""
        return self._octets > MOST_OCTETS or sum(map(len, self._frames)) > MOST_FRAMES

    def add(self, direction: Direction, frames: list[FrameSpan]) -> None:
        """Hold back the next frames of a direction."""
        self._frames[direction].extend(frames)
        self._octets += sum(frame.size for frame in frames)

    def take(self, since: int | None) -> Iterator[tuple[Direction, list[FrameSpan]]]:
        """Take the frames that begin before a packet, or all; of both directions the one of the earlier packet first."""
        while True:
            waiting = [direction for direction in Direction if self._frames[direction]]
            first = min(waiting, key=lambda direction: self._frames[direction][0].packet_no, default=None)
            if first is None or (since is not None and self._frames[first][0].packet_no >= since):
                return
            frame = self._frames[first].popleft()
            self._octets -= frame.size
            yield first, [frame]
