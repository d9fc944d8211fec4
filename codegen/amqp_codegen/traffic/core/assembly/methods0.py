"""What there is to know about methods of 0-x to pair requests with replies, of all versions at once.

No version is asked for, because that of a connection whose beginning was not captured is narrowed down as its frames
come, and rows must not depend on when. A method is known by its number and by how many columns its row has: that is
enough to tell the versions apart where numbers mean different things.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from ....packages import load_module, load_package

# Where a number is not certain (the row cannot be read), it means what it means in the first of these that has it.
_PACKAGES = ("amqp_0_9_1_rabbitmq", "amqp_0_9_1", "amqp_0_9", "amqp_0_8")
_OK = "-ok"
_NO_WAIT = ("no_wait", "nowait")


@dataclass(frozen=True, slots=True)
class Method0:
    """A method.

    Attributes:
        name: For example ``queue.declare``.
        replies: The methods that may answer it, with their names; nothing if it is no request.
        has_no_wait: Whether it can say that it wants no reply.
        is_reply: Whether it may answer a request.
    """

    name: str
    replies: Mapping[int, str]
    has_no_wait: bool
    is_reply: bool


def find_method(kind: int, row: tuple[Any, ...] | None) -> Method0 | None:
    """The method with that class id << 16 | method id, of which this is a row; None if there is none."""
    return _methods().get((kind, 0 if row is None else len(row)))


def wants_reply(method: Method0, row: tuple[Any, ...] | None) -> bool:
    """Whether a request waits for its reply. In every version no-wait is the last bit of those methods that have it."""
    if not method.has_no_wait or row is None:
        return bool(method.replies)
    return next((not value for value in reversed(row) if value is True or value is False), True)


def without_ticket(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """A row without the access ticket that comes first in 0-8 and 0-9, so that it begins alike in all versions."""
    return row[1:] if isinstance(row[0], int) else row


@cache
def _methods() -> dict[tuple[int, int], Method0]:
    """By number and count of columns; with count 0 for rows that cannot be read."""
    found: dict[tuple[int, int], Method0] = {}
    for package in _PACKAGES:
        for kind, columns, method in _methods_of(package):
            found.setdefault((kind, columns), method)
            found.setdefault((kind, 0), method)
    replies = {kind for method in found.values() for kind in method.replies}
    return {
        key: Method0(method.name, method.replies, method.has_no_wait, key[0] in replies)
        for key, method in found.items()
    }


def _methods_of(package: str) -> Iterator[tuple[int, int, Method0]]:
    """Number, count of columns, and the method; whether it is a reply is left open."""
    methods = load_package(package).METHODS
    rows = {
        kind: it.kind.columns for kind, it in load_module(package, "columns").MethodColumns().gathered.items()
    }
    kinds = {method.NAME: kind for kind, method in methods.items()}
    replies = {kind: [reply.NAME for reply in method.RESPONSES] for kind, method in methods.items()}
    answered = {name for names in replies.values() for name in names}
    for kind, method in methods.items():
        # Of basic.recover-ok no version says that it answers basic.recover.
        reply = method.NAME + _OK
        if reply in kinds and reply not in answered:
            replies[kind].append(reply)
    for kind, method in methods.items():
        has_no_wait = any(name in _NO_WAIT for name, _ in rows[kind])
        yield (
            kind,
            len(rows[kind]),
            Method0(method.NAME, {kinds[name]: name for name in replies[kind]}, has_no_wait, False),
        )
