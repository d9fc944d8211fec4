"""Requests of AMQP 1.0 and their replies: rows of the table ``exchanges``.

Both ends send ``open``, ``begin``, ``attach``, ``detach``, ``end`` and ``close``. The first one is the request.
"""

from __future__ import annotations

from typing import TypeAlias

from ...decode.events import Event
from ..output import CLOSED, OK, UNANSWERED, Sent, Sink, sent

_MOST_OPEN_REQUESTS = 4096

# A request: the name of the performative, and what distinguishes it from others of that name.
Key: TypeAlias = "tuple[str | int | None, ...]"


def _sent(event: Event) -> Sent:
    return sent(event, event.row[0])


class ConnectionRequests:
    """The open requests of both ends of a connection."""

    __slots__ = ("_connection", "_of_end", "_open", "_sink")

    def __init__(self, connection: int, sink: Sink) -> None:
        self._connection = connection
        self._sink = sink
        self._open: dict[Key, Sent] = {}
        # The keys of all that an end has asked for (None), and by session, so that a close looks at no others.
        self._of_end: dict[tuple[int, str | int | None], dict[Key, None]] = {}

    @property
    def count(self) -> int:
        """Return how many are open."""
        return len(self._open)

    def pair(self, key: Key, event: Event) -> None:
        """Take a performative that the other end answers with the same one."""
        request = self._open.get(key)
        if request is None or request.direction == event.direction:
            self.ask(key, event)
        else:
            self.answer(key, event, True)

    def ask(self, key: Key, event: Event) -> None:
        """Add a request. An open one with the same key has no reply."""
        displaced = key if key in self._open else None
        if displaced is None and len(self._open) >= _MOST_OPEN_REQUESTS:
            displaced = next(iter(self._open))
        if displaced is not None:
            self._sink.exchange(self._connection, self._take(displaced), UNANSWERED)
        self._open[key] = _sent(event)
        for session in {None, *key[1:2]}:
            self._of_end.setdefault((event.direction, session), {})[key] = None

    def _take(self, key: Key) -> Sent:
        request = self._open.pop(key)
        for session in {None, *key[1:2]}:
            place = request.direction, session
            of_end = self._of_end[place]
            del of_end[key]
            if not of_end:
                del self._of_end[place]
        return request

    def answer(self, key: Key, event: Event, certain: bool) -> None:
        """Take a reply.

        Args:
            key: The request that it answers.
            event: The event of the reply.
            certain: True if the request would have been captured. A reply without a request is then out of order.
        """
        request, reply = self._open.get(key), _sent(event)
        if request is not None and request.direction != reply.direction:
            self._sink.exchange(self._connection, self._take(key), OK, reply)
        elif certain:
            self._sink.unasked(self._connection, reply)

    def close(self, event: Event, session: int | None = None) -> None:
        """Close the requests of the other end: this end closes the connection or ends a session.

        A ``close`` or ``end`` of the other end is still answered.
        """
        reply = _sent(event)
        for key in list(self._of_end.get((1 - reply.direction, session), ())):
            if self._open[key].name != reply.name:
                self._sink.exchange(self._connection, self._take(key), CLOSED, reply)

    def finish(self, outcome: str) -> None:
        """Write the rows of requests without a reply; no reply to them follows."""
        for request in self._open.values():
            self._sink.exchange(self._connection, request, outcome)
        self._open.clear()
        self._of_end.clear()
