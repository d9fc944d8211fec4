"""Sessions of a connection, their channels, windows and links (part 2, sections 2.5 and 2.6)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Generic, NamedTuple

from .deliveries import Deliveries
from .link import Link, T
from .performatives import Attach, Begin, Flow
from .window import SerialWindow

_MOST_LINKS = 4096  # by direction


class Attached(NamedTuple):
    """What an attach is about.

    Attributes:
        link: The link, which may be new.
        same_name: The link that this end had attached by that name before.
        same_handle: The link that had the handle before; this end may have detached it.
    """

    link: Link[Any]
    same_name: Link[Any] | None
    same_handle: Link[Any] | None


class Session(Generic[T]):
    """A session.

    Attributes:
        number: Of all sessions of the connection.
        channels: Its channel at either end, by direction; None if it is not known.
        ended: Which ends have ended it.
        first_begin, first_end: What the caller gave for them.
        handle_max: What either end takes, by direction; None before its begin.
        windows: By the direction of transfers.
        deliveries: By their direction: numbers belong to the session, and to who sends.
        has_forgotten: Whether there were too many links.
    """

    __slots__ = (
        "_handles",
        "_links",
        "channels",
        "deliveries",
        "ended",
        "first_begin",
        "first_end",
        "handle_max",
        "has_forgotten",
        "number",
        "windows",
    )

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
        self._links: dict[tuple[str | None, int], Link[T]] = {}
        # By the direction in which they were said, as each end numbers links for itself.
        self._handles: tuple[dict[int, Link[T]], dict[int, Link[T]]] = ({}, {})

    @property
    def is_begun(self) -> bool:
        """Whether both ends have begun it."""
        return None not in self.channels

    def begin(self, direction: int, begin: Begin, first: T | None) -> None:
        """An end begins it."""
        self.first_begin = self.first_begin or first
        self.handle_max[direction] = begin.handle_max
        mine, other = self.windows[direction], self.windows[1 - direction]
        mine.begin(begin.next_outgoing_id)
        other.grant(other.first, begin.incoming_window)

    def flow(self, direction: int, flow: Flow) -> None:
        """An end says how many transfers it takes; what it says of a link, ``Link.flow`` takes."""
        window = self.windows[1 - direction]
        window.grant(
            window.first if flow.next_incoming_id is None else flow.next_incoming_id, flow.incoming_window
        )

    # --- Links

    def link(self, direction: int, handle: int) -> Link[T] | None:
        """Return the link that has a handle at an end: from its attach on, until both ends have detached it."""
        return self._handles[direction].get(handle)

    def links(self) -> Iterable[Link[T]]:
        """Return the links whose names are known."""
        return self._links.values()

    def links_of(self, direction: int) -> Iterable[Link[T]]:
        """Return the links that have handles at an end."""
        return self._handles[direction].values()

    def attach(self, direction: int, attach: Attach, first: T | None = None) -> Attached:
        """An end attaches a link."""
        key = attach.name, 1 - direction if attach.role else direction
        link = same_name = self._links.get(key)
        if link is None or link.handles[direction] is not None:
            link = self._links[key] = Link(*key)
        else:
            same_name = None
        link.attach(direction, attach, first)
        return Attached(link, same_name, self._take_handle(direction, attach.handle, link))

    def adopt(self, direction: int, handle: int) -> Link[T]:
        """Return a link for a handle whose attach was not captured; this end sends."""
        link: Link[T] = Link(None, direction)
        link.handles[direction] = handle
        self._take_handle(direction, handle, link)
        return link

    def _take_handle(self, direction: int, handle: int, link: Link[T]) -> Link[T] | None:
        handles = self._handles[direction]
        before = handles.pop(handle, None)
        handles[handle] = link
        return before

    def surplus(self, direction: int) -> Link[T] | None:
        """Return the oldest link of an end if there are too many; the caller forgets it."""
        handles = self._handles[direction]
        if len(handles) <= _MOST_LINKS:
            return None
        self.has_forgotten = True
        return next(iter(handles.values()))

    def detach(self, direction: int, handle: int, first: T | None = None) -> Link[T] | None:
        """An end detaches a link. Return it, if it is known; once it is over, the caller forgets it.

        What the other end has said of its deliveries may still be on its way.
        """
        link = self._handles[direction].get(handle)
        if link is not None:
            link.detached[direction] = True
            link.first_detach = link.first_detach or first
        return link

    def forget(self, link: Link[T]) -> None:
        """Nobody asks for this link any more."""
        for handles, handle in zip(self._handles, link.handles, strict=True):
            if handle is not None and handles.get(handle) is link:
                del handles[handle]
        key = link.name, link.sender
        if self._links.get(key) is link:
            del self._links[key]


class Sessions(Generic[T]):
    """The sessions of a connection, by the direction in which frames go, and their channel."""

    __slots__ = ("_awaited", "_channels", "_count")

    def __init__(self) -> None:
        self._count = 0
        self._channels: tuple[dict[int, Session[T]], dict[int, Session[T]]] = ({}, {})
        # Sessions that the other end has not begun yet; they may have been ended since, and their channel used again.
        self._awaited: tuple[dict[int, Session[T]], dict[int, Session[T]]] = ({}, {})

    def at(self, direction: int, channel: int) -> Session[T] | None:
        """Return the session that an end has on a channel, until the caller says that it has not."""
        return self._channels[direction].get(channel)

    def awaited(self, direction: int, channel: int) -> Session[T] | None:
        """Return the session that an end has begun on a channel, and the other end has not."""
        return self._awaited[direction].get(channel)

    def of(self, direction: int) -> list[Session[T]]:
        """Return the sessions that have a channel at an end."""
        return list(self._channels[direction].values())

    def begin(self, direction: int, channel: int, begin: Begin, first: T | None = None) -> Session[T] | None:
        """An end begins a session, or answers the begin of the other end.

        Returns:
            The session; None if it is to answer one that is not known.
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
        """Return a new session that one end has on a channel."""
        self._count += 1
        session: Session[T] = Session(self._count)
        self.bind(session, direction, channel)
        self._awaited[direction][channel] = session
        return session

    def bind(self, session: Session[T], direction: int, channel: int) -> None:
        """An end has a session on a channel, whatever it had there before."""
        session.channels[direction] = channel
        self._channels[direction][channel] = session
        self._drop(self._awaited[1 - direction], session.channels[1 - direction], session)

    def leave(self, direction: int, channel: int) -> None:
        """An end has nothing on a channel any more, or it is not known what."""
        self._channels[direction].pop(channel, None)

    def forget(self, session: Session[T]) -> None:
        """Nobody asks for this session any more."""
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
