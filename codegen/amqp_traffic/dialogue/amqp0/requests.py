"""Requests of a channel of 0-x that have no reply yet, and which of them a reply answers."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any, NamedTuple

MOST_OPEN = 4096  # of a channel and a direction


class Request(NamedTuple):
    """A request that has no reply yet.

    Attributes:
        asked: What is kept of it.
        name: Its name.
        replies: What may answer it, as it is called there, with names.
    """

    asked: Any
    name: str
    replies: Mapping[Any, str]


class Answer(NamedTuple):
    """A reply to a request.

    Attributes:
        request: The request.
        is_in_turn: Whether it was the oldest one that is not in doubt.
    """

    request: Request
    is_in_turn: bool


class Requests:
    """The requests of both sides of a channel that are open.

    Replies come in the order of the requests. One that answers another than the oldest is out of order. Requests that
    were passed over, or whose replies may be lost, are in doubt: a reply is for another one, if there is one, and they
    put no reply out of order.
    """

    __slots__ = ("_in_doubt", "_open")

    def __init__(self) -> None:
        self._open: tuple[list[Request], list[Request]] = ([], [])
        self._in_doubt = [0, 0]  # so many of the oldest

    def ask(self, side: int, request: Request) -> Request | None:
        """A side asks for something. Return a request that there is no room for any more."""
        waiting, passed_over = self._open[side], None
        if len(waiting) >= MOST_OPEN:
            passed_over = waiting.pop(0)
            self._in_doubt[side] = max(self._in_doubt[side] - 1, 0)
        waiting.append(request)
        return passed_over

    def answer(self, side: int, kind: int | str) -> Answer | None:
        """The other side sends what may be a reply to what a side asked. Return the request that it answers."""
        waiting, first = self._open[side], self._in_doubt[side]
        for place in chain(range(first, len(waiting)), range(first)):
            request = waiting[place]
            if kind in request.replies:
                del waiting[place]
                self._in_doubt[side] = place if place >= first else first - 1
                return Answer(request, place <= first)
        return None

    def lose(self, side: int) -> None:
        """Replies to a side may be missing."""
        self._in_doubt[side] = len(self._open[side])

    def has(self, name: str) -> bool:
        """Whether a side waits for a reply to that."""
        return any(request.name == name for waiting in self._open for request in waiting)

    def close(self, side: int, name: str) -> list[Request]:
        """The other side closes the channel or the connection. Return what a side asked and is not answered any more.

        That this side closes, too, will be answered.
        """
        waiting = self._open[side]
        kept = [request for request in waiting if request.name == name]
        over = [request for request in waiting if request.name != name]
        waiting[:] = kept
        self._in_doubt[side] = 0
        return over

    def end(self) -> list[Request]:
        """No reply comes any more. Return what is open."""
        over = [*self._open[0], *self._open[1]]
        self._open = ([], [])
        self._in_doubt = [0, 0]
        return over
