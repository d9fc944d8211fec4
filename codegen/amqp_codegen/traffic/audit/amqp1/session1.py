"""A session of AMQP 1.0: windows, links by their handles, deliveries by their numbers (part 2, section 2.5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ..trail import TrailFrame
from .delivery1 import Deliveries1
from .link1 import Link1
from .setting1 import SIDES, UNLIMITED, Setting1, after, ahead

_MOST_LINKS = 4096  # by direction
_OF_LINKS = ("link_credit", "delivery_count", "available")
_Fields = Mapping[str, Any]


class Session1:
    """A session of which all is known since it began.

    Attributes:
        begun, ended: By direction, whether that side has.
        begin_frame, end_frame: The first begin and end.
    """

    __slots__ = (
        "_deliveries",
        "_handle_max",
        "_handles",
        "_incoming",
        "_is_unlimited",
        "_limits",
        "_links",
        "_next",
        "_setting",
        "_starts",
        "begin_frame",
        "begun",
        "end_frame",
        "ended",
    )

    def __init__(self, setting: Setting1) -> None:
        """Before the first begin.

        Args:
            setting: That of the connection.
        """
        self._setting = setting
        self.begun = [False, False]
        self.ended = [False, False]
        self.begin_frame: TrailFrame | None = None
        self.end_frame: TrailFrame | None = None
        self._handle_max: list[int | None] = [None, None]
        # By direction of transfers: the number of the first one, of the next one, and which no window reaches.
        self._starts: list[int | None] = [None, None]
        self._next: list[int] = [0, 0]
        self._limits: list[int | None] = [None, None]
        self._is_unlimited = [False, False]
        self._incoming: list[int | None] = [None, None]  # windows in begin, by the direction of transfers
        self._links: dict[tuple[str, int], Link1] = {}
        self._handles: tuple[dict[int, Link1], dict[int, Link1]] = ({}, {})  # by who said them
        self._deliveries = (Deliveries1(), Deliveries1())

    def begin(self, frame: TrailFrame, fields: _Fields) -> None:
        """A side begins it."""
        direction = frame.direction
        self.begun[direction] = True
        self.begin_frame = self.begin_frame or frame
        self._handle_max[direction] = fields["handle_max"]
        self._starts[direction] = fields["next_outgoing_id"]
        self._next[direction] = fields["next_outgoing_id"]
        self._incoming[1 - direction] = fields["incoming_window"]
        for transfers in (0, 1):
            window = self._incoming[transfers]
            if self._starts[transfers] is not None and window is not None:
                self._open_window(transfers, None, window)

    def end(self, frame: TrailFrame) -> None:
        """A side ends it."""
        self.ended[frame.direction] = True
        if self.end_frame is None:
            self.end_frame = frame
            for link in self._links.values():
                link.end_session(frame)

    def is_due(self, frame: TrailFrame, fields: _Fields) -> bool:
        """Whether the other side has sent what a performative needs: a window and credit, or a delivery."""
        direction = frame.direction
        if frame.name == "transfer":
            link = self._handles[direction].get(fields["handle"])
            return self._has_window(direction) and (link is None or link.has_credit(direction))
        if frame.name == "disposition":
            first, last = fields["first"], fields["last"]
            sender = 1 - direction if fields["role"] else direction
            return self._deliveries[sender].has(first, first if last is None else last)
        return True

    def take(self, frame: TrailFrame, fields: _Fields) -> None:
        """A performative came that is about links or deliveries."""
        handler = _HANDLERS.get(frame.name or "")
        if handler is not None:
            handler(self, frame, fields)

    def half_detached(self) -> list[Link1]:
        """The links that one side has detached, and the other one has not."""
        return [link for link in self._links.values() if all(link.attached) and any(link.detached)]

    def unanswered(self) -> Iterator[TrailFrame]:
        """The begin, or each attach, that the other side has not answered."""
        if any(self.ended) or self.begin_frame is None:
            return
        if not all(self.begun):
            yield self.begin_frame
        for link in self._links.values():
            if link.attach_frame is not None and not all(link.attached) and not any(link.detached):
                yield link.attach_frame

    # --- Windows

    def _open_window(self, transfers: int, base: int | None, window: int) -> None:
        """A side says how many transfers it takes; a smaller window may not have arrived yet, so the largest one counts."""
        start = self._starts[transfers]
        if window >= UNLIMITED:
            self._is_unlimited[transfers] = True
        first = start if base is None else base
        if first is None:
            return
        limit, before = after(first, window), self._limits[transfers]
        if before is None or ahead(limit, before) > 0:
            self._limits[transfers] = limit

    def _flow(self, frame: TrailFrame, fields: _Fields) -> None:
        direction, note = frame.direction, self._setting.notes.add
        base = fields["next_incoming_id"]
        self._open_window(1 - direction, base, fields["incoming_window"])
        if base is None and self.begun[1 - direction]:
            text = f"a flow of the {SIDES[direction]} after the begin of the other side"
            note("next-incoming-id-missing", frame, text)
        if fields["handle"] is not None:
            link = self._link(frame, fields["handle"])
            if link is not None:
                link.flow(frame, fields)
            return
        said = [name.replace("_", "-") for name in _OF_LINKS if fields[name] is not None]
        if said:
            note("credit-without-link", frame, f"a flow with {' and '.join(said)}, without a handle")

    def _has_window(self, direction: int) -> bool:
        limit = self._limits[direction]
        return limit is None or self._is_unlimited[direction] or ahead(limit, self._next[direction]) > 0

    def _use_window(self, frame: TrailFrame) -> None:
        direction = frame.direction
        limit, number = self._limits[direction], self._next[direction]
        if limit is not None and not self._is_unlimited[direction] and ahead(limit, number) <= 0:
            text = (
                f"transfer number {number} of the session, the window of the other side ends before {limit}"
            )
            self._setting.notes.add("window-exceeded", frame, text)
        self._next[direction] = after(number, 1)

    # --- Links

    def _link(self, frame: TrailFrame, handle: int) -> Link1 | None:
        link = self._handles[frame.direction].get(handle)
        if link is None and len(self._handles[frame.direction]) < _MOST_LINKS:
            text = f"{frame.name} of the {SIDES[frame.direction]} with handle {handle}"
            self._setting.notes.add("handle-unknown", frame, text)
        return link

    def _attach(self, frame: TrailFrame, fields: _Fields) -> None:
        direction, note = frame.direction, self._setting.notes.add
        name, handle, is_receiver = fields["name"], fields["handle"], fields["role"]
        highest = self._handle_max[1 - direction]
        if highest is not None and handle > highest:
            note("handle-above-max", frame, f"handle {handle:,}, handle-max is {highest:,}")
        handles = self._handles[direction]
        if handle in handles:
            note(
                "handle-in-use",
                frame,
                f"attach of {name[:80]!r} with the handle of {handles[handle].name[:80]!r}",
            )
        key = name, 1 - direction if is_receiver else direction
        link = self._links.get(key)
        if link is not None and link.attached[direction]:
            if not link.detached[direction]:
                note("link-name-in-use", frame, f"attach of {name[:80]!r}, which is attached")
            link = None
        if link is None:
            link = self._links[key] = Link1(self._setting, *key)
        link.attach(frame, fields)
        if len(handles) < _MOST_LINKS:
            handles[handle] = link

    def _detach(self, frame: TrailFrame, fields: _Fields) -> None:
        link = self._link(frame, fields["handle"])
        if link is None:
            return
        del self._handles[frame.direction][fields["handle"]]
        link.detach(frame)
        key = link.name, link.sender
        if all(link.detached) and self._links.get(key) is link:
            del self._links[key]

    # --- Deliveries

    def _transfer(self, frame: TrailFrame, fields: _Fields) -> None:
        direction, note = frame.direction, self._setting.notes.add
        self._use_window(frame)
        link = self._link(frame, fields["handle"])
        if link is None:
            return
        if link.sender != direction:
            text = f"a transfer of the {SIDES[direction]} on link {link.name[:80]!r}, whose receiver it is"
            note("transfer-from-receiver", frame, text)
            return
        is_first, is_settled = link.transfer(frame, fields)
        number, deliveries = fields["delivery_id"], self._deliveries[direction]
        if number is None:
            number = deliveries.last
            if is_first and number is not None:
                number = after(number, 1)
                deliveries.add(number)
        elif is_first:
            if not deliveries.is_next(number):
                note("delivery-id-not-next", frame, f"delivery-id {number} after {deliveries.last}")
            deliveries.add(number)
        if is_settled and is_first and number is not None:
            deliveries.settle(number, number, by_receiver=False)

    def _disposition(self, frame: TrailFrame, fields: _Fields) -> None:
        direction, note = frame.direction, self._setting.notes.add
        is_receiver, first, last = fields["role"], fields["first"], fields["last"]
        last = first if last is None else last
        side = SIDES[direction]
        if ahead(last, first) < 0:
            note("disposition-range", frame, f"a disposition of {first} to {last}")
            return
        sender = 1 - direction if is_receiver else direction
        what = (
            f"a disposition of the {side} as {'receiver' if is_receiver else 'sender'} of {first} to {last}"
        )
        if not self._deliveries[sender].has(first, last):
            is_other = self._deliveries[1 - sender].has(first, last)
            note("disposition-wrong-role" if is_other else "disposition-unknown", frame, what)
        elif fields["settled"] and not self._deliveries[sender].settle(first, last, is_receiver):
            note("settled-twice", frame, f"{what}, which it has settled already")


_HANDLERS: Mapping[str, Callable[[Session1, TrailFrame, _Fields], None]] = {
    "attach": Session1._attach,
    "flow": Session1._flow,
    "transfer": Session1._transfer,
    "disposition": Session1._disposition,
    "detach": Session1._detach,
}
