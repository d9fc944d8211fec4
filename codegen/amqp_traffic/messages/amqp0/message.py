"""A 0-x message: its method and content, and how it was settled. A row of the table ``messages``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...decode.events import Event
from ...rows import row_maker
from ...schemas import MESSAGES
from ..output import NOT_FOLLOWED, MessageRow

PUBLISH, DELIVER, GET_OK, RETURN = "publish", "deliver", "get-ok", "return"
WIRE = "wire"  # the source: its own frames were captured
# The columns ``settle`` and ``confirm``.
ACK, NACK, REJECT, NONE = "ack", "nack", "reject", "none"

_PROPERTIES = (
    *(
        "content_type",
        "content_encoding",
        "headers",
        "delivery_mode",
        "priority",
        "correlation_id",
        "reply_to",
    ),
    *("expiration", "message_id", "timestamp", "type", "user_id", "app_id", "cluster_id"),
)
_COLUMNS = (
    *("conn_id", "dir", "frame_no", "stream_off", "channel", "kind", "queue_inferred", "no_ack"),
    *_PROPERTIES,
    *("misfits", "body_size", "body_seen", "body_frames", "body_sha256", "body_head", "first_ns", "last_ns"),
    *("first_ts", "settle", "settle_ns", "confirm", "confirm_ns", "complete", "source", "lossy_types"),
)
# Columns of arguments, in the order of the method's row. In every version they are its last columns before misfits.
_ARGUMENTS = {
    PUBLISH: ("exchange", "routing_key", "mandatory", "immediate"),
    DELIVER: ("consumer_tag", "delivery_tag", "redelivered", "exchange", "routing_key"),
    GET_OK: ("delivery_tag", "redelivered", "exchange", "routing_key", "message_count"),
    RETURN: ("reply_code", "reply_text", "exchange", "routing_key"),
}
# By kind: the function that makes rows, and the number of arguments.
_ROWS = {kind: (row_maker(MESSAGES, *_COLUMNS, *names), len(names)) for kind, names in _ARGUMENTS.items()}
# A row of HeaderColumns: class id, size of the body, the properties, misfits.
_NO_HEADER = (None,) * (2 + len(_PROPERTIES) + 1)


@dataclass(slots=True, eq=False)
class MessageRecord:
    """A message.

    Attributes:
        event: The event of the method.
        kind: ``PUBLISH``, ``DELIVER``, ``GET_OK`` or ``RETURN``.
        last_ns: When the last frame was captured; at first that of the method.
        queue: The queue that it comes from, if known.
        no_ack: True if it needs no acknowledgement; None if unknown.
        size: Octets of the body; None before the content header, -1 if that is unreadable.
        header: The row of the content header.
        seen: Octets of the body so far.
        frames: Body frames so far.
        pieces: The octets of the body so far, if they are wanted.
        kept: Digest and beginning of the body, see ``BodyRetention.keep``.
        is_open: True if more of its content may come.
        is_awaited: True if it may still be settled or confirmed.
        settle: ack, nack, reject, none or not-followed; None if it cannot be settled.
        settle_ns: When it was settled.
        confirm: ack, nack, none or not-followed; None if no confirm is expected.
        confirm_ns: When it was confirmed.
    """

    event: Event
    kind: str
    last_ns: int
    queue: str | None = None
    no_ack: bool | None = None
    size: int | None = None
    header: tuple[Any, ...] | None = None
    seen: int = 0
    frames: int = 0
    pieces: list[bytes] | None = None
    kept: tuple[bytes | None, bytes | None] = (None, None)
    is_open: bool = True
    is_awaited: bool = False
    settle: str | None = None
    settle_ns: int | None = None
    confirm: str | None = None
    confirm_ns: int | None = None

    def follow_no_longer(self) -> None:
        """Note that it is not known how it is settled or confirmed."""
        if self.settle == NONE:
            self.settle = NOT_FOLLOWED
        if self.confirm == NONE:
            self.confirm = NOT_FOLLOWED

    @property
    def is_complete(self) -> bool:
        """True if all of the content was captured."""
        return self.seen == self.size

    def row(self) -> MessageRow:
        """Return the row, in the order of ``MESSAGES``."""
        connection, frame_no, direction, channel, _, _, _, offset, ns = self.event
        make, arguments = _ROWS[self.kind]
        method = self.event.row
        _, _, *properties, misfits = self.header or _NO_HEADER
        size = self.size
        sha256, body_head = self.kept
        # In the order of ``_COLUMNS``, then the arguments; one plain tuple, as this runs for every message.
        return make((
            connection, direction, frame_no, offset, channel, self.kind, self.queue, self.no_ack, *properties, misfits,
            None if size == -1 else size, self.seen, self.frames, sha256, body_head, ns, self.last_ns, ns // 1000,
            self.settle, self.settle_ns, self.confirm, self.confirm_ns, self.seen == size, WIRE, False,
            *((None,) * arguments if method is None else method[-1 - arguments : -1]),
        ))  # fmt: skip
