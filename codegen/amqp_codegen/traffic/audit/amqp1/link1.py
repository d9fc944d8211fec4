"""A link of AMQP 1.0: credit, and the deliveries that go over it, transfer by transfer (part 2, section 2.6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..trail import CLIENT, TrailFrame
from .setting1 import SIDES, UNLIMITED, Setting1, after, ahead

_UNSETTLED, _SETTLED = 0, 1  # snd-settle-mode
_LONGEST_TAG = 32
# Messages up to this size are small enough for their sections to be looked at whatever they are.
_SMALL = 1 << 16
_Fields = Mapping[str, Any]


class _Delivery:
    """A delivery of which more transfers may come."""

    __slots__ = ("frame", "is_settled", "message_format", "number", "size", "tag", "transfers")

    def __init__(self, frame: TrailFrame, fields: _Fields) -> None:
        self.frame = frame
        self.number: int | None = fields["delivery_id"]
        self.tag: bytes | None = fields["delivery_tag"]
        self.message_format = fields["message_format"] or 0
        self.is_settled = False
        self.transfers = 0
        self.size = 0


class Link1:
    """A link.

    Attributes:
        name: Its name.
        sender: The direction in which deliveries go.
        attached, detached: By direction, whether that side has.
        attach_frame, detach_frame: The first attach and detach.
    """

    __slots__ = (
        "_count",
        "_delivery",
        "_early_credit",
        "_is_unlimited",
        "_limit",
        "_max_message_size",
        "_setting",
        "_settle_mode",
        "attach_frame",
        "attached",
        "detach_frame",
        "detached",
        "name",
        "sender",
    )

    def __init__(self, setting: Setting1, name: str, sender: int) -> None:
        """Begin with no side attached.

        Args:
            setting: That of the connection.
            name: Its name.
            sender: The direction in which deliveries go.
        """
        self._setting = setting
        self.name = name
        self.sender = sender
        self.attached = [False, False]
        self.detached = [False, False]
        self.attach_frame: TrailFrame | None = None
        self.detach_frame: TrailFrame | None = None
        self._count: int | None = None  # the delivery-count of the sender
        self._early_credit = 0  # given before the sender attached
        self._limit: int | None = None  # the delivery-count that no grant of credit goes beyond
        self._is_unlimited = False
        self._settle_mode: int | None = None
        self._max_message_size = 0
        self._delivery: _Delivery | None = None

    def attach(self, frame: TrailFrame, fields: _Fields) -> None:
        """A side attaches it."""
        direction = frame.direction
        self.attached[direction] = True
        self.attach_frame = self.attach_frame or frame
        if direction != self.sender:
            self._max_message_size = fields["max_message_size"] or 0
            return
        self._settle_mode = fields["snd_settle_mode"]
        self._count = fields["initial_delivery_count"]
        if self._count is None:
            text = f"attach of {self.name[:80]!r} by its sender, without initial-delivery-count"
            self._setting.notes.add("delivery-count-missing", frame, text)
            self._count = 0
        if self._early_credit:
            self._raise_limit(after(self._count, self._early_credit))

    def detach(self, frame: TrailFrame) -> None:
        """A side detaches it."""
        self.detached[frame.direction] = True
        if self.detach_frame is None:
            self.detach_frame = frame
            if frame.direction == self.sender and self._delivery is not None:
                self._unfinished(frame, "detach")

    def flow(self, frame: TrailFrame, fields: _Fields) -> None:
        """A side says what it knows of credit."""
        count, credit = fields["delivery_count"], fields["link_credit"]
        if frame.direction == self.sender:
            # When it is drained, it uses up credit without deliveries.
            if count is not None and self._count is not None and ahead(count, self._count) > 0:
                self._count = count
        elif credit:
            # A grant that is taken back may not have arrived yet, so the largest one counts.
            self._is_unlimited = self._is_unlimited or credit >= UNLIMITED
            base = self._count if count is None else count
            if base is None:
                self._early_credit = max(self._early_credit, credit)
            else:
                self._raise_limit(after(base, credit))

    def _raise_limit(self, limit: int) -> None:
        if self._limit is None or ahead(limit, self._limit) > 0:
            self._limit = limit

    # --- Transfers

    def transfer(self, frame: TrailFrame, fields: _Fields) -> tuple[bool, bool]:
        """The sender sends a transfer.

        Returns:
            Whether it is the first one of a delivery, and whether the delivery is settled by it.
        """
        delivery = self._delivery
        if delivery is not None and self._is_another(frame, fields, delivery):
            delivery = self._delivery = None
        is_first = delivery is None
        if delivery is None:
            delivery = self._delivery = self._begin(frame, fields)
        was_settled = delivery.is_settled
        self._settlement(frame, fields, delivery)
        delivery.transfers += 1
        delivery.size += fields["payload_size"] or 0
        limit = self._max_message_size
        if limit and delivery.size > limit and delivery.size - (fields["payload_size"] or 0) <= limit:
            text = f"a message of {delivery.size:,} octets or more, max-message-size is {limit:,}"
            self._setting.notes.add("message-too-large", frame, text)
        if fields["aborted"] or not fields["more"]:
            self._delivery = None
            if not fields["aborted"]:
                self._end(frame, delivery)
        return is_first, delivery.is_settled and not was_settled

    def _is_another(self, frame: TrailFrame, fields: _Fields, delivery: _Delivery) -> bool:
        """Check what must not change within a delivery. Returns whether another one begins."""
        number, tag = fields["delivery_id"], fields["delivery_tag"]
        has_other_tag = tag is not None and delivery.tag is not None and tag != delivery.tag
        has_other_number = number is not None and delivery.number is not None and number != delivery.number
        if has_other_number or has_other_tag:
            what = f"delivery-id {number}" if has_other_number else "another delivery-tag"
            text = f"a transfer with {what} before delivery {delivery.number} is complete"
            self._setting.notes.add("delivery-id-changed", frame, text)
        return has_other_number and has_other_tag

    def _begin(self, frame: TrailFrame, fields: _Fields) -> _Delivery:
        note = self._setting.notes.add
        number, tag = fields["delivery_id"], fields["delivery_tag"]
        if number is None:
            note("delivery-id-missing", frame, f"the first transfer of a delivery on link {self.name[:80]!r}")
        if tag is None:
            note("delivery-tag-missing", frame, f"the first transfer of delivery {number}")
        elif len(tag) > _LONGEST_TAG:
            note("delivery-tag-too-long", frame, f"a delivery-tag of {len(tag)} octets")
        self._use_credit(frame)
        return _Delivery(frame, fields)

    def has_credit(self, direction: int) -> bool:
        """Whether there is credit for the next transfer of a side, if it needs any."""
        if self._delivery is not None or direction != self.sender or self._count is None:
            return True
        return self._is_unlimited or (self._limit is not None and ahead(self._limit, self._count) > 0)

    def _use_credit(self, frame: TrailFrame) -> None:
        count = self._count
        if count is None:
            return
        if not self.has_credit(self.sender):
            granted = "none was ever given" if self._limit is None else f"credit ends at {self._limit}"
            text = f"a delivery at delivery-count {count} of link {self.name[:80]!r}, {granted}"
            self._setting.notes.add("credit-exceeded", frame, text)
        self._count = after(count, 1)

    def _settlement(self, frame: TrailFrame, fields: _Fields, delivery: _Delivery) -> None:
        settled, note = fields["settled"], self._setting.notes.add
        if settled and self._settle_mode == _UNSETTLED:
            note("settle-mode-broken", frame, "a settled transfer, snd-settle-mode is unsettled")
        if settled is False and delivery.is_settled:
            note("settled-withdrawn", frame, "settled=false after settled=true in one delivery")
        delivery.is_settled = delivery.is_settled or bool(settled)

    def _end(self, frame: TrailFrame, delivery: _Delivery) -> None:
        """All transfers of a delivery are there."""
        note = self._setting.notes.add
        if self._settle_mode == _SETTLED and not delivery.is_settled:
            note("settle-mode-broken", frame, "a delivery that is not settled, snd-settle-mode is settled")
        message = delivery.frame.message
        if message is None or delivery.message_format or message["body_frames"] != delivery.transfers:
            return
        if not message["complete"]:
            if delivery.size <= _SMALL:
                text = f"a message of {delivery.size:,} octets whose sections cannot be read to their end"
                note("sections-out-of-order", delivery.frame, text)
            return
        if message["body_kind"] is None:
            note("body-missing", delivery.frame, f"a message of {delivery.size:,} octets without a body")
        if frame.direction == CLIENT and not message["durable"]:
            note("message-not-durable", delivery.frame, "header without durable=true")
        if frame.direction == CLIENT and message["ttl"] is not None:
            note("message-expires", delivery.frame, f"ttl {message['ttl']:,} ms")

    def end_session(self, frame: TrailFrame) -> None:
        """A side ends the session."""
        if frame.direction == self.sender and self._delivery is not None and not any(self.detached):
            self._unfinished(frame, "end")

    def _unfinished(self, frame: TrailFrame, what: str) -> None:
        number = None if self._delivery is None else self._delivery.number
        text = f"{what} of the {SIDES[frame.direction]} while more transfers of delivery {number} are to come"
        self._setting.notes.add("delivery-not-finished", frame, text)
        self._delivery = None
