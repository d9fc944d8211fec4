"""What pairs requests with replies: for each method of a 0-x package, its replies and its no-wait field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from amqp_codegen.support.resources import load_module, load_package

# They answer the server and are answered in turn. A login has one exchange for each method of the server.
_LOGIN_REPLIES = ("connection.start-ok", "connection.secure-ok")
_NO_WAIT = ("no_wait", "nowait")


@dataclass(frozen=True, slots=True)
class MethodTraits:
    """What pairs a method with others.

    Attributes:
        name: For example ``queue.declare``.
        replies: The names of the methods that may answer it, by class id << 16 | method id.
        is_reply: True if it may answer a request.
        no_wait: The index of the no-wait field in its rows; None if it has none.
    """

    name: str
    replies: Mapping[int, str]
    is_reply: bool
    no_wait: int | None

    def wants_reply(self, row: tuple[Any, ...] | None) -> bool:
        """True if the method expects a reply: no-wait is not set, or its row is unreadable."""
        return bool(self.replies) and not (row is not None and self.no_wait is not None and row[self.no_wait])


@cache
def methods_of(package: str) -> Mapping[int, MethodTraits]:
    """Return the methods of a package by class id << 16 | method id; none if ``package`` is empty."""
    if not package:
        return {}
    methods = load_package(package).METHODS
    rows = load_module(package, "columns").MethodColumns().gathered
    kinds = {method.NAME: kind for kind, method in methods.items()}
    replies = {
        kind: [] if method.NAME in _LOGIN_REPLIES else [reply.NAME for reply in method.RESPONSES]
        for kind, method in methods.items()
    }
    answers = {name for names in replies.values() for name in names}
    return {
        kind: MethodTraits(
            method.NAME,
            {kinds[name]: name for name in replies[kind]},
            method.NAME in answers,
            next((at for at, (name, _) in enumerate(rows[kind].kind.columns) if name in _NO_WAIT), None),
        )
        for kind, method in methods.items()
    }


def without_ticket(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a row without the access ticket, the first field in 0-8 and 0-9, so that all versions begin alike."""
    return row[1:] if isinstance(row[0], int) else row
