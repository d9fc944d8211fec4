"""Requests of AMQP 1.0 and what answers them: rows of the table ``exchanges``.

Both ends send ``open``, ``begin``, ``attach``, ``detach``, ``end`` and ``close``: what comes first is the request.
"""

from __future__ import annotations

from typing import TypeAlias

from ...decode.events import Event
from ..requests import CLOSED, OK, OUT_OF_ORDER, UNANSWERED
from ..sink import Sink, answered_row, unanswered_row, unasked_row

_MOST_OPEN = 4096

# What is asked for: the name of the performative, and what tells it from others of that name.
Key: TypeAlias = "tuple[str | int | None, ...]"


class ConnectionRequests:
    """The requests of both ends of a connection that are open."""

    __slots__ = ("_connection", "_open", "_sink")

    def __init__(self, connection: int, sink: Sink) -> None:
        """Begin without.

        Args:
            connection: The number of the connection.
            sink: Takes rows.
        """
        self._connection = connection
        self._sink = sink
        # Frame number, direction, channel, offset and time of each: payloads are not held.
        self._open: dict[Key, tuple[int, int, int, int, int]] = {}

    def pair(self, key: Key, event: Event) -> None:
        """An end sends what the other one answers with the same."""
        request = self._open.get(key)
        if request is None or request[1] == event.direction:
            self.ask(key, event)
        else:
            del self._open[key]
            self._put(request, str(key[0]), OK, event)

    def ask(self, key: Key, event: Event) -> None:
        """An end asks for something."""
        before = self._open.pop(key, None)
        if before is None and len(self._open) >= _MOST_OPEN:
            key_before = next(iter(self._open))
            before = self._open.pop(key_before)
            self._put(before, str(key_before[0]), UNANSWERED)
        elif before is not None:
            self._put(before, str(key[0]), UNANSWERED)
        _, frame_no, direction, channel, _, _, _, offset, ns = event
        self._open[key] = frame_no, direction, channel, offset, ns

    def answer(self, key: Key, event: Event, certain: bool) -> None:
        """An end sends what must be an answer.

        Args:
            key: What was asked for.
            event: What happened.
            certain: Whether the request would have been captured.
        """
        request = self._open.get(key)
        if request is not None and request[1] != event.direction:
            del self._open[key]
            self._put(request, str(key[0]), OK, event)
        elif certain:
            name = event.row[0]
            row = (
                self._connection,
                event.channel,
                1 - event.direction,
                name,
                event.frame_no,
                event.offset,
                event.ns,
            )
            self._sink.exchanges.append(unasked_row((*row, OUT_OF_ORDER)))

    def close(self, event: Event, session: int | None = None) -> None:
        """An end closes the connection, or ends a session: what the other one asked for gets no other answer.

        That the other one closes or ends it, too, will be answered.
        """
        own = event.row[0]
        for key, request in list(self._open.items()):
            if request[1] != event.direction and key[0] != own and (session is None or session in key[1:2]):
                del self._open[key]
                self._put(request, str(key[0]), CLOSED, event)

    def finish(self) -> None:
        """Nothing more comes."""
        for key, request in self._open.items():
            self._put(request, str(key[0]), UNANSWERED)
        self._open.clear()

    def _put(
        self, request: tuple[int, int, int, int, int], name: str, outcome: str, reply: Event | None = None
    ) -> None:
        frame_no, direction, channel, offset, ns = request
        asked = (self._connection, channel, name, direction, frame_no, offset, ns, outcome)
        if reply is None:
            self._sink.exchanges.append(unanswered_row(asked))
        else:
            answer = (reply.row[0], reply.frame_no, reply.offset, reply.ns, reply.ns - ns)
            self._sink.exchanges.append(answered_row((*asked, *answer)))
