"""An AMQP 1.0 message: the joined transfers of a delivery, and its outcome. A row of the table ``messages``."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ...decode.body_retention import BodyRetention
from ...decode.events import Event
from ...dialogue.amqp1.link import LinkDelivery
from ...dialogue.amqp1.number_ranges import Told
from ...dialogue.amqp1.performatives import TransferFields, Variant
from ...rows import decode_text, row_maker
from ...schemas import MESSAGES
from ...variant_values import variant_value
from ..amqp0.message import ACK, NACK, NONE, REJECT, WIRE
from ..output import NOT_FOLLOWED, MessageRow
from .content import DeliveryContent, MessageSections

TRANSFER = "transfer"
ABORTED = "aborted"  # in ``state`` instead of an outcome
# What outcomes mean for the column ``settle``. A state that is not an outcome does not change it.
_MEANINGS = {"accepted": ACK, "declared": ACK, "rejected": REJECT, "released": NACK, "modified": NACK}
_STRING = 1  # the two lowest bits of the header octet of a short string (VARIANT)
# The VARIANT ``{"our-limit": true}``, in the column ``misfits``.
_BEYOND_LIMIT = b"\x02\x01\x00\x00\x01\x04", b"\x11\x01\x00\x09our-limit"
_NO_SECTIONS = (None,) * len(MessageSections._fields)
_row = row_maker(
    MESSAGES,
    *(
        "conn_id",
        "dir",
        "frame_no",
        "stream_off",
        "channel",
        "kind",
        "no_ack",
        "content_type",
        "content_encoding",
    ),
    *("headers", "priority", "correlation_id", "reply_to", "message_id", "timestamp", "user_id"),
    *("link_name", "handle", "address", "delivery_id", "delivery_tag_bytes", "message_format"),
    *("durable", "ttl", "first_acquirer", "delivery_count", "to", "subject"),
    *("absolute_expiry_time", "group_id", "group_sequence", "reply_to_group_id", "message_id_value"),
    *("correlation_id_value", "delivery_annotations", "message_annotations", "footer", "state", "misfits"),
    *("body_kind", "body_size", "body_seen", "body_frames", "body_sha256", "body_head"),
    *("first_ns", "last_ns", "first_ts", "settle", "settle_ns", "complete", "source", "lossy_types"),
)


class Message1:
    """A message.

    Attributes:
        place: Connection, frame number, direction, channel, offset and time of its first transfer.
        handle: The handle in its first transfer.
        content: What the transfers carry.
        last_ns: When the last transfer was captured.
        is_open: True if more transfers may come.
        is_awaited: True if it may still be settled.
        state: The name of the last delivery state.
        settle: ``ACK``, ``NACK``, ``REJECT``, ``NONE`` or ``NOT_FOLLOWED``.
        settle_ns: When it was settled.
    """

    __slots__ = (
        "content",
        "handle",
        "is_awaited",
        "is_open",
        "last_ns",
        "place",
        "settle",
        "settle_ns",
        "state",
    )

    def __init__(self, event: Event, handle: int) -> None:
        connection, frame_no, direction, channel, _, _, _, offset, ns = event
        self.place = connection, frame_no, direction, channel, offset, ns
        self.handle = handle
        self.content = DeliveryContent()
        self.last_ns = ns
        self.is_open = True
        self.is_awaited = False
        self.state: str | None = None
        self.settle = NONE
        self.settle_ns: int | None = None

    def add(
        self,
        transfer: TransferFields,
        payload: bytes,
        ns: int,
        message_format: int | None,
        bodies: BodyRetention,
    ) -> None:
        """Add a transfer, including the first one. After the last one the caller calls ``end``.

        Args:
            transfer: The performative.
            payload: The octets after it.
            ns: When it was captured.
            message_format: As in the first transfer of the delivery.
            bodies: What is kept of the body.
        """
        self.last_ns = ns
        if transfer.state is not None:
            self.state = read_state(transfer.state)[0]
        # An aborted transfer carries nothing of the message.
        if transfer.aborted:
            self.state = ABORTED
        elif message_format:
            self.content.feed_opaque(payload, bodies)
        else:
            self.content.feed(payload, bool(transfer.more), bodies)

    def end(self, complete: bool, bodies: BodyRetention, is_secret: bool) -> None:
        """End the message.

        Args:
            complete: The last transfer was captured, and none may be missing.
            bodies: What is kept of the body.
            is_secret: By its link, the body is.
        """
        self.is_open = False
        self.content.end(complete and self.state != ABORTED, bodies, is_secret)

    def tell(self, told: Told) -> None:
        """Take what dispositions tell."""
        if told.state is not None:
            self.state = told.state
        # The first disposition with this outcome counts.
        if told.outcome is not None and (told.outcome != self.settle or told.had_other):
            self.settle, self.settle_ns = told.outcome, told.since

    def follow_no_longer(self) -> None:
        """Note that it is not known how it is settled."""
        if self.settle == NONE:
            self.settle = NOT_FOLLOWED

    def row(self, delivery: LinkDelivery[Message1]) -> MessageRow:
        """Return the row, in the order of ``MESSAGES``. ``delivery`` is that of the message."""
        connection, frame_no, direction, channel, offset, ns = self.place
        content, link = self.content, delivery.link
        (durable, priority, ttl, first_acquirer, delivery_count, delivery_annotations, message_annotations,
         message_id, user_id, to, subject, reply_to, correlation_id, content_type, content_encoding,
         absolute_expiry_time, creation_time, group_id, group_sequence, reply_to_group_id, misfits, headers,
         _, _, _, _) = content.head or _NO_SECTIONS  # fmt: skip
        complete = content.is_complete
        if content.is_beyond_limit:
            misfits = _BEYOND_LIMIT
        sha256, body_head = content.kept
        # In the order of ``_row``; one plain tuple, as this runs for every message.
        return _row((
            connection, direction, frame_no, offset, channel, TRANSFER, delivery.is_settled,
            content_type, content_encoding, headers, priority,
            correlation_id and variant_text(correlation_id), reply_to and variant_text(reply_to),
            message_id and variant_text(message_id), creation_time, None if user_id is None else decode_text(user_id),
            link.name, self.handle, link.address, delivery.delivery_id, delivery.tag, delivery.message_format,
            durable, ttl, first_acquirer, delivery_count, to and variant_text(to), subject,
            absolute_expiry_time, group_id, group_sequence, reply_to_group_id, message_id,
            correlation_id, delivery_annotations, message_annotations, content.footer, self.state, misfits,
            content.kind, content.size if complete else None, content.size, delivery.transfers, sha256, body_head,
            ns, self.last_ns, ns // 1000, self.settle, self.settle_ns, complete, WIRE, False,
        ))  # fmt: skip


@lru_cache(maxsize=1024)
def read_state(variant: Variant) -> tuple[str | None, str | None]:
    """Return the name of a delivery state, and what it means for the message.

    An outcome in a transaction counts at once, whether the transaction commits or not.

    Returns:
        The name, for example ``accepted``; and ``ACK``, ``NACK``, ``REJECT``, or None for a state that is not an outcome.
    """
    state: Any = variant_value(variant)
    if not isinstance(state, dict):
        return None, None
    name = state.get("$type")
    outcome = state.get("outcome")
    outcome_name = outcome.get("$type") if isinstance(outcome, dict) else name
    return name, _MEANINGS.get(str(outcome_name))


def variant_text(variant: tuple[bytes, bytes]) -> str | None:
    """Return an address or a message id as text; None for binary, which has a column of its own."""
    octets = variant[0]
    if octets[0] & 3 == _STRING:
        return octets[1:].decode()
    value: Any = variant_value(variant)
    if isinstance(value, dict):  # a UUID
        value = next(iter(value.values()), None)
    return None if value is None or isinstance(value, (bytes, list, dict)) else str(value)
