"""The labels of a synthetic capture: every frame that was sent, and whether all of it is in the file.

One JSON object a line, in the order in which the last octets were sent. ``label`` is the type of the line:

- ``capture``: the first line, how the capture was made.
- ``connection``: before its first frame. ``sequences`` are the initial sequence numbers of client and server.
- ``header``, ``frame``, ``tail``, ``foreign``: see ``utterance.MarkKind``. ``direction`` is 0 from the client, 1 from the
  server; ``offset`` counts from the first octet of the stream; ``size`` is that of the whole frame; ``intact`` tells
  whether all its octets are in the capture as they were sent.
- ``stream``: the end of a direction. ``octets`` were sent, ``captured`` of them are in the capture, from the offset
  ``begins`` on; ``syn`` tells whether the SYN is.
"""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ..capture.stream_data import Direction
from .packet import Packet
from .utterance import Mark, MarkKind


@dataclass(slots=True)
class Spans:
    """Ranges of a stream, in order; no two of them touch.

    Attributes:
        starts: The first offset of each range.
        ends: The offset after each range.
        forgotten: The octets of forgotten ranges.
    """

    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    forgotten: int = 0

    def add(self, start: int, end: int) -> None:
        """Add a range."""
        starts, ends = self.starts, self.ends
        if ends and ends[-1] == start:  # the usual case
            ends[-1] = end
            return
        first, last = bisect_left(ends, start), bisect_right(starts, end)
        if first < last:
            start, end = min(start, starts[first]), max(end, ends[last - 1])
        starts[first:last] = [start]
        ends[first:last] = [end]

    def contain(self, start: int, end: int) -> bool:
        """Return whether all octets from ``start`` to ``end`` are in the ranges."""
        place = bisect_right(self.starts, start) - 1
        return place >= 0 and end <= self.ends[place]

    def touch(self, start: int, end: int) -> bool:
        """Return whether any octet from ``start`` to ``end`` is in the ranges."""
        return bisect_right(self.ends, start) < bisect_left(self.starts, end)

    def forget(self, before: int) -> None:
        """Forget the ranges that end at ``before`` or earlier."""
        count = bisect_right(self.ends, before)
        if count:
            self.forgotten += sum(self.ends[:count]) - sum(self.starts[:count])
            del self.starts[:count], self.ends[:count]

    @property
    def octets(self) -> int:
        """The number of octets in all ranges."""
        return self.forgotten + sum(self.ends) - sum(self.starts)


@dataclass(slots=True)
class Coverage:
    """The captured part of a stream.

    Attributes:
        captured: The octets that are in the capture.
        altered: The captured octets that differ from what was sent.
        begins: The offset of the first captured octet; None if there is none.
        syn: Whether the SYN was captured.
    """

    captured: Spans = field(default_factory=Spans)
    altered: Spans = field(default_factory=Spans)
    begins: int | None = None
    syn: bool = False

    def add(self, start: int, end: int) -> None:
        """Record that the octets from ``start`` to ``end`` are in the capture."""
        if self.begins is None or start < self.begins:
            self.begins = start
        self.captured.add(start, end)

    def alter(self, offset: int) -> None:
        """Record that the octet at ``offset`` is not as it was sent."""
        self.altered.add(offset, offset + 1)

    def is_intact(self, start: int, end: int) -> bool:
        """Return whether all octets from ``start`` to ``end`` are in the capture, as they were sent."""
        if not self.captured.contain(start, end):
            return False
        return not (self.altered.starts and self.altered.touch(start, end))

    def forget(self, before: int) -> None:
        """Forget the octets before ``before``."""
        if self.captured.ends and self.captured.ends[0] <= before:
            self.captured.forget(before)
        if self.altered.ends:
            self.altered.forget(before)


# Packet with the last octet of the mark, connection, direction, offset, mark; no mark stands for the end of the stream.
_Waiting: TypeAlias = "tuple[int, int, Direction, int, Mark | None]"


class Labels:
    """A writer of labels. It writes the label of a frame as soon as it is certain whether all of it is captured.

    Args:
        write: Takes lines.
        horizon: See ``Damage.horizon``.

    Attributes:
        frames: The number of frames that were labelled.
        intact: The number of intact frames among them.
    """

    def __init__(self, write: Callable[[str], object], horizon: int) -> None:
        self.frames = self.intact = 0
        self._write = write
        self._horizon = horizon
        self._waiting: deque[_Waiting] = deque()
        self._coverage: dict[tuple[int, Direction], Coverage] = {}

    def tell(self, label: str, fields: Mapping[str, Any]) -> None:
        """Write a label that is certain immediately."""
        self._write(json.dumps({"label": label, **fields}, separators=(",", ":")) + "\n")

    def connection(self, number: int, fields: Mapping[str, Any]) -> None:
        """Record that a connection begins."""
        for direction in Direction:
            self._coverage[number, direction] = Coverage()
        self.tell("connection", {"connection": number, **fields})

    def sent(self, packet: int, connection: int, direction: Direction, offset: int, mark: Mark) -> None:
        """Record that the last octet of a mark was sent.

        ``packet`` is the number of the packet with that octet, ``offset`` that of the mark in the stream.
        """
        self._waiting.append((packet, connection, direction, offset, mark))

    def ended(self, packet: int, connection: int, direction: Direction, octets: int) -> None:
        """Record the end of a stream that has ``octets`` octets."""
        self._waiting.append((packet, connection, direction, octets, None))

    def captured(self, packet: Packet, octets: int) -> None:
        """Record that the first ``octets`` octets of a packet's payload are in the capture."""
        if packet.is_syn:
            self._coverage[packet.connection, packet.direction].syn = True
        elif octets and not packet.is_contrary:
            coverage, start = self._coverage[packet.connection, packet.direction], packet.offset
            coverage.add(start, start + octets)
            if packet.altered is not None and packet.altered < octets:
                coverage.alter(start + packet.altered)

    def settle(self, packet: int) -> None:
        """Write the labels that are certain once the packet with this number is captured."""
        waiting, settled = self._waiting, packet - self._horizon
        while waiting and waiting[0][0] <= settled:
            self._settle(*waiting.popleft())

    def settle_all(self) -> None:
        """Write the remaining labels: no other packet comes."""
        while self._waiting:
            self._settle(*self._waiting.popleft())

    def _settle(
        self, packet: int, connection: int, direction: Direction, offset: int, mark: Mark | None
    ) -> None:
        if mark is None:
            self._end(connection, direction, offset)
            return
        coverage = self._coverage[connection, direction]
        kind, size, frame_type, channel, name = mark
        intact = coverage.is_intact(offset, offset + size)
        coverage.forget(offset + size)
        if kind is MarkKind.FRAME:
            self.frames += 1
            self.intact += intact
            place = f'"type":{frame_type},"channel":{channel},'
        else:
            place = ""
        # The same text as from json.dumps, which would take most of the running time.
        self._write(
            f'{{"label":"{kind.value}","connection":{connection},"direction":{direction.value},"offset":{offset},'
            f'"size":{size},{place}"name":"{name}","intact":{"true" if intact else "false"}}}\n'
        )

    def _end(self, connection: int, direction: Direction, octets: int) -> None:
        coverage = self._coverage.pop((connection, direction))
        fields = {
            "connection": connection,
            "direction": int(direction),
            "octets": octets,
            "captured": coverage.captured.octets,
            "begins": coverage.begins,
            "syn": coverage.syn,
        }
        self.tell("stream", fields)
