"""Which octets of a stream are in the capture."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field


@dataclass(slots=True)
class Spans:
    """Stretches of a stream, in order, none of which touch.

    Attributes:
        starts: Where each begins.
        ends: Where each ends.
        forgotten: Octets of those that nobody asks for any more.
    """

    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    forgotten: int = 0

    def add(self, start: int, end: int) -> None:
        """Add a stretch."""
        starts, ends = self.starts, self.ends
        if ends and ends[-1] == start:  # nearly always
            ends[-1] = end
            return
        first, last = bisect_left(ends, start), bisect_right(starts, end)
        if first < last:
            start, end = min(start, starts[first]), max(end, ends[last - 1])
        starts[first:last] = [start]
        ends[first:last] = [end]

    def contain(self, start: int, end: int) -> bool:
        """Are all these octets in it?"""
        place = bisect_right(self.starts, start) - 1
        return place >= 0 and end <= self.ends[place]

    def touch(self, start: int, end: int) -> bool:
        """Is one of these octets in it?"""
        return bisect_right(self.ends, start) < bisect_left(self.starts, end)

    def forget(self, before: int) -> None:
        """Forget the stretches that end here or earlier."""
        count = bisect_right(self.ends, before)
        if count:
            self.forgotten += sum(self.ends[:count]) - sum(self.starts[:count])
            del self.starts[:count], self.ends[:count]

    @property
    def octets(self) -> int:
        """How many there are in all."""
        return self.forgotten + sum(self.ends) - sum(self.starts)


@dataclass(slots=True)
class Coverage:
    """What is captured of a stream.

    Attributes:
        captured: The octets that are in the capture.
        altered: Those of them that are not what was sent.
        begins: The first that was captured; None if there is none.
        syn: Whether the SYN was captured.
    """

    captured: Spans = field(default_factory=Spans)
    altered: Spans = field(default_factory=Spans)
    begins: int | None = None
    syn: bool = False

    def add(self, start: int, end: int) -> None:
        """These octets are in the capture."""
        if self.begins is None or start < self.begins:
            self.begins = start
        self.captured.add(start, end)

    def alter(self, offset: int) -> None:
        """This octet is not what was sent."""
        self.altered.add(offset, offset + 1)

    def is_intact(self, start: int, end: int) -> bool:
        """Are all these octets in the capture, as they were sent?"""
        if not self.captured.contain(start, end):
            return False
        return not (self.altered.starts and self.altered.touch(start, end))

    def forget(self, before: int) -> None:
        """Nobody asks for octets before this one any more."""
        if self.captured.ends and self.captured.ends[0] <= before:
            self.captured.forget(before)
        if self.altered.ends:
            self.altered.forget(before)
