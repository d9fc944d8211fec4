"""Requests of a 0-x channel and their replies: rows of the table ``exchanges``."""

from __future__ import annotations

from collections.abc import Mapping

from ...decode.events import Event
from ...dialogue.amqp0.requests import OpenRequest, Requests
from ..output import CLOSED, OK, OUT_OF_ORDER, UNANSWERED, Sink, sent


class Exchanges:
    """The rows of a channel: requests with and without replies, and replies without a request."""

    __slots__ = ("_connection", "_requests", "_sink")

    def __init__(self, connection: int, sink: Sink, requests: Requests) -> None:
        """Begin with the open requests of a channel, which keep events."""
        self._connection = connection
        self._sink = sink
        self._requests = requests

    def ask(self, event: Event, name: str, replies: Mapping[int, str]) -> None:
        """Add a request; see ``OpenRequest``."""
        passed_over = self._requests.ask(event.direction, OpenRequest(event, name, replies))
        if passed_over is not None:
            self._put(passed_over, UNANSWERED)

    def answer(self, event: Event, name: str | None) -> Event | None:
        """Take a possible reply.

        ``name`` is that of the reply if its request was certainly captured: without a request it is out of order. None
        to ignore a reply without a request.

        Returns:
            The event of the request that it answers.
        """
        side, kind = 1 - event.direction, event.kind
        answer = self._requests.answer(side, kind)
        if answer is not None:
            request, is_in_turn = answer
            self._put(request, OK if is_in_turn else OUT_OF_ORDER, event, request.replies[kind])
            asked: Event = request.asked
            return asked
        if name is not None:
            self._sink.unasked(self._connection, sent(event, name))
        return None

    def close(self, event: Event, name: str) -> None:
        """Close the requests of the other side: this side closes the channel or the connection."""
        for request in self._requests.close(1 - event.direction, name):
            self._put(request, CLOSED, event, name)

    def end(self, outcome: str) -> None:
        """Write the rows of all open requests; no more replies follow."""
        for request in self._requests.end():
            self._put(request, outcome)

    def _put(
        self, request: OpenRequest, outcome: str, reply: Event | None = None, name: str | None = None
    ) -> None:
        answer = None if reply is None else sent(reply, name or "")
        self._sink.exchange(self._connection, sent(request.asked, request.name), outcome, answer)
