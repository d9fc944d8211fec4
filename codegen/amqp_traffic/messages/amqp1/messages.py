"""Assembly of the messages of an AMQP 1.0 connection from links and deliveries (part 2, section 2.6).

Frames may be missing from the capture, so what does not fit is not an error here.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...decode.body_retention import BodyRetention
from ...decode.events import Event
from ...dialogue.amqp1.link import Link, LinkDelivery
from ...dialogue.amqp1.number_ranges import Told
from ...dialogue.amqp1.performatives import AttachFields, DetachFields, DispositionFields, named_transfer
from ...dialogue.amqp1.session import Session
from ..output import CLOSED, NOT_FOLLOWED, Sink
from .message import MessageRecord, read_state


class LinkMessages:
    """The links and deliveries of sessions; writes the rows of messages."""

    __slots__ = ("_bodies", "_sink")

    def __init__(self, sink: Sink, bodies: BodyRetention) -> None:
        self._sink = sink
        self._bodies = bodies

    # --- Links

    def attach(
        self, session: Session[MessageRecord], direction: int, attach: AttachFields
    ) -> Link[MessageRecord]:
        """Take an attach. A link of that end with the same name or handle ends: its detach was not captured."""
        link, same_name, same_handle = session.attach(direction, attach)
        link.learn_address(direction, attach)
        if same_name is not None:
            self._end_link(session, same_name)
        if same_handle not in (None, same_name):
            self._end_link(session, same_handle)
        self._end_surplus(session, direction)
        return link

    def detach(
        self, session: Session[MessageRecord], direction: int, detach: DetachFields
    ) -> Link[MessageRecord] | None:
        """Take a detach. Return the link, if it is known."""
        link = session.detach(direction, detach.handle)
        if link is not None and link.is_over:
            self._end_link(session, link)
        return link

    def _end_surplus(self, session: Session[MessageRecord], direction: int) -> None:
        link = session.surplus(direction)
        if link is not None:
            self._end_link(session, link, NOT_FOLLOWED)

    def _end_link(
        self, session: Session[MessageRecord], link: Link[MessageRecord], outcome: str = CLOSED
    ) -> None:
        if link.delivery is not None:
            self._end_delivery(link.delivery, is_complete=False)
        self._give_up(session, list(link.unsettled.values()), outcome)
        session.forget(link)

    def end_session(self, session: Session[MessageRecord], outcome: str) -> None:
        """End all links and deliveries of a session; with ``NOT_FOLLOWED`` it is not known how they are settled."""
        for direction in (0, 1):
            for link in list(session.links_of(direction)):
                self._end_link(session, link, outcome)
        for deliveries in session.deliveries:
            self._give_up(session, deliveries.all(), outcome)

    # --- Deliveries

    def transfer(self, session: Session[MessageRecord], event: Event) -> None:
        """Take a transfer: the first of a delivery, or another one of the delivery under way."""
        _, _, direction, _, _, (_, row, payload), _, _, ns = event
        transfer = named_transfer(row)
        link = session.link(direction, transfer.handle)
        if link is None:  # attached before the capture began
            link = session.adopt(direction, transfer.handle)
            self._end_surplus(session, direction)
        delivery = link.delivery
        if transfer.delivery_id is not None:
            if delivery is not None and delivery.has_other_id(transfer):
                self._end_delivery(delivery, is_complete=False)
                delivery = None
            if delivery is None:
                delivery = link.begin_delivery(transfer, MessageRecord(event, transfer.handle))
                link.missed[:] = session.missed
        elif delivery is None:  # its first transfer was not captured
            return
        delivery.add(transfer, len(payload))
        message = delivery.first
        if message.is_awaited and transfer.state is not None:  # it counts after what was told before
            _tell(message, session.deliveries[link.sender].hear(delivery))
        message.add(transfer, payload, ns, delivery.message_format, self._bodies)
        if delivery.is_settled or transfer.aborted:
            if message.is_awaited:
                self._give_up(session, [delivery])
        elif delivery.transfers == 1:
            displaced = session.deliveries[link.sender].add(delivery)
            message.is_awaited = True
            if displaced is not None:
                is_for_room = displaced.delivery.number != delivery.number
                self._end_wait(displaced.delivery, displaced.told, NOT_FOLLOWED if is_for_room else CLOSED)
        if not transfer.more or transfer.aborted:
            self._end_delivery(delivery, is_complete=not session.may_miss_transfer(link))

    def disposition(
        self, session: Session[MessageRecord], direction: int, disposition: DispositionFields, ns: int
    ) -> None:
        """Take a disposition of deliveries that an end received or sent."""
        deliveries = session.deliveries[1 - direction if disposition.role else direction]
        first, last = disposition.first, disposition.last
        if last is None:
            last = first
        state, outcome = (None, None) if disposition.state is None else read_state(disposition.state)
        told = Told(state, outcome, ns)
        if not disposition.settled:
            deliveries.tell(first, last, told)
            return
        while (delivery := deliveries.first_open(first, last)) is not None:
            message, before = delivery.first, deliveries.forget(delivery)
            _tell(message, before)
            _tell(message, told)
            if message.settle_ns is None:
                message.settle_ns = ns
            self._end_wait(delivery, None, CLOSED)

    def _end_delivery(self, delivery: LinkDelivery[MessageRecord], is_complete: bool) -> None:
        delivery.link.delivery = None
        message = delivery.first
        message.end(is_complete, self._bodies, delivery.link.is_secret)
        if not message.is_awaited:
            self._sink.messages.append(message.row(delivery))

    def _give_up(
        self,
        session: Session[MessageRecord],
        deliveries: Iterable[LinkDelivery[MessageRecord]],
        outcome: str = CLOSED,
    ) -> None:
        """Stop waiting for deliveries: one end has settled them, or no more frames follow."""
        for delivery in deliveries:
            told = session.deliveries[delivery.link.sender].forget(delivery)
            self._end_wait(delivery, told, outcome)

    def _end_wait(self, delivery: LinkDelivery[MessageRecord], told: Told | None, outcome: str) -> None:
        message = delivery.first
        _tell(message, told)
        if outcome == NOT_FOLLOWED:
            message.follow_no_longer()
        message.is_awaited = False
        if not message.is_open:
            self._sink.messages.append(message.row(delivery))


def _tell(message: MessageRecord, told: Told | None) -> None:
    if told is not None:
        message.tell(told)
