"""Rules about deliveries of AMQP 1.0: transfers and settlement (section 2.6.12)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from ...capture.quarantine import Reason
from ...capture.stream_data import SIDES
from ...dialogue.amqp1.deliveries import Deliveries
from ...dialogue.amqp1.link import SENDER, Link, LinkDelivery
from ...dialogue.amqp1.performatives import DispositionFields, TransferFields, from_fields
from ...dialogue.amqp1.session import Session
from ...dialogue.amqp1.window import ahead
from ...variant_values import variant_value
from ..amqp0.arguments import our_limit
from ..connection_frames import CLIENT, AuditFrame
from ..rule import ERROR, INFO, WARNING, AuditRule, Told
from .link import credit_exceeded, quoted
from .setting import AuditSetting

_UNSETTLED, _SETTLED = 0, 1  # snd-settle-mode
_MOST_TAG_OCTETS = 32
# The sections of messages up to this size are always decoded.
_MOST_DECODED_OCTETS = 1 << 16

_deliveries = partial(AuditRule, category="1.0")


@_deliveries(
    "delivery-id-missing", ERROR, source="transfer.delivery-id", example="transfer with a delivery-tag alone"
)
def delivery_id_missing(frame: AuditFrame, transfer: TransferFields, link: Link[AuditFrame]) -> Told:
    """The first transfer of a delivery without delivery-id."""
    if transfer.delivery_id is not None:
        return None
    return f"the first transfer of a delivery on link {quoted(link.name)}"


@_deliveries("delivery-id-not-next", WARNING, source="transfer.delivery-id", example="delivery-ids 0 and 5")
def delivery_id_not_next(frame: AuditFrame, number: int, last: int | None) -> Told:
    """A delivery-id that does not follow the last one of the session and direction, as brokers expect."""
    return f"delivery-id {number} after {last}"


@_deliveries(
    "delivery-id-changed",
    ERROR,
    source="transfer.delivery-id, transfer.delivery-tag",
    example="transfer with more=true of delivery 0, then transfer of delivery 3",
)
def delivery_id_changed(
    frame: AuditFrame, transfer: TransferFields, delivery: LinkDelivery[AuditFrame]
) -> Told:
    """A different delivery-id or delivery-tag before the current delivery is complete."""
    if delivery.has_other_id(transfer):
        change = f"delivery-id {transfer.delivery_id}"
    elif delivery.has_other_tag(transfer):
        change = "another delivery-tag"
    else:
        return None
    return f"a transfer with {change} before delivery {delivery.delivery_id} is complete"


@_deliveries(
    "delivery-tag-missing", ERROR, source="transfer.delivery-tag", example="transfer with a delivery-id alone"
)
def delivery_tag_missing(frame: AuditFrame, transfer: TransferFields) -> Told:
    """The first transfer of a delivery without delivery-tag."""
    if transfer.delivery_tag is not None:
        return None
    return f"the first transfer of delivery {transfer.delivery_id}"


@_deliveries(
    "delivery-tag-too-long", ERROR, source="type delivery-tag", example="a delivery-tag of 33 octets"
)
def delivery_tag_too_long(frame: AuditFrame, transfer: TransferFields) -> Told:
    """A delivery-tag of more than 32 octets."""
    size = len(transfer.delivery_tag or b"")
    return f"a delivery-tag of {size} octets" if size > _MOST_TAG_OCTETS else None


@_deliveries(
    "delivery-not-finished",
    WARNING,
    source="transfer.more, transfer.aborted",
    example="transfer with more=true, then detach",
)
def delivery_not_finished(frame: AuditFrame, delivery: LinkDelivery[AuditFrame]) -> Told:
    """A link or session that its sender ends in the middle of a delivery instead of aborting the delivery."""
    return (
        f"{frame.name} of the {SIDES[frame.direction]} while more transfers of delivery"
        f" {delivery.delivery_id} are to come"
    )


@_deliveries(
    "settle-mode-broken",
    ERROR,
    source="attach.snd-settle-mode",
    example="settled=true on a link with snd-settle-mode unsettled",
)
def settle_mode_broken(frame: AuditFrame, link: Link[AuditFrame], is_settled: bool) -> Told:
    """A delivery whose settlement contradicts the snd-settle-mode of the link."""
    if is_settled and link.settle_mode == _UNSETTLED:
        return "a settled transfer, snd-settle-mode is unsettled"
    if not is_settled and link.settle_mode == _SETTLED:
        return "a delivery that is not settled, snd-settle-mode is settled"
    return None


@_deliveries(
    "settled-withdrawn",
    WARNING,
    source="transfer.settled",
    example="two transfers of delivery 0, the first one is settled",
)
def settled_withdrawn(
    frame: AuditFrame, transfer: TransferFields, delivery: LinkDelivery[AuditFrame]
) -> Told:
    """A transfer with settled=false after one with settled=true in the same delivery."""
    if transfer.settled is not False or not delivery.is_settled:
        return None
    return "settled=false after settled=true in one delivery"


@_deliveries(
    "message-too-large",
    ERROR,
    source="attach.max-message-size",
    example="a message of 2,000 octets, max-message-size is 1,000",
)
def message_too_large(frame: AuditFrame, delivery: LinkDelivery[AuditFrame], before: int) -> Told:
    """A message larger than the other side accepts on this link."""
    limit = delivery.link.max_message_size
    if not limit or not before <= limit < delivery.size:
        return None
    return f"a message of {delivery.size:,} octets or more, max-message-size is {limit:,}"


@_deliveries("sections-out-of-order", ERROR, source="1.0 3.2", example="properties after data")
def sections_out_of_order(frame: AuditFrame, size: int) -> Told:
    """A message whose sections are out of order, repeated, truncated or unreadable."""
    if size > _MOST_DECODED_OCTETS:
        return None
    return f"a message of {size:,} octets whose sections cannot be read to their end"


@_deliveries("body-missing", ERROR, source="1.0 3.2", example="properties alone")
def body_missing(frame: AuditFrame, message: Mapping[str, Any], size: int) -> Told:
    """A message without a body."""
    return f"a message of {size:,} octets without a body" if message["body_kind"] is None else None


@_deliveries("message-not-durable", INFO, source="header.durable", example="a message without a header")
def message_not_durable(frame: AuditFrame, message: Mapping[str, Any]) -> Told:
    """Messages that a client sends without durability: a broker may lose them when it stops."""
    return None if message["durable"] else "header without durable=true"


@_deliveries("message-expires", INFO, source="header.ttl", example="a message with ttl 60,000")
def message_expires(frame: AuditFrame, message: Mapping[str, Any]) -> Told:
    """Messages that a client sends with a time to live: a broker drops or dead-letters them later."""
    return None if message["ttl"] is None else f"ttl {message['ttl']:,} ms"


@_deliveries("disposition-range", ERROR, source="disposition.last", example="disposition of 5 to 2")
def disposition_range(frame: AuditFrame, first: int, last: int) -> Told:
    """A disposition whose last delivery-id is before the first."""
    return f"a disposition of {first} to {last}"


@_deliveries(
    "disposition-unknown",
    ERROR,
    source="disposition.first",
    example="disposition of 999 after 10 deliveries",
    by_order=True,
)
def disposition_unknown(frame: AuditFrame, disposition: DispositionFields) -> Told:
    """A disposition of deliveries that were never sent."""
    return _described(frame, disposition)


@_deliveries(
    "disposition-wrong-role",
    ERROR,
    source="disposition.role",
    example="role=receiver for a delivery that this side has sent",
    by_order=True,
)
def disposition_wrong_role(frame: AuditFrame, disposition: DispositionFields) -> Told:
    """A disposition with the wrong role: the deliveries went in the other direction."""
    return _described(frame, disposition)


@_deliveries(
    "settled-twice",
    WARNING,
    source="disposition.settled",
    example="two dispositions of delivery 0 with settled=true",
)
def settled_twice(frame: AuditFrame, disposition: DispositionFields) -> Told:
    """A disposition without effect: the same side has already settled the deliveries."""
    return f"{_described(frame, disposition)}, which it has settled already"


def _described(frame: AuditFrame, disposition: DispositionFields) -> str:
    first, role = disposition.first, "receiver" if disposition.role else "sender"
    last = first if disposition.last is None else disposition.last
    return f"a disposition of the {SIDES[frame.direction]} as {role} of {first} to {last}"


class DeliveryChecks:
    """Judges transfers and dispositions."""

    def __init__(self, setting: AuditSetting) -> None:
        self._setting = setting

    def abandon(self, link: Link[AuditFrame], frame: AuditFrame) -> None:
        """Note a delivery that is not complete when its sender detaches the link or ends the session."""
        if link.delivery is not None:
            self._setting.notes.judge(delivery_not_finished, frame, link.delivery)
            link.delivery = None

    def transfer(
        self,
        deliveries: Deliveries[AuditFrame],
        link: Link[AuditFrame],
        frame: AuditFrame,
        transfer: TransferFields,
        size: int | None,
    ) -> None:
        """Take a transfer from the sender of a link.

        ``deliveries`` are those of its session and direction, ``size`` is the number of octets of its payload.
        """
        judge, delivery = self._setting.notes.judge, link.delivery
        if delivery is None or self._is_another(frame, transfer, delivery):
            judge(delivery_id_missing, frame, transfer, link)
            judge(delivery_tag_missing, frame, transfer)
            judge(delivery_tag_too_long, frame, transfer)
            judge(credit_exceeded, frame, link)
            delivery = link.begin_delivery(transfer, frame)
        if transfer.settled:
            judge(settle_mode_broken, frame, link, True)
        judge(settled_withdrawn, frame, transfer, delivery)
        before = delivery.size
        delivery.add(transfer, size or 0)
        judge(message_too_large, frame, delivery, before)
        if transfer.aborted or not transfer.more:
            link.delivery = None
            if not transfer.aborted:
                self._check_whole(frame, delivery)
        if delivery.first is frame:
            self._count(deliveries, frame, delivery)

    def _is_another(
        self, frame: AuditFrame, transfer: TransferFields, delivery: LinkDelivery[AuditFrame]
    ) -> bool:
        """Check what must not change within a delivery. Return whether the transfer begins another one."""
        self._setting.notes.judge(delivery_id_changed, frame, transfer, delivery)
        return delivery.has_other_id(transfer) and delivery.has_other_tag(transfer)

    def _check_whole(self, frame: AuditFrame, delivery: LinkDelivery[AuditFrame]) -> None:
        """Check a complete delivery."""
        judge, first = self._setting.notes.judge, delivery.first
        if not delivery.is_settled:
            judge(settle_mode_broken, frame, delivery.link, False)
        message = first.message
        if message is None or delivery.message_format or message["body_frames"] != delivery.transfers:
            return
        if not message["complete"]:
            misfits = message["misfits"]
            if misfits is not None and Reason.OUR_LIMIT.value in variant_value(misfits):
                judge(our_limit, first, f"a message of {delivery.size:,} octets")
            else:
                judge(sections_out_of_order, first, delivery.size)
            return
        judge(body_missing, first, message, delivery.size)
        if frame.direction == CLIENT:
            judge(message_not_durable, first, message)
            judge(message_expires, first, message)

    def _count(
        self, deliveries: Deliveries[AuditFrame], frame: AuditFrame, delivery: LinkDelivery[AuditFrame]
    ) -> None:
        number = delivery.number
        if number is not None and not deliveries.is_next(number):
            self._setting.notes.judge(delivery_id_not_next, frame, number, deliveries.last)
        deliveries.add(delivery)
        if delivery.is_settled and delivery.number is not None:
            deliveries.settle(delivery.number, delivery.number, SENDER)

    def disposition(self, session: Session[AuditFrame], frame: AuditFrame, fields: Mapping[str, Any]) -> None:
        """Take a disposition."""
        judge, disposition = self._setting.notes.judge, from_fields(DispositionFields, fields)
        first, role = disposition.first, disposition.role
        last = first if disposition.last is None else disposition.last
        if ahead(last, first) < 0:
            judge(disposition_range, frame, first, last)
            return
        sender = 1 - frame.direction if role else frame.direction
        deliveries = session.deliveries[sender]
        if not deliveries.has(first, last):
            is_other = session.deliveries[1 - sender].has(first, last)
            judge(disposition_wrong_role if is_other else disposition_unknown, frame, disposition)
        elif disposition.settled and not deliveries.settle(first, last, role):
            judge(settled_twice, frame, disposition)
