"""The content of messages on a 0-x channel: a content header after the method, then bodies.

Both sides may send at the same time. A side sends no other method between the frames of a content.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...decode.body_retention import MOST_KEPT, BodyRetention
from ...decode.events import Event
from .message import BASIC, MessageRecord

_UNREADABLE = -1


class ContentAssembly:
    """The content under way, by direction.

    Attributes:
        open: By direction, the message whose content is under way; None without a message.
    """

    __slots__ = ("_bodies", "_over", "open")

    def __init__(self, bodies: BodyRetention, over: Callable[[MessageRecord], None]) -> None:
        """Begin without content.

        Args:
            bodies: What is kept of bodies.
            over: Called with each message whose content has ended.
        """
        self._bodies = bodies
        self._over = over
        self.open: list[MessageRecord | None] = [None, None]

    def header(self, event: Event) -> None:
        """Take a content header. It is ignored if its method was not captured."""
        message = self.open[event.direction]
        if message is None:
            return
        if message.size is not None:
            self.end(event.direction)
            return
        row = event.row
        message.last_ns = event.ns
        size = _UNREADABLE
        if row is not None:
            if row[0] == BASIC:
                message.header = row
            if row[1] is not None:
                size = row[1]
        message.size = size
        if not size:
            self.end(event.direction)

    def body(self, event: Event) -> None:
        """Take a body frame. It is ignored if its content header was not captured."""
        _, _, direction, _, _, octets, size, _, ns = event
        message = self.open[direction]
        if message is None or message.size is None:
            return
        if octets is not None and message.seen <= MOST_KEPT:
            if message.pieces is None:
                message.pieces = []
            message.pieces.append(octets)
        message.frames += 1
        message.last_ns = ns
        message.seen = seen = message.seen + size
        if seen >= message.size >= 0:
            self.end(direction)

    def whole(self, direction: int, header: tuple[Any, ...], bodies: int, last_ns: int) -> None:
        """Take the whole content at once, just after its method.

        Args:
            direction: The direction of the message.
            header: The row of the content header.
            bodies: The number of body frames.
            last_ns: When the last frame was captured.
        """
        message = self.open[direction]
        assert message is not None
        if header[0] == BASIC:
            message.header = header
        message.size = message.seen = header[1]
        message.frames, message.last_ns = bodies, last_ns
        self.end(direction)

    def end(self, direction: int) -> None:
        """End the content of the message of this direction."""
        message = self.open[direction]
        if message is None:
            return
        self.open[direction] = None
        if message.pieces is not None or message.size == 0:
            message.kept = self._bodies.keep(message.pieces or (), message.seen, message.is_complete)
            message.pieces = None
        message.is_open = False
        self._over(message)
