"""A message of 0-x: a method and its content, and what became of it; a row of the table ``messages``."""

from __future__ import annotations

from typing import Any

from ...decode.events import Event
from ..sink import MessageRow

PUBLISH, DELIVER, GET_OK, RETURN = "publish", "deliver", "get-ok", "return"
WIRE = "wire"  # the source: its own frames were captured
NONE = "none"

# Columns that are empty: other_properties and all that only 1.0 has, but misfits.
_EMPTY: tuple[Any, ...] = (None,) * 23
_NO_PROPERTIES: tuple[Any, ...] = (None,) * 14
# After ``complete`` and what comes with it: lossy_types, then what only traced messages have.
_NOT_TRACED: tuple[Any, ...] = (WIRE, False, None, None, None, None, None, None)


class MessageRecord:
    """A message.

    Attributes:
        event: That of the method.
        kind: ``PUBLISH``, ``DELIVER``, ``GET_OK`` or ``RETURN``.
        queue: From which queue it comes, if that is known.
        no_ack: Whether it was sent to be acknowledged; None if that is not known.
        size: How long the body is: None before the content header, -1 if that cannot be read.
        header: The row of the content header.
        seen: How many octets of the body there are so far.
        frames: In how many frames.
        last_ns: When the last frame was captured.
        pieces: The octets of the body so far, if they are wanted.
        kept: What is kept of the body in the end, digest and beginning.
        is_open: Whether more of its content may come.
        is_awaited: Whether it may still be settled or confirmed.
        settle: How it was settled: ack, nack, reject or none; None if that cannot be.
        settle_ns: When.
        confirm: How it was confirmed: ack, nack or none; None if it is not known that it will be.
        confirm_ns: When.
    """

    __slots__ = (
        "confirm",
        "confirm_ns",
        "event",
        "frames",
        "header",
        "is_awaited",
        "is_open",
        "kept",
        "kind",
        "last_ns",
        "no_ack",
        "pieces",
        "queue",
        "seen",
        "settle",
        "settle_ns",
        "size",
    )

    def __init__(self, event: Event, kind: str) -> None:
        """A message of which the method is there."""
        self.event = event
        self.kind = kind
        self.queue: str | None = None
        self.no_ack: bool | None = None
        self.size: int | None = None
        self.header: tuple[Any, ...] | None = None
        self.seen = self.frames = 0
        self.last_ns = event[8]
        self.pieces: list[bytes] | None = None
        self.kept: tuple[bytes | None, bytes | None] = (None, None)
        self.is_open = True
        self.is_awaited = False
        self.settle: str | None = None
        self.settle_ns: int | None = None
        self.confirm: str | None = None
        self.confirm_ns: int | None = None

    @property
    def is_complete(self) -> bool:
        """Whether all of the content is there."""
        return self.seen == self.size

    def row(self) -> MessageRow:
        """The row, in the order of ``MESSAGES``."""
        connection, frame_no, direction, channel, _, _, _, offset, ns = self.event
        header = self.header
        if header is None:
            properties, misfits = _NO_PROPERTIES, None
        else:
            properties, misfits = header[2:16], header[16]
        size = self.size
        return (
            connection, direction, frame_no, offset, channel, self.kind,
            *self._arguments(),
            *properties,
            *_EMPTY,
            misfits, None, None if size == -1 else size, self.seen, self.frames, *self.kept,
            ns, self.last_ns, ns // 1000,
            self.settle, self.settle_ns, self.confirm, self.confirm_ns, self.seen == size,
            *_NOT_TRACED,
        )  # fmt: skip

    def _arguments(self) -> tuple[Any, ...]:
        """From ``exchange`` to ``message_count``. In every version these arguments are the last ones."""
        method, kind = self.event[5], self.kind
        if method is None:
            return (None, None, self.queue, None, None, None, self.no_ack, None, None, None, None, None)
        if kind == PUBLISH:
            exchange, key, mandatory, immediate, _ = method[-5:]
            return (exchange, key, None, mandatory, immediate, None, None, None, None, None, None, None)
        if kind == DELIVER:
            consumer, tag, again, exchange, key, _ = method
            return (
                exchange,
                key,
                self.queue,
                None,
                None,
                again,
                self.no_ack,
                consumer,
                tag,
                None,
                None,
                None,
            )
        if kind == GET_OK:
            tag, again, exchange, key, count, _ = method
            return (exchange, key, self.queue, None, None, again, self.no_ack, None, tag, None, None, count)
        code, text, exchange, key, _ = method
        return (exchange, key, None, None, None, None, None, None, None, code, text, None)
