"""Checks links of AMQP 1.0: credit, and the deliveries that go over them, transfer by transfer (part 2, section 2.6)."""

from __future__ import annotations

from ...dialogue.amqp1.link import Delivery, Link
from ...dialogue.amqp1.performatives import Attach, Transfer
from ..trail import CLIENT, TrailFrame
from .setting1 import SIDES, Setting1

_UNSETTLED, _SETTLED = 0, 1  # snd-settle-mode
_LONGEST_TAG = 32
# Messages up to this size are small enough for their sections to be looked at whatever they are.
_SMALL = 1 << 16


class LinkChecks:
    """Notes what is wrong on links, and moves them on."""

    __slots__ = ("_setting",)

    def __init__(self, setting: Setting1) -> None:
        self._setting = setting

    def attach(self, link: Link[TrailFrame], frame: TrailFrame, attach: Attach) -> None:
        """A side has attached a link."""
        if frame.direction == link.sender and attach.initial_delivery_count is None:
            text = f"attach of {attach.name[:80]!r} by its sender, without initial-delivery-count"
            self._setting.notes.add("delivery-count-missing", frame, text)

    def abandon(self, link: Link[TrailFrame], frame: TrailFrame) -> None:
        """The sender detaches a link or ends its session: is a delivery under way?"""
        if link.delivery is None:
            return
        text = (
            f"{frame.name} of the {SIDES[frame.direction]} while more transfers of delivery"
            f" {link.delivery.delivery_id} are to come"
        )
        self._setting.notes.add("delivery-not-finished", frame, text)
        link.delivery = None

    def transfer(
        self, link: Link[TrailFrame], frame: TrailFrame, transfer: Transfer, size: int
    ) -> Delivery[TrailFrame]:
        """The sender sends a transfer.

        Args:
            link: The link.
            frame: The frame.
            transfer: What it says.
            size: The octets that follow it.

        Returns:
            The delivery, which may be complete.
        """
        delivery = link.delivery
        if delivery is None or self._is_another(frame, transfer, delivery):
            self._check_first(link, frame, transfer)
            delivery = link.begin_delivery(transfer, frame)
        self._check_settlement(link, frame, transfer, delivery)
        before, limit = delivery.size, link.max_message_size
        delivery.add(transfer, size)
        if limit and before <= limit < delivery.size:
            text = f"a message of {delivery.size:,} octets or more, max-message-size is {limit:,}"
            self._setting.notes.add("message-too-large", frame, text)
        if transfer.aborted or not transfer.more:
            link.delivery = None
            if not transfer.aborted:
                self._check_whole(link, frame, delivery)
        return delivery

    def _is_another(self, frame: TrailFrame, transfer: Transfer, delivery: Delivery[TrailFrame]) -> bool:
        """Check what must not change within a delivery. Return whether another one begins."""
        has_other_id, has_other_tag = delivery.has_other_id(transfer), delivery.has_other_tag(transfer)
        if has_other_id or has_other_tag:
            change = f"delivery-id {transfer.delivery_id}" if has_other_id else "another delivery-tag"
            text = f"a transfer with {change} before delivery {delivery.delivery_id} is complete"
            self._setting.notes.add("delivery-id-changed", frame, text)
        return has_other_id and has_other_tag

    def _check_first(self, link: Link[TrailFrame], frame: TrailFrame, transfer: Transfer) -> None:
        note, name = self._setting.notes.add, (link.name or "")[:80]
        number, tag = transfer.delivery_id, transfer.delivery_tag
        if number is None:
            note("delivery-id-missing", frame, f"the first transfer of a delivery on link {name!r}")
        if tag is None:
            note("delivery-tag-missing", frame, f"the first transfer of delivery {number}")
        elif len(tag) > _LONGEST_TAG:
            note("delivery-tag-too-long", frame, f"a delivery-tag of {len(tag)} octets")
        credit = link.credit
        if credit.count is not None and not credit.has_room:
            granted = "none was ever given" if credit.limit is None else f"credit ends at {credit.limit}"
            text = f"a delivery at delivery-count {credit.count} of link {name!r}, {granted}"
            note("credit-exceeded", frame, text)

    def _check_settlement(
        self, link: Link[TrailFrame], frame: TrailFrame, transfer: Transfer, delivery: Delivery[TrailFrame]
    ) -> None:
        note = self._setting.notes.add
        if transfer.settled and link.settle_mode == _UNSETTLED:
            note("settle-mode-broken", frame, "a settled transfer, snd-settle-mode is unsettled")
        if transfer.settled is False and delivery.is_settled:
            note("settled-withdrawn", frame, "settled=false after settled=true in one delivery")

    def _check_whole(self, link: Link[TrailFrame], frame: TrailFrame, delivery: Delivery[TrailFrame]) -> None:
        """Check a delivery all of whose transfers are there."""
        note, first = self._setting.notes.add, delivery.first
        if link.settle_mode == _SETTLED and not delivery.is_settled:
            note("settle-mode-broken", frame, "a delivery that is not settled, snd-settle-mode is settled")
        message = first.message
        if message is None or delivery.message_format or message["body_frames"] != delivery.transfers:
            return
        if not message["complete"]:
            if delivery.size <= _SMALL:
                text = f"a message of {delivery.size:,} octets whose sections cannot be read to their end"
                note("sections-out-of-order", first, text)
            return
        if message["body_kind"] is None:
            note("body-missing", first, f"a message of {delivery.size:,} octets without a body")
        if frame.direction == CLIENT and not message["durable"]:
            note("message-not-durable", first, "header without durable=true")
        if frame.direction == CLIENT and message["ttl"] is not None:
            note("message-expires", first, f"ttl {message['ttl']:,} ms")


def has_credit(link: Link[TrailFrame], direction: int) -> bool:
    """Return whether there is credit for the next transfer of a side, if it needs any."""
    if link.delivery is not None or direction != link.sender or link.credit.count is None:
        return True
    return link.credit.has_room
