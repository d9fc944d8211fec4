"""Requests of a channel and what answers them: rows of the table ``exchanges``."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import NamedTuple

from ..event import Event
from .sink import Sink

OK, CLOSED, UNANSWERED, OUT_OF_ORDER = "ok", "closed", "unanswered", "out-of-order"
MOST_OPEN = 4096  # of a channel and a direction


class Request(NamedTuple):
    """A request that has no reply yet.

    Attributes:
        event: What happened.
        name: Its name.
        replies: What may answer it, with names: methods as in events, performatives by name.
    """

    event: Event
    name: str
    replies: Mapping[int, str]


class Requests:
    """The requests of both sides of a channel that are open.

    Replies come in the order of the requests. One that answers another than the oldest is out of order, and so is one
    that answers none. Requests that were passed over, or whose replies may be lost, are in doubt: a reply is for
    another one, if there is one, and they put no reply out of order.
    """

    __slots__ = ("_connection", "_in_doubt", "_open", "_sink")

    def __init__(self, connection: int, sink: Sink) -> None:
        """Begin without.

        Args:
            connection: The number of the connection.
            sink: Takes rows.
        """
        self._connection = connection
        self._sink = sink
        self._open: tuple[list[Request], list[Request]] = ([], [])
        self._in_doubt = [0, 0]  # so many of the oldest

    def ask(self, event: Event, name: str, replies: Mapping[int, str]) -> None:
        """A side asks for something; see ``Request``."""
        side = event[2]
        waiting = self._open[side]
        if len(waiting) >= MOST_OPEN:
            self._put(waiting.pop(0), UNANSWERED)
            self._in_doubt[side] = max(self._in_doubt[side] - 1, 0)
        waiting.append(Request(event, name, replies))

    def answer(self, event: Event, name: str | None) -> Event | None:
        """A side sends what may be a reply.

        Args:
            event: What happened.
            name: That of the reply, if there must have been a request for it; if it is None, it is not told when
                there is none.

        Returns:
            The request that it answers.
        """
        side, kind = 1 - event[2], event[4]
        waiting, first = self._open[side], self._in_doubt[side]
        for place in chain(range(first, len(waiting)), range(first)):
            request = waiting[place]
            if kind in request.replies:
                del waiting[place]
                self._in_doubt[side] = place if place >= first else first - 1
                outcome = OUT_OF_ORDER if place > first else OK
                self._put(request, outcome, event, request.replies[kind])
                return request.event
        if name is not None:
            self._sink.exchanges.append(
                (self._connection, event[3], None, side, None, None, None, name, event[1], event[7],
                 event[8], None, OUT_OF_ORDER)
            )  # fmt: skip
        return None

    def lose(self, direction: int) -> None:
        """Frames of that direction are missing, and replies may be among them."""
        self._in_doubt[1 - direction] = len(self._open[1 - direction])

    def has(self, name: str) -> bool:
        """Whether a side waits for a reply to that."""
        return any(request.name == name for waiting in self._open for request in waiting)

    def close(self, event: Event, name: str) -> None:
        """A side closes the channel or the connection: what the other one asked for gets no other answer.

        That the other one closes, too, will be answered.
        """
        waiting = self._open[1 - event[2]]
        kept = [request for request in waiting if request.name == name]
        for request in waiting:
            if request.name != name:
                self._put(request, CLOSED, event, name)
        waiting[:] = kept
        self._in_doubt[1 - event[2]] = 0

    def end(self, outcome: str) -> None:
        """No reply comes any more, to neither side."""
        for waiting in self._open:
            for request in waiting:
                self._put(request, outcome)
            waiting.clear()
        self._in_doubt = [0, 0]

    def _put(
        self, request: Request, outcome: str, reply: Event | None = None, name: str | None = None
    ) -> None:
        _, frame_no, direction, channel, _, _, _, offset, ns = request.event
        asked = (self._connection, channel, request.name, direction, frame_no, offset, ns)
        if reply is None:
            self._sink.exchanges.append((*asked, None, None, None, None, None, outcome))
        else:
            self._sink.exchanges.append((*asked, name, reply[1], reply[7], reply[8], reply[8] - ns, outcome))
