"""Open requests of a 0-x channel, and which of them a reply answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import chain
from typing import Any, NamedTuple

MOST_OPEN = 4096  # requests of a channel and a direction


class OpenRequest(NamedTuple):
    """A request without a reply.

    Attributes:
        asked: What the caller keeps of it.
        replies: The names of what may answer it, by the caller's key of a method.
    """

    asked: Any
    name: str
    replies: Mapping[Any, str]


class AnsweredRequest(NamedTuple):
    """A request that a reply answers.

    Attributes:
        is_in_turn: True if it was the oldest one that is not in doubt.
    """

    request: OpenRequest
    is_in_turn: bool


class Requests:
    """The open requests of both sides of a channel.

    Replies come in the order of the requests; a reply to another than the oldest request is out of order. A request is
    in doubt if it was passed over or its reply may be lost. A reply goes to a request that is not in doubt first, and
    requests in doubt do not make a reply out of order.
    """

    __slots__ = ("_awaited", "_in_doubt", "_open")

    def __init__(self) -> None:
        self._open: tuple[list[OpenRequest], list[OpenRequest]] = ([], [])
        self._in_doubt = [0, 0]  # by side: how many of the oldest are in doubt
        # By side: how many requests each kind of reply may answer, so that none is looked for in vain.
        self._awaited: tuple[Counter[int | str], Counter[int | str]] = (Counter(), Counter())

    @property
    def count(self) -> int:
        """Return how many requests are open, of both sides."""
        return sum(map(len, self._open))

    def ask(self, side: int, request: OpenRequest) -> OpenRequest | None:
        """Add a request of a side. Return the oldest one if there is no room for it any more."""
        waiting, passed_over = self._open[side], None
        if len(waiting) >= MOST_OPEN:
            passed_over = waiting.pop(0)
            self._awaited[side].subtract(passed_over.replies.keys())
            self._in_doubt[side] = max(self._in_doubt[side] - 1, 0)
        waiting.append(request)
        self._awaited[side].update(request.replies.keys())
        return passed_over

    def answer(self, side: int, kind: int | str) -> AnsweredRequest | None:
        """Take a possible reply of the other side. Return the request of this side that it answers."""
        waiting, first = self._open[side], self._in_doubt[side]
        if self._awaited[side][kind] == 0:
            return None
        for place in chain(range(first, len(waiting)), range(first)):
            request = waiting[place]
            if kind in request.replies:
                del waiting[place]
                self._awaited[side].subtract(request.replies.keys())
                self._in_doubt[side] = place if place >= first else first - 1
                return AnsweredRequest(request, place <= first)
        return None

    def lose(self, side: int) -> None:
        """Put the requests of a side in doubt: replies to them may be missing."""
        self._in_doubt[side] = len(self._open[side])

    def has(self, name: str) -> bool:
        """True if either side waits for a reply to a method of this name."""
        return any(request.name == name for waiting in self._open for request in waiting)

    def close(self, side: int, name: str) -> list[OpenRequest]:
        """Remove and return the requests of a side that the other side will not answer, as it closes.

        ``name`` is its channel.close or connection.close. If this side closes, too, that is still answered.
        """
        waiting = self._open[side]
        kept = [request for request in waiting if request.name == name]
        over = [request for request in waiting if request.name != name]
        waiting[:] = kept
        for request in over:
            self._awaited[side].subtract(request.replies.keys())
        self._in_doubt[side] = 0
        return over

    def end(self) -> list[OpenRequest]:
        """Remove and return all open requests; no more replies follow."""
        over = [*self._open[0], *self._open[1]]
        self._open = ([], [])
        self._in_doubt = [0, 0]
        self._awaited = (Counter(), Counter())
        return over
