"""The sessions of a connection: channels, windows and links (part 2, sections 2.5 and 2.6)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Generic, NamedTuple

from .deliveries import Deliveries
from .link import Link, T
from .performatives import AttachFields, BeginFields, FlowFields
from .window import SerialWindow

_MOST_LINKS = 4096  # by direction


class Attached(NamedTuple):
    """The links that an attach refers to.

    Attributes:
        link: The attached link, which may be new.
        same_name: The link that this end had attached by the same name before.
        same_handle: The link that had the handle before. This end may have detached it.
    """

    link: Link[Any]
    same_name: Link[Any] | None
    same_handle: Link[Any] | None


class Session(Generic[T]):
    """A session.

    Attributes:
        number: Its number in the connection, from 1.
        channels: By direction, the channel of that end; None if unknown.
        ended: By direction: True if that end has ended it.
        first_begin, first_end: What the caller gave for them.
        handle_max: By direction, the limit of that end; None before its begin.
        windows: By the direction of transfers.
        deliveries: By their direction: each sender of a session has its own numbers.
        has_forgotten: True if links were forgotten because there were too many.
        missed: By direction: performatives that cannot be read.
    """

    def __init__(self, number: int) -> None:
        self.number = number
        self.channels: list[int | None] = [None, None]
        self.ended = [False, False]
        self.first_begin: T | None = None
        self.first_end: T | None = None
        self.handle_max: list[int | None] = [None, None]
        self.windows = (SerialWindow(), SerialWindow())
        self.deliveries: tuple[Deliveries[T], Deliveries[T]] = (Deliveries(), Deliveries())
        self.has_forgotten = False
        self.missed = [0, 0]
        self._links: dict[tuple[str | None, int], Link[T]] = {}
        # By direction: each end numbers links for itself.
        self._handles: tuple[dict[int, Link[T]], dict[int, Link[T]]] = ({}, {})

    @property
    def is_begun(self) -> bool:
        """True if both ends have begun it."""
        return None not in self.channels

    @property
    def held(self) -> int:
        """Return how many deliveries and ends of links are known."""
        return sum(deliveries.count for deliveries in self.deliveries) + sum(map(len, self._handles))

    def begin(self, direction: int, begin: BeginFields, first: T | None) -> None:
        """Take the begin of an end."""
        self.first_begin = self.first_begin or first
        self.handle_max[direction] = begin.handle_max
        mine, other = self.windows[direction], self.windows[1 - direction]
        mine.begin(begin.next_outgoing_id)
        other.grant(other.first, begin.incoming_window)

    def flow(self, direction: int, flow: FlowFields) -> None:
        """Take the session window of a flow. ``Link.flow`` takes the credit of a link."""
        window = self.windows[1 - direction]
        window.grant(
            window.first if flow.next_incoming_id is None else flow.next_incoming_id, flow.incoming_window
        )

    # --- Links

    def link(self, direction: int, handle: int) -> Link[T] | None:
        """Return the link with this handle at an end, from its attach until both ends have detached it."""
        return self._handles[direction].get(handle)

    def links(self) -> Iterable[Link[T]]:
        """Return the links with known names."""
        return self._links.values()

    def links_of(self, direction: int) -> Iterable[Link[T]]:
        """Return the links that an end has attached."""
        return self._handles[direction].values()

    def attach(self, direction: int, attach: AttachFields, first: T | None = None) -> Attached:
        """Take the attach of an end."""
        key = attach.name, 1 - direction if attach.role else direction
        link = same_name = self._links.get(key)
        if link is None or link.handles[direction] is not None:
            link = self._links[key] = Link(*key)
        else:
            same_name = None
        link.attach(direction, attach, first)
        return Attached(link, same_name, self._take_handle(direction, attach.handle, link))

    def adopt(self, direction: int, handle: int) -> Link[T]:
        """Return a new link for a handle whose attach was not captured. This end is the sender."""
        link: Link[T] = Link(None, direction)
        link.handles[direction] = handle
        self._take_handle(direction, handle, link)
        return link

    def _take_handle(self, direction: int, handle: int, link: Link[T]) -> Link[T] | None:
        handles = self._handles[direction]
        before = handles.pop(handle, None)
        handles[handle] = link
        link.missed[direction] = self.missed[direction]
        return before

    def may_miss_transfer(self, link: Link[T]) -> bool:
        """True if a performative could not be read that may have been a transfer of the delivery under way on a link."""
        attached = (handle is not None for handle in link.handles)
        return any(
            missed > before
            for missed, before, is_attached in zip(self.missed, link.missed, attached, strict=True)
            if is_attached
        )

    def surplus(self, direction: int) -> Link[T] | None:
        """Return the oldest link of an end if there are too many. The caller forgets it."""
        handles = self._handles[direction]
        if len(handles) <= _MOST_LINKS:
            return None
        self.has_forgotten = True
        return next(iter(handles.values()))

    def detach(self, direction: int, handle: int, first: T | None = None) -> Link[T] | None:
        """Take the detach of an end. Return the link, if it is known.

        The caller forgets it once it is over; until then, dispositions of the other end may be on their way.
        """
        link = self._handles[direction].get(handle)
        if link is not None:
            link.detached[direction] = True
            link.first_detach = link.first_detach or first
        return link

    def forget(self, link: Link[T]) -> None:
        """Remove a link."""
        for handles, handle in zip(self._handles, link.handles, strict=True):
            if handle is not None and handles.get(handle) is link:
                del handles[handle]
        key = link.name, link.sender
        if self._links.get(key) is link:
            del self._links[key]


class Sessions(Generic[T]):
    """The sessions of a connection, by direction and channel of frames."""

    __slots__ = ("_awaited", "_channels", "_count")

    def __init__(self) -> None:
        self._count = 0
        self._channels: tuple[dict[int, Session[T]], dict[int, Session[T]]] = ({}, {})
        # Sessions that the other end has not begun yet. They may have ended since, and their channel been reused.
        self._awaited: tuple[dict[int, Session[T]], dict[int, Session[T]]] = ({}, {})

    def at(self, direction: int, channel: int) -> Session[T] | None:
        """Return the session that an end has on a channel, until ``leave`` or ``forget``."""
        return self._channels[direction].get(channel)

    def awaited(self, direction: int, channel: int) -> Session[T] | None:
        """Return the session that an end has begun on a channel and the other end has not answered."""
        return self._awaited[direction].get(channel)

    def all(self) -> Iterable[Session[T]]:
        """Return the sessions that have a channel at either end."""
        return {
            session.number: session for channels in self._channels for session in channels.values()
        }.values()

    def of(self, direction: int) -> list[Session[T]]:
        """Return the sessions that have a channel at an end."""
        return list(self._channels[direction].values())

    def begin(
        self, direction: int, channel: int, begin: BeginFields, first: T | None = None
    ) -> Session[T] | None:
        """Take a begin: a new session, or the answer to the begin of the other end.

        Returns:
            The session; None if the begin answers one that is not known.
        """
        if begin.remote_channel is None:
            session = self.open(direction, channel)
        else:
            awaited = self._awaited[1 - direction].get(begin.remote_channel)
            if awaited is None:
                return None
            session = awaited
            self.bind(session, direction, channel)
        session.begin(direction, begin, first)
        return session

    def open(self, direction: int, channel: int) -> Session[T]:
        """Return a new session that one end has begun on a channel."""
        self._count += 1
        session: Session[T] = Session(self._count)
        self.bind(session, direction, channel)
        self._awaited[direction][channel] = session
        return session

    def bind(self, session: Session[T], direction: int, channel: int) -> None:
        """Put a session on a channel of an end. It replaces one that was there."""
        session.channels[direction] = channel
        self._channels[direction][channel] = session
        self._drop(self._awaited[1 - direction], session.channels[1 - direction], session)

    def leave(self, direction: int, channel: int) -> None:
        """Remove what an end has on a channel."""
        self._channels[direction].pop(channel, None)

    def forget(self, session: Session[T]) -> None:
        """Remove a session."""
        for channels, awaited, channel in zip(self._channels, self._awaited, session.channels, strict=True):
            self._drop(channels, channel, session)
            self._drop(awaited, channel, session)

    @staticmethod
    def _drop(sessions: dict[int, Session[T]], channel: int | None, session: Session[T]) -> None:
        if channel is not None and sessions.get(channel) is session:
            del sessions[channel]

    def clear(self) -> None:
        """Forget all sessions."""
        for sessions in (*self._channels, *self._awaited):
            sessions.clear()
