"""Checks sessions of AMQP 1.0: windows, handles, links, and what is settled (part 2, section 2.5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ...dialogue.amqp1.link import SENDER, Link
from ...dialogue.amqp1.performatives import Attach, Detach, Disposition, Flow, Transfer, from_fields
from ...dialogue.amqp1.session import Session
from ...dialogue.amqp1.window import ahead
from ..trail import TrailFrame
from .link1 import LinkChecks, has_credit
from .setting1 import SIDES, Setting1

_OF_LINKS = ("link_credit", "delivery_count", "available")
_Fields = Mapping[str, Any]


class SessionChecks:
    """Notes what is wrong in sessions of which all is known since they began, and moves them on."""

    __slots__ = ("_links", "_setting")

    def __init__(self, setting: Setting1) -> None:
        self._setting = setting
        self._links = LinkChecks(setting)

    def take(self, session: Session[TrailFrame], frame: TrailFrame, fields: _Fields) -> None:
        """Take a performative that is about links or deliveries."""
        handler = _HANDLERS.get(frame.name or "")
        if handler is not None:
            handler(self, session, frame, fields)

    def end(self, session: Session[TrailFrame], frame: TrailFrame) -> None:
        """An end ends the session."""
        session.ended[frame.direction] = True
        if session.first_end is None:
            session.first_end = frame
            for link in session.links():
                if frame.direction == link.sender and not any(link.detached):
                    self._links.abandon(link, frame)

    def _link(self, session: Session[TrailFrame], frame: TrailFrame, handle: int) -> Link[TrailFrame] | None:
        link = session.link(frame.direction, handle)
        if link is not None and not link.detached[frame.direction]:
            return link
        if not session.has_forgotten:
            text = f"{frame.name} of the {SIDES[frame.direction]} with handle {handle}"
            self._setting.notes.add("handle-unknown", frame, text)
        return None

    def _flow(self, session: Session[TrailFrame], frame: TrailFrame, fields: _Fields) -> None:
        direction, note = frame.direction, self._setting.notes.add
        flow = from_fields(Flow, fields)
        session.flow(direction, flow)
        if flow.next_incoming_id is None and session.channels[1 - direction] is not None:
            text = f"a flow of the {SIDES[direction]} after the begin of the other side"
            note("next-incoming-id-missing", frame, text)
        if flow.handle is not None:
            link = self._link(session, frame, flow.handle)
            if link is not None:
                link.flow(direction, flow)
            return
        said = [name.replace("_", "-") for name in _OF_LINKS if fields[name] is not None]
        if said:
            note("credit-without-link", frame, f"a flow with {' and '.join(said)}, without a handle")

    def _attach(self, session: Session[TrailFrame], frame: TrailFrame, fields: _Fields) -> None:
        direction, note = frame.direction, self._setting.notes.add
        attach = from_fields(Attach, fields)
        name, handle = attach.name[:80], attach.handle
        highest = session.handle_max[1 - direction]
        if highest is not None and handle > highest:
            note("handle-above-max", frame, f"handle {handle:,}, handle-max is {highest:,}")
        link, same_name, same_handle = session.attach(direction, attach, frame)
        if same_handle is not None and not same_handle.detached[direction]:
            text = f"attach of {name!r} with the handle of {(same_handle.name or '')[:80]!r}"
            note("handle-in-use", frame, text)
        if same_name is not None and not same_name.detached[direction]:
            note("link-name-in-use", frame, f"attach of {name!r}, which is attached")
        self._links.attach(link, frame, attach)
        surplus = session.surplus(direction)
        if surplus is not None:
            session.forget(surplus)

    def _detach(self, session: Session[TrailFrame], frame: TrailFrame, fields: _Fields) -> None:
        detach = from_fields(Detach, fields)
        link = self._link(session, frame, detach.handle)
        if link is None:
            return
        session.detach(frame.direction, detach.handle, frame)
        if link.first_detach is frame and frame.direction == link.sender:
            self._links.abandon(link, frame)
        if link.is_over:
            session.forget(link)

    def _transfer(self, session: Session[TrailFrame], frame: TrailFrame, fields: _Fields) -> None:
        direction, note = frame.direction, self._setting.notes.add
        transfer, window = from_fields(Transfer, fields), session.windows[direction]
        if not _has_window(session, direction):
            text = (
                f"transfer number {window.count} of the session, the window of the other side ends before"
                f" {window.limit}"
            )
            note("window-exceeded", frame, text)
        window.use()
        link = self._link(session, frame, transfer.handle)
        if link is None:
            return
        if link.sender != direction:
            text = f"a transfer of the {SIDES[direction]} on link {(link.name or '')[:80]!r}, whose receiver it is"
            note("transfer-from-receiver", frame, text)
            return
        delivery = self._links.transfer(link, frame, transfer, fields["payload_size"] or 0)
        if delivery.first is not frame:
            return
        deliveries, number = session.deliveries[direction], delivery.number
        if number is not None and not deliveries.is_next(number):
            note("delivery-id-not-next", frame, f"delivery-id {number} after {deliveries.last}")
        deliveries.add(delivery)
        if delivery.is_settled and delivery.number is not None:
            deliveries.settle([delivery], SENDER)

    def _disposition(self, session: Session[TrailFrame], frame: TrailFrame, fields: _Fields) -> None:
        direction, note = frame.direction, self._setting.notes.add
        disposition = from_fields(Disposition, fields)
        first, role = disposition.first, disposition.role
        last = first if disposition.last is None else disposition.last
        if ahead(last, first) < 0:
            note("disposition-range", frame, f"a disposition of {first} to {last}")
            return
        deliveries = session.deliveries[1 - direction if role else direction]
        text = f"a disposition of the {SIDES[direction]} as {'receiver' if role else 'sender'} of {first} to {last}"
        if not deliveries.has(first, last):
            is_other = session.deliveries[direction if role else 1 - direction].has(first, last)
            note("disposition-wrong-role" if is_other else "disposition-unknown", frame, text)
        elif disposition.settled and not deliveries.settle(deliveries.between(first, last), role):
            note("settled-twice", frame, f"{text}, which it has settled already")


_HANDLERS: Mapping[str, Callable[[SessionChecks, Session[TrailFrame], TrailFrame, _Fields], None]] = {
    "attach": SessionChecks._attach,
    "flow": SessionChecks._flow,
    "transfer": SessionChecks._transfer,
    "disposition": SessionChecks._disposition,
    "detach": SessionChecks._detach,
}


def is_due(session: Session[TrailFrame], frame: TrailFrame, fields: _Fields) -> bool:
    """Return whether the other side has sent what a performative needs: a window and credit, or a delivery."""
    direction = frame.direction
    if frame.name == "transfer":
        link = session.link(direction, fields["handle"])
        is_known = link is not None and not link.detached[direction]
        return _has_window(session, direction) and (
            link is None or not is_known or has_credit(link, direction)
        )
    if frame.name == "disposition":
        first, last = fields["first"], fields["last"]
        sender = 1 - direction if fields["role"] else direction
        return session.deliveries[sender].has(first, first if last is None else last)
    return True


def half_detached(session: Session[TrailFrame]) -> list[Link[TrailFrame]]:
    """Return the links that one side has detached, and the other one has not."""
    return [link for link in session.links() if link.is_attached and any(link.detached)]


def unanswered(session: Session[TrailFrame]) -> Iterator[TrailFrame]:
    """Yield the begin, or each attach, that the other side has not answered."""
    if any(session.ended) or session.first_begin is None:
        return
    if not session.is_begun:
        yield session.first_begin
    for link in session.links():
        if link.first_attach is not None and not link.is_attached and not any(link.detached):
            yield link.first_attach


def _has_window(session: Session[TrailFrame], direction: int) -> bool:
    window = session.windows[direction]
    return window.limit is None or window.has_room
