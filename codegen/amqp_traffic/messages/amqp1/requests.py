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

    __slots__ = ("_connection", "_open", "_sink")

    def __init__(self, connection: int, sink: Sink) -> None:
        self._connection = connection
        self._sink = sink
        self._open: dict[Key, Sent] = {}

    def pair(self, key: Key, event: Event) -> None:
        """Take a performative that the other end answers with the same one."""
        request = self._open.get(key)
        if request is None or request.direction == event.direction:
            self.ask(key, event)
        else:
            self.answer(key, event, True)

    def ask(self, key: Key, event: Event) -> None:
        """Add a request. An open one with the same key has no reply."""
        before = self._open.pop(key, None)
        if before is None and len(self._open) >= _MOST_OPEN_REQUESTS:
            before = self._open.pop(next(iter(self._open)))
        if before is not None:
            self._sink.exchange(self._connection, before, UNANSWERED)
        self._open[key] = _sent(event)

    def answer(self, key: Key, event: Event, certain: bool) -> None:
        """Take a reply.

        Args:
            key: The request that it answers.
            event: The event of the reply.
            certain: True if the request would have been captured. A reply without a request is then out of order.
        """
        request, reply = self._open.get(key), _sent(event)
        if request is not None and request.direction != reply.direction:
            del self._open[key]
            self._sink.exchange(self._connection, request, OK, reply)
        elif certain:
            self._sink.unasked(self._connection, reply)

    def close(self, event: Event, session: int | None = None) -> None:
        """Close the requests of the other end: this end closes the connection or ends a session.

        A ``close`` or ``end`` of the other end is still answered.
        """
        reply = _sent(event)
        for key, request in list(self._open.items()):
            is_other = request.direction != reply.direction and request.name != reply.name
            if is_other and (session is None or session in key[1:2]):
                del self._open[key]
                self._sink.exchange(self._connection, request, CLOSED, reply)

    def finish(self) -> None:
        """Write the rows of requests without a reply. No more events follow."""
        for request in self._open.values():
            self._sink.exchange(self._connection, request, UNANSWERED)
        self._open.clear()
