"""Requests of AMQP 1.0 and their replies: rows of the table ``exchanges``.

Both ends send ``open``, ``begin``, ``attach``, ``detach``, ``end`` and ``close``. The first one is the request.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from ...decode.events import Event
from ..output import CLOSED, OK, OUT_OF_ORDER, UNANSWERED, Sink, answered_row, unanswered_row, unasked_row

_MOST_OPEN_REQUESTS = 4096

# A request: the name of the performative, and what distinguishes it from others of that name.
Key: TypeAlias = "tuple[str | int | None, ...]"


class Sent(NamedTuple):
    """A performative that was sent, without its payload."""

    name: str
    frame_no: int
    direction: int
    channel: int
    offset: int
    ns: int


def _sent(event: Event) -> Sent:
    return Sent(event.row[0], event.frame_no, event.direction, event.channel, event.offset, event.ns)


class ConnectionRequests:
    """The open requests of both ends of a connection."""

    __slots__ = ("_connection", "_open", "_sink")

    def __init__(self, connection: int, sink: Sink) -> None:
        self._connection = connection
        self._sink = sink
        self._open: dict[Key, Sent] = {}

    def pair(self, key: Key, event: Event) -> None:
        """Take a performative that the other end answers with the same one."""
        request, sent = self._open.get(key), _sent(event)
        if request is None or request.direction == sent.direction:
            self.ask(key, event)
        else:
            del self._open[key]
            self._put(request, OK, sent)

    def ask(self, key: Key, event: Event) -> None:
        """Add a request. An open one with the same key has no reply."""
        before = self._open.pop(key, None)
        if before is None and len(self._open) >= _MOST_OPEN_REQUESTS:
            before = self._open.pop(next(iter(self._open)))
        if before is not None:
            self._put(before, UNANSWERED)
        self._open[key] = _sent(event)

    def answer(self, key: Key, event: Event, certain: bool) -> None:
        """Take a reply.

        Args:
            key: The request that it answers.
            event: The event of the reply.
            certain: True if the request would have been captured. A reply without a request is then out of order.
        """
        request, sent = self._open.get(key), _sent(event)
        if request is not None and request.direction != sent.direction:
            del self._open[key]
            self._put(request, OK, sent)
        elif certain:
            row = (
                self._connection,
                sent.channel,
                1 - sent.direction,
                sent.name,
                sent.frame_no,
                sent.offset,
                sent.ns,
            )
            self._sink.exchanges.append(unasked_row((*row, OUT_OF_ORDER)))

    def close(self, event: Event, session: int | None = None) -> None:
        """Close the requests of the other end: this end closes the connection or ends a session.

        A ``close`` or ``end`` of the other end is still answered.
        """
        sent = _sent(event)
        for key, request in list(self._open.items()):
            is_other = request.direction != sent.direction and request.name != sent.name
            if is_other and (session is None or session in key[1:2]):
                del self._open[key]
                self._put(request, CLOSED, sent)

    def finish(self) -> None:
        """Write the rows of requests without a reply. No more events follow."""
        for request in self._open.values():
            self._put(request, UNANSWERED)
        self._open.clear()

    def _put(self, request: Sent, outcome: str, reply: Sent | None = None) -> None:
        name, frame_no, direction, channel, offset, ns = request
        asked = (self._connection, channel, name, direction, frame_no, offset, ns, outcome)
        if reply is None:
            self._sink.exchanges.append(unanswered_row(asked))
        else:
            answer = (reply.name, reply.frame_no, reply.offset, reply.ns, reply.ns - ns)
            self._sink.exchanges.append(answered_row((*asked, *answer)))
