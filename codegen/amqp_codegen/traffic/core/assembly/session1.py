"""A session of AMQP 1.0: its links, and the deliveries that are not settled (part 2, sections 2.5 and 2.6)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..bodies import Bodies
from ..event import Event
from .delivery1 import Delivery
from .links1 import Link
from .sink import Sink

_MOST_UNSETTLED = 65_536  # by direction
_MOST_LINKS = 4096  # by direction
_SERIAL = 0xFFFFFFFF  # delivery ids count round (RFC 1982)
_HALF = 1 << 31


class Session1:
    """A session.

    Attributes:
        number: Of all sessions of the connection.
        channels: Its channel at either end, by direction; None if it is not known.
        ended: Which ends have ended it.
    """

    __slots__ = ("_bodies", "_handles", "_links", "_sink", "_unsettled", "channels", "ended", "number")

    def __init__(self, number: int, sink: Sink, bodies: Bodies) -> None:
        """Begin without links."""
        self.number = number
        self.channels: list[int | None] = [None, None]
        self.ended = [False, False]
        self._sink = sink
        self._bodies = bodies
        self._links: dict[tuple[str, int], Link] = {}
        # By the direction in which they were said, as each end numbers links for itself.
        self._handles: tuple[dict[int, Link], dict[int, Link]] = ({}, {})
        # By the direction of deliveries: their ids belong to the session, and to who sends them.
        self._unsettled: tuple[dict[int, Delivery], dict[int, Delivery]] = ({}, {})

    # --- Links ---

    def attach(self, event: Event) -> tuple[str, int]:
        """An end attaches a link. Return what tells it from others: name and direction of deliveries."""
        direction, row = event[2], event[5][1]
        name, handle, is_receiver, source, target = row[0], row[1], row[2], row[5], row[6]
        key = (name, 1 - direction if is_receiver else direction)
        link = self._links.get(key)
        if link is not None and link.handles[direction] is not None:  # once more: its detach was not captured
            self._end_link(link)
            link = None
        if link is None:
            link = self._links[key] = Link(*key)
        before = self._handles[direction].get(handle)
        if before is not None:
            self._end_link(before)
        link.attach(direction, handle, source, target)
        self._add_handle(direction, handle, link)
        return key

    def detach(self, event: Event) -> tuple[str, int] | None:
        """An end detaches a link. Return the same as ``attach``, or None if it is not known.

        What the other end has said of its deliveries may still be on its way, so the link ends when both have
        detached it.
        """
        direction = event[2]
        link = self._handles[direction].get(event[5][1][0])
        if link is None:
            return None
        link.detached[direction] = True
        if all(link.detached) or link.name is None:
            self._end_link(link)
        return None if link.name is None else (link.name, link.sender)

    def _add_handle(self, direction: int, handle: int, link: Link) -> None:
        handles = self._handles[direction]
        handles[handle] = link
        if len(handles) > _MOST_LINKS:
            self._end_link(next(iter(handles.values())))

    def _end_link(self, link: Link) -> None:
        if link.delivery is not None:
            self._end_delivery(link.delivery, complete=False)
        unsettled = self._unsettled[link.sender]
        self._give_up([unsettled[number] for number in link.unsettled])
        for direction, handle in enumerate(link.handles):
            if handle is not None and self._handles[direction].get(handle) is link:
                del self._handles[direction][handle]
        if link.name is not None and self._links.get((link.name, link.sender)) is link:
            del self._links[link.name, link.sender]

    # --- Deliveries ---

    def transfer(self, event: Event) -> None:
        """An end sends a transfer: the first of a delivery, or one that belongs to the delivery under way."""
        direction, row = event[2], event[5][1]
        link = self._handles[direction].get(row[0])
        if link is None:  # attached before the capture began
            link = Link(None, direction)
            link.handles[direction] = row[0]
            self._add_handle(direction, row[0], link)
        number = row[1]
        delivery = link.delivery
        if delivery is not None and number is not None and number != delivery.delivery_id:
            self._end_delivery(delivery, complete=False)
            delivery = None
        if delivery is None:
            if number is None:  # the first transfer was not captured
                return
            delivery = link.delivery = Delivery(event, link)
        delivery.add(event, self._bodies)
        if delivery.settled or row[9]:
            if delivery.is_awaited:
                self._give_up([delivery])
        elif delivery.transfers == 1:
            self._await(delivery)
        if not row[5] or row[9]:
            self._end_delivery(delivery, complete=True)

    def disposition(self, event: Event) -> None:
        """An end tells the state of deliveries: of those that it got, or of those that it sent."""
        is_receiver, first, last, settled, state, _ = event[5][1]
        direction, ns = event[2], event[8]
        unsettled = self._unsettled[1 - direction if is_receiver else direction]
        found: list[Delivery]
        if last is None or last == first:
            one = unsettled.get(first)
            found = [] if one is None else [one]
        else:
            found = _between(unsettled, first, last - first & _SERIAL)
        for delivery in found:
            delivery.tell(state, ns, settled)
        if settled:
            self._give_up(found)

    def miss(self, direction: int) -> None:
        """A performative of that direction cannot be read: it may have been a transfer of any delivery under way."""
        for link in self._handles[direction].values():
            if link.delivery is not None:
                link.delivery.is_damaged = True

    def finish(self) -> None:
        """Nothing more comes."""
        for handles in self._handles:
            for link in list(handles.values()):
                self._end_link(link)
        for unsettled in self._unsettled:
            self._give_up(list(unsettled.values()))

    def _end_delivery(self, delivery: Delivery, complete: bool) -> None:
        delivery.link.delivery = None
        delivery.end(complete, self._bodies)
        if not delivery.is_awaited:
            self._sink.messages.append(delivery.row())

    def _await(self, delivery: Delivery) -> None:
        unsettled = self._unsettled[delivery.link.sender]
        number: Any = delivery.delivery_id
        before = unsettled.get(
            number
        )  # as many deliveries later as there are numbers, or some of them missed
        if before is not None:
            self._give_up([before])
        elif len(unsettled) >= _MOST_UNSETTLED:
            self._give_up([next(iter(unsettled.values()))])
        unsettled[number] = delivery
        delivery.link.unsettled[number] = None
        delivery.is_awaited = True

    def _give_up(self, deliveries: Iterable[Delivery]) -> None:
        """These wait no more."""
        messages = self._sink.messages
        for delivery in deliveries:
            number: Any = delivery.delivery_id
            del self._unsettled[delivery.link.sender][number]
            del delivery.link.unsettled[number]
            delivery.is_awaited = False
            if not delivery.is_open:
                messages.append(delivery.row())


def _between(unsettled: dict[int, Delivery], first: int, count: int) -> list[Delivery]:
    """Those whose ids are ``first`` and up to so many after it. One before ``first`` counts as far after it."""
    if count >= _HALF:
        return []
    if count > len(unsettled):
        return [each for number, each in unsettled.items() if number - first & _SERIAL <= count]
    numbers = (first + step & _SERIAL for step in range(count + 1))
    return [unsettled[number] for number in numbers if number in unsettled]
