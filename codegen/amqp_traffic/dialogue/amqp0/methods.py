"""What there is to know about the methods of a 0-x package to pair requests with replies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from amqp_codegen.support.packages import load_module, load_package

_OK = "-ok"
_NO_WAIT = ("no_wait", "nowait")


@dataclass(frozen=True, slots=True)
class MethodTraits:
    """A method.

    Attributes:
        name: For example ``queue.declare``.
        replies: The methods that may answer it, by class id << 16 | method id, with their names.
        is_reply: Whether it may answer a request.
        no_wait: Where in its rows it says that it wants no reply; None if it cannot.
    """

    name: str
    replies: Mapping[int, str]
    is_reply: bool
    no_wait: int | None

    def wants_reply(self, row: tuple[Any, ...] | None) -> bool:
        """Whether it waits for a reply, as far as its row can be read."""
        return bool(self.replies) and not (row is not None and self.no_wait is not None and row[self.no_wait])


@cache
def methods_of(package: str) -> Mapping[int, MethodTraits]:
    """The methods of a package by class id << 16 | method id; none if there is no package."""
    if not package:
        return {}
    methods = load_package(package).METHODS
    rows = load_module(package, "columns").MethodColumns().gathered
    kinds = {method.NAME: kind for kind, method in methods.items()}
    replies = {kind: [reply.NAME for reply in method.RESPONSES] for kind, method in methods.items()}
    answers = {name for names in replies.values() for name in names}
    for kind, method in methods.items():
        # Of basic.recover-ok no version says that it answers basic.recover.
        reply = method.NAME + _OK
        if reply in kinds and reply not in answers:
            replies[kind].append(reply)
            answers.add(reply)
    return {
        kind: MethodTraits(
            method.NAME,
            {kinds[name]: name for name in replies[kind]},
            method.NAME in answers,
            _place_of_no_wait(rows[kind].kind.columns),
        )
        for kind, method in methods.items()
    }


def _place_of_no_wait(columns: tuple[tuple[str, str], ...]) -> int | None:
    return next((place for place, (name, _) in enumerate(columns) if name in _NO_WAIT), None)


def without_ticket(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """A row without the access ticket that comes first in 0-8 and 0-9, so that it begins alike in all versions."""
    return row[1:] if isinstance(row[0], int) else row
