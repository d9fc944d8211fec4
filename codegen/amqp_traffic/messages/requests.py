"""Requests of a channel and what answers them: rows of the table ``exchanges``."""

from __future__ import annotations

from collections.abc import Mapping

from ..decode.events import Event
from ..dialogue.amqp0.requests import Request, Requests
from .sink import Sink, answered_row, unanswered_row, unasked_row

OK, CLOSED, UNANSWERED, OUT_OF_ORDER = "ok", "closed", "unanswered", "out-of-order"


class Exchanges:
    """Writes a row for each request that is answered or given up, and for replies to nothing."""

    __slots__ = ("_connection", "_requests", "_sink")

    def __init__(self, connection: int, sink: Sink, requests: Requests) -> None:
        """Begin.

        Args:
            connection: The number of the connection.
            sink: Takes rows.
            requests: What is open; events are what is kept of requests.
        """
        self._connection = connection
        self._sink = sink
        self._requests = requests

    def ask(self, event: Event, name: str, replies: Mapping[int, str]) -> None:
        """A side asks for something; see ``Request``."""
        passed_over = self._requests.ask(event.direction, Request(event, name, replies))
        if passed_over is not None:
            self._put(passed_over, UNANSWERED)

    def answer(self, event: Event, name: str | None) -> Event | None:
        """A side sends what may be a reply.

        Args:
            event: What happened.
            name: That of the reply, if there must have been a request for it; if it is None, it is not told when
                there is none.

        Returns:
            The request that it answers.
        """
        side, kind = 1 - event.direction, event.kind
        answer = self._requests.answer(side, kind)
        if answer is not None:
            request, is_in_turn = answer
            self._put(request, OK if is_in_turn else OUT_OF_ORDER, event, request.replies[kind])
            asked: Event = request.asked
            return asked
        if name is not None:
            row = (
                self._connection,
                event.channel,
                side,
                name,
                event.frame_no,
                event.offset,
                event.ns,
                OUT_OF_ORDER,
            )
            self._sink.exchanges.append(unasked_row(row))
        return None

    def close(self, event: Event, name: str) -> None:
        """A side closes the channel or the connection: what the other one asked for gets no other answer."""
        for request in self._requests.close(1 - event.direction, name):
            self._put(request, CLOSED, event, name)

    def end(self, outcome: str) -> None:
        """No reply comes any more, to neither side."""
        for request in self._requests.end():
            self._put(request, outcome)

    def _put(
        self, request: Request, outcome: str, reply: Event | None = None, name: str | None = None
    ) -> None:
        _, frame_no, direction, channel, _, _, _, offset, ns = request.asked
        asked = (self._connection, channel, request.name, direction, frame_no, offset, ns, outcome)
        if reply is None:
            self._sink.exchanges.append(unanswered_row(asked))
        else:
            answer = (name, reply.frame_no, reply.offset, reply.ns, reply.ns - ns)
            self._sink.exchanges.append(answered_row((*asked, *answer)))
