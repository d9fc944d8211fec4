"""An AMQP 1.0 message: the joined transfers of a delivery, and its outcome. A row of the table ``messages``."""

from __future__ import annotations

from functools import lru_cache
from operator import attrgetter, itemgetter
from typing import Any, ClassVar

from ...decode.body_retention import BodyRetention
from ...decode.events import Event
from ...dialogue.amqp1.link import LinkDelivery
from ...dialogue.amqp1.number_ranges import Told
from ...dialogue.amqp1.performatives import TransferFields, Variant
from ...recipes import MESSAGES1, NOTHING, own, own_names, section, text
from ...rows import decode_text, recipe_maker
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

# What a row is made from: the place of the message; the digest and the beginning of the body; None; attributes of its
# delivery and of the message, as the recipe names them; the sections before the body; and some of these as text.
_PLACE = ("connection", "frame_no", "direction", "channel", "offset", "ns")
_OF_DELIVERY = (
    *("link.name", "link.address", "delivery_id", "tag", "message_format", "transfers", "is_settled"),
)
_GIVEN = (*_PLACE, "sha256", "beginning", NOTHING.name, *_OF_DELIVERY)
_ATTRIBUTES = own_names(MESSAGES1, _GIVEN)
_read_attributes, _read_delivery = attrgetter(*_ATTRIBUTES), attrgetter(*_OF_DELIVERY)
_NO_SECTIONS: tuple[Any, ...] = (None,) * len(MessageSections._fields)
_MISFITS = MessageSections._fields.index("misfits")
SECTION_PLACES = {
    source(name): place for place, name in enumerate(MessageSections._fields) for source in (section, text)
}
_TEXTS = [column.source for column in MESSAGES1 if column.source.origin == "text"]
_read_texts = itemgetter(*(SECTION_PLACES[source] for source in _TEXTS))
_VALUES = (*map(own, (*_GIVEN, *_ATTRIBUTES)), *map(section, MessageSections._fields), *_TEXTS)
_make_row = recipe_maker(MESSAGES1, {source: place for place, source in enumerate(_VALUES)})


class MessageRecord:
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

    kind: ClassVar[str] = TRANSFER
    source: ClassVar[str] = WIRE
    lossy_types: ClassVar[bool] = False

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

    @property
    def microseconds(self) -> int:
        """When its first transfer was captured, in microseconds."""
        return self.place[-1] // 1000

    @property
    def body_size(self) -> int | None:
        """Octets of the body, if all of it was captured."""
        return self.content.size if self.content.is_complete else None

    @property
    def misfits(self) -> Variant | None:
        """What of the sections does not fit its column, a VARIANT."""
        content = self.content
        misfits: Variant | None = (content.head or _NO_SECTIONS)[_MISFITS]
        return _BEYOND_LIMIT if content.is_beyond_limit else misfits

    def row(self, delivery: LinkDelivery[MessageRecord]) -> MessageRow:
        """Return the row, in the order of ``MESSAGES``. ``delivery`` is that of the message."""
        head = self.content.head or _NO_SECTIONS
        texts = [None if value is None else variant_text(value) for value in _read_texts(head)]
        return _make_row((
            *self.place, *self.content.kept, None, *_read_delivery(delivery), *_read_attributes(self), *head, *texts,
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


def variant_text(variant: Variant | bytes) -> str | None:
    """Return octets, an address or a message id as text; None for an id that is binary, which has a column of its own."""
    if isinstance(variant, bytes):
        return decode_text(variant)
    octets = variant[0]
    if octets[0] & 3 == _STRING:
        return octets[1:].decode()
    value: Any = variant_value(variant)
    if isinstance(value, dict):  # a UUID
        value = next(iter(value.values()), None)
    return None if value is None or isinstance(value, (bytes, list, dict)) else str(value)
