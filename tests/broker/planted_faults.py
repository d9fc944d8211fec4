"""Faults to plant into a broker: each changes one thing in what goes through a relay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from .relay import Fault, Passage

# --- which methods of a name are meant ---

Condition = Callable[[Passage], bool]


def every(passage: Passage) -> bool:
    return True


def where(**values: Any) -> Condition:
    """Those that have these values in their fields."""
    return lambda passage: all(getattr(passage.method, name) == value for name, value in values.items())


def containing(field: str, part: str) -> Condition:
    """Those with this part in a field of text."""
    return lambda passage: part in getattr(passage.method, field)


def to_the_client(passage: Passage) -> bool:
    return passage.to == "client"


def to_the_broker(passage: Passage) -> bool:
    return passage.to == "broker"


def more_often_than(count: int, thing: Callable[[Passage], object]) -> Condition:
    """Those that come when so many have come for the same thing."""
    seen: Counter[object] = Counter()

    def is_meant(passage: Passage) -> bool:
        seen[thing(passage)] += 1
        return seen[thing(passage)] > count

    return is_meant


def both(first: Condition, second: Condition) -> Condition:
    """Those that are meant by both; the second is asked only about those that the first means."""
    return lambda passage: first(passage) and second(passage)


# --- what becomes of them ---


def _instead(name: str, meant: Condition, become: Callable[[Passage], list[Passage]]) -> Fault:
    return lambda passage: become(passage) if passage.name == name and meant(passage) else [passage]


def change(name: str, meant: Condition = every, **values: Any) -> Fault:
    """Sets fields of a method."""
    return _instead(name, meant, lambda passage: [passage.changed(**values)])


def drop(name: str, meant: Condition = every) -> Fault:
    """Lets a method get lost, with its content."""
    return _instead(name, meant, lambda passage: [])


def repeat(name: str, meant: Condition = every) -> Fault:
    """Says a method twice, with its content."""
    return _instead(name, meant, lambda passage: [passage, passage])


def pretend(name: str, meant: Condition = every, **values: Any) -> Fault:
    """Keeps a method from the broker, and answers that it was done."""

    def answer(passage: Passage) -> list[Passage]:
        return [passage.answer(passage.method.RESPONSES[0](**values))]

    return _instead(name, meant, answer)


def refuse(name: str, meant: Condition = every) -> Fault:
    """Keeps a method from the broker, and closes the channel."""

    def close(passage: Passage) -> list[Passage]:
        return [passage.answer(passage.amqp.methods.ChannelClose(reply_code=506, reply_text="planted"))]

    return _instead(name, meant, close)


def close_the_connection_for(code: int) -> Fault:
    """Closes the connection where only the channel is to be closed."""

    def close(passage: Passage) -> list[Passage]:
        methods = passage.amqp.methods
        return [passage.answer(methods.ConnectionClose(reply_code=code, reply_text="planted"), channel=0)]

    return _instead("channel.close", where(reply_code=code), close)


def overtake(name: str, slow: Condition, thing: Callable[[Passage], object]) -> Fault:
    """Holds a method back until the next one for the same thing has gone before it."""
    held: dict[object, Passage] = {}

    def pass_on(passage: Passage) -> list[Passage]:
        if slow(passage):
            held[thing(passage)] = passage
            return []
        waiting = held.pop(thing(passage), None)
        return [passage, waiting] if waiting else [passage]

    return _instead(name, every, pass_on)
