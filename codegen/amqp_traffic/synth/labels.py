"""The truth about a synthetic capture: every frame that was sent, and whether all of it is in the file.

One JSON object a line, in the order in which the last octets were sent; ``label`` says what it is:

- ``capture``: the first line, how the capture was made.
- ``connection``: before its first frame. ``sequences`` are the initial sequence numbers of client and server.
- ``header``, ``frame``, ``tail``, ``foreign``: see ``utterance.Kind``. ``direction`` is 0 from the client, 1 from the
  server; ``offset`` counts from the first octet of the stream; ``size`` is that of the whole frame; ``intact`` tells
  whether all its octets are in the capture as they were sent.
- ``stream``: after the last of a direction. ``octets`` were sent, ``captured`` of them are in the capture, from the
  offset ``begins`` on; ``syn`` tells whether the beginning is.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from ..capture.stream_data import Direction
from .coverage import Coverage
from .packet import Packet
from .utterance import Mark, SaidKind

# The packet that brings its last octet, connection, direction, offset; no mark is the end of the stream.
_Waiting: TypeAlias = "tuple[int, int, Direction, int, Mark | None]"


class Labels:
    """Writes labels as soon as it is certain what becomes of a frame.

    Args:
        write: Takes lines.
        horizon: When a packet is captured, those sent so many packets earlier were, or never will be.

    Attributes:
        frames: How many frames were labelled.
        intact: How many of them are intact.
    """

    def __init__(self, write: Callable[[str], object], horizon: int) -> None:
        self.frames = self.intact = 0
        self._write = write
        self._horizon = horizon
        self._waiting: deque[_Waiting] = deque()
        self._coverage: dict[tuple[int, Direction], Coverage] = {}

    def tell(self, label: str, fields: Mapping[str, Any]) -> None:
        """Write a line of its own."""
        self._write(json.dumps({"label": label, **fields}, separators=(",", ":")) + "\n")

    def connection(self, number: int, fields: Mapping[str, Any]) -> None:
        """A connection begins."""
        for direction in Direction:
            self._coverage[number, direction] = Coverage()
        self.tell("connection", {"connection": number, **fields})

    def sent(self, packet: int, connection: int, direction: Direction, offset: int, mark: Mark) -> None:
        """The last octet of something was sent.

        Args:
            packet: The number of the packet with that octet.
            connection: The number of the connection.
            direction: Which way.
            offset: Where it begins in the stream.
            mark: What it is.
        """
        self._waiting.append((packet, connection, direction, offset, mark))

    def ended(self, packet: int, connection: int, direction: Direction, octets: int) -> None:
        """A stream is at its end, after so many octets."""
        self._waiting.append((packet, connection, direction, octets, None))

    def captured(self, packet: Packet, octets: int) -> None:
        """So many octets of the payload of a packet are in the capture."""
        if packet.is_syn:
            self._coverage[packet.connection, packet.direction].syn = True
        elif octets and not packet.is_contrary:
            coverage, start = self._coverage[packet.connection, packet.direction], packet.offset
            coverage.add(start, start + octets)
            if packet.altered is not None and packet.altered < octets:
                coverage.alter(start + packet.altered)

    def settle(self, packet: int) -> None:
        """Write what is certain when a packet with that number is captured."""
        waiting, settled = self._waiting, packet - self._horizon
        while waiting and waiting[0][0] <= settled:
            self._settle(*waiting.popleft())

    def settle_all(self) -> None:
        """No other packet comes."""
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
        if kind is SaidKind.FRAME:
            self.frames += 1
            self.intact += intact
            place = f'"type":{frame_type},"channel":{channel},'
        else:
            place = ""
        # What json.dumps would write; it would take most of the time there is.
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
