"""A delivery of AMQP 1.0: its transfers joined, and how it was settled; a row of the table ``messages``."""

from __future__ import annotations

from typing import Any

from ..bodies import Bodies
from ..event import Event
from ..variant_value import variant_value
from .content1 import Content1
from .links1 import Link
from .sink import MessageRow
from .states1 import NONE, read_state

TRANSFER = "transfer"
ABORTED = "aborted"  # what is in ``state`` instead of an outcome

_STRING = 1  # the two lowest bits of the header octet of a short string (VARIANT)
_NOTHING: tuple[Any, ...] = (None,) * 26  # a row of ``MessageColumns`` without anything
_WIRE = ("wire", False, None, None, None, None, None, None)


class Delivery:
    """A delivery.

    Attributes:
        place: Of its first transfer: connection, frame number, direction, channel, offset and time.
        transfer: Its row.
        link: The link that it goes over.
        delivery_id: Its number in the session.
        content: The message.
        settled: Whether the sender has settled it by sending it.
        transfers: How many there were so far.
        last_ns: When the last one was captured.
        is_damaged: Whether a transfer may have been missed.
        is_open: Whether more transfers may come.
        is_awaited: Whether it may still be settled.
        state: The name of the last delivery state that was told.
        settle: What it meant.
        settle_ns: When it was told.
    """

    __slots__ = (
        "content",
        "delivery_id",
        "is_awaited",
        "is_damaged",
        "is_open",
        "last_ns",
        "link",
        "place",
        "settle",
        "settle_ns",
        "settled",
        "state",
        "transfer",
        "transfers",
    )

    def __init__(self, event: Event, link: Link) -> None:
        """The first transfer is there; ``add`` takes it."""
        connection, frame_no, direction, channel, _, (_, transfer, _), _, offset, ns = event
        self.place = connection, frame_no, direction, channel, offset, ns
        self.transfer: tuple[Any, ...] = transfer
        self.link = link
        self.delivery_id: int | None = transfer[1]
        self.content = Content1()
        self.settled = False
        self.transfers = 0
        self.last_ns = ns
        self.is_damaged = False
        self.is_open = True
        self.is_awaited = False
        self.state: str | None = None
        self.settle = NONE
        self.settle_ns: int | None = None

    def add(self, event: Event, bodies: Bodies) -> None:
        """Take a transfer; whether it is the last one, the caller sees to."""
        _, row, payload = event[5]
        self.transfers += 1
        self.last_ns = event[8]
        if row[4]:
            self.settled = True
        if row[7] is not None:
            self.state = read_state(row[7])[0]
        # A transfer that is aborted has nothing of the message.
        if row[9]:
            self.state = ABORTED
        elif self.transfer[3]:
            self.content.feed_opaque(payload, bodies)
        else:
            self.content.feed(payload, row[5], bodies)

    def end(self, complete: bool, bodies: Bodies) -> None:
        """No more transfers come.

        Args:
            complete: Whether the last one was there.
            bodies: What is kept of the body.
        """
        self.is_open = False
        self.content.end(complete and not self.is_damaged and self.state != ABORTED, bodies)

    def tell(self, state: tuple[bytes, bytes] | None, ns: int, settled: bool) -> None:
        """One of the ends tells the state, in a disposition.

        Args:
            state: The state, if there is one.
            ns: When it was captured.
            settled: Whether that end has settled the delivery.
        """
        name, meaning = (None, None) if state is None else read_state(state)
        if name is not None:
            self.state = name
        if meaning is not None and meaning != self.settle:  # when it was told first
            self.settle, self.settle_ns = meaning, ns
        elif settled and self.settle_ns is None:
            self.settle_ns = ns

    def row(self) -> MessageRow:
        """The row, in the order of ``MESSAGES``."""
        connection, frame_no, direction, channel, offset, ns = self.place
        content, link, transfer = self.content, self.link, self.transfer
        (durable, priority, ttl, first_acquirer, delivery_count, delivery_annotations, message_annotations,
         message_id, user_id, to, subject, reply_to, correlation_id, content_type, content_encoding,
         absolute_expiry_time, creation_time, group_id, group_sequence, reply_to_group_id, misfits, headers,
         _, _, _, _) = content.head or _NOTHING  # fmt: skip
        complete = content.is_complete
        return (
            connection, direction, frame_no, offset, channel, TRANSFER,
            None, None, None, None, None, None, self.settled, None, None, None, None, None,
            content_type, content_encoding, headers, None, priority,
            correlation_id and _text(correlation_id), reply_to and _text(reply_to), None,
            message_id and _text(message_id), creation_time, None,
            None if user_id is None else user_id.decode("utf-8", "backslashreplace"), None, None, None,
            link.name, transfer[0], link.address, self.delivery_id, transfer[2], transfer[3],
            durable, ttl, first_acquirer, delivery_count, to and _text(to), subject,
            absolute_expiry_time, group_id, group_sequence, reply_to_group_id, message_id, correlation_id,
            delivery_annotations, message_annotations, content.footer, self.state, misfits,
            content.kind, content.size if complete else None, content.size, self.transfers, *content.kept,
            ns, self.last_ns, ns // 1000,
            self.settle, self.settle_ns, None, None, complete,
            *_WIRE,
        )  # fmt: skip


def _text(variant: tuple[bytes, bytes]) -> str | None:
    """An address, or the id of a message, as text; None for octets, which the other column has."""
    octets = variant[0]
    if octets[0] & 3 == _STRING:
        return octets[1:].decode()
    value: Any = variant_value(variant)
    if isinstance(value, dict):  # a UUID
        value = next(iter(value.values()), None)
    return None if value is None or isinstance(value, (bytes, list, dict)) else str(value)
