"""Values in each other, far deeper than anyone needs: refused at the limit, whatever is inside of them."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import pytest

from .bare_values import bare, no_known_types
from .hostile import attempt, nested, survive
from .packages import amqp
from .values import decoded

LimitExceeded = amqp.errors.LimitExceeded
Described, Array, Map, Symbol, ULong = amqp.Described, amqp.Array, amqp.Map, amqp.Symbol, amqp.types.ULong
MANY = 100_000


def nested_keys(levels: int) -> bytes:
    """Maps whose only key is the next map."""
    starts, size = [], 1
    for _ in range(levels):
        size += 10
        starts.append(b"\xd1" + (size - 5).to_bytes(4, "big") + b"\0\0\0\2")
    return b"".join(reversed(starts)) + b"\x40" * (levels + 1)


def array_of(constructor: bytes, octets: int) -> bytes:
    return b"\xf0" + (4 + len(constructor) + octets).to_bytes(4, "big") + b"\0\0\0\1" + constructor


# Levels of one kind around what is innermost, on the wire and as values of Python.
OCTETS: dict[str, Callable[[int], bytes]] = {
    "lists": lambda levels: nested(levels, b"\xd0"),
    "maps": lambda levels: nested(levels, b"\xd1\xa1\x01k"),
    "keys": nested_keys,
    "arrays": lambda levels: nested(levels, b"\xf0", b"\xf0\0\0\0\5\0\0\0\0\x40"),
    "described": lambda levels: b"\0\xa3\1x" * levels + b"\x40",
    "descriptors": lambda levels: b"\0" * levels + b"\x40" * (levels + 1),
    "values": lambda levels: b"\0\x53\x77" * levels + b"\x40",
    "elements": lambda levels: array_of(b"\0\xa3\1x" * levels + b"\x50", 1) + b"\7",
}
VALUES: dict[str, Callable[[Any], Any]] = {
    "lists": lambda inner: [inner],
    "tuples": lambda inner: (inner,),
    "maps": lambda inner: {"k": inner},
    "keys": lambda inner: Map([(inner, None)]),
    "described": lambda inner: Described(Symbol("x"), inner),
    "descriptors": lambda inner: Described(inner, None),
    "values": amqp.messaging.AmqpValue,
    "sequences": lambda inner: amqp.messaging.AmqpSequence([inner]),
    "sources": lambda inner: amqp.messaging.Source(filter={"k": inner}),
    "arrays": lambda inner: Array([Array([[inner]])]),
    "elements": lambda inner: Array([Described(Symbol("x"), [inner])]),
}


def levels_of(octets: bytes, limit: int) -> int:
    """The least ``max_depth`` with which a value is decoded."""
    for depth in range(1, limit + 1):
        if not isinstance(attempt(octets, max_depth=depth), Exception):
            return depth
    return 0


@pytest.mark.parametrize("kind", OCTETS)
def test_the_limit_is_where_it_should_be(kind: str) -> None:
    # Some kinds have one more: an empty list or array inside, or the array around described elements.
    extra = 1 if kind in ("lists", "maps", "arrays", "elements") else 0
    for levels in (1, 2, 10, 40):
        assert levels_of(OCTETS[kind](levels), 64) == levels + extra
    assert survive(OCTETS[kind](64 - extra)) is None
    error = survive(OCTETS[kind](65 - extra))
    assert type(error) is LimitExceeded
    assert error.message == "nested too deep"


@pytest.mark.parametrize("kind", OCTETS)
@pytest.mark.parametrize("max_depth", [1, 64, 128])
def test_a_hundred_thousand_levels(kind: str, max_depth: int) -> None:
    octets = OCTETS[kind](MANY)
    for known in (nullcontext(), no_known_types()):
        with known:
            error = attempt(octets, max_depth=max_depth)
        assert type(error) is LimitExceeded
        assert error.offset < 40 * max_depth
        assert len(error.path) < 20 * max_depth


@pytest.mark.parametrize("kind", OCTETS)
def test_a_hundred_thousand_levels_in_a_frame_and_in_a_message(kind: str) -> None:
    octets = OCTETS[kind](MANY)
    # open.properties, and the body of a message
    performative = b"\0\x53\x10" + (b"\xd0" + (13 + len(octets) + 6 + 5).to_bytes(4, "big") + b"\0\0\0\x0a")
    performative += (
        b"\xa1\1c" + b"\x40" * 8 + b"\xd1" + (4 + 3 + len(octets)).to_bytes(4, "big") + b"\0\0\0\2\xa3\1k"
    )
    frame = (8 + len(performative) + len(octets)).to_bytes(4, "big") + b"\2\0\0\0" + performative + octets
    with pytest.raises(amqp.DecodeError) as caught:
        amqp.decode_frames(frame)
    assert type(caught.value) is LimitExceeded or caught.value.offset < 40
    with pytest.raises(LimitExceeded):
        amqp.decode_message(b"\0\x53\x77" + octets)


@pytest.mark.parametrize("inner", VALUES)
@pytest.mark.parametrize("outer", VALUES)
def test_what_is_written_can_be_read(outer: str, inner: str) -> None:
    """Writers and readers count levels alike: the deepest value that is written is read, one more is refused."""
    value: Any = None
    written = 0
    for _ in range(70):
        value = VALUES[inner](VALUES[outer](value))
        try:
            octets = amqp.encode(value)
        except amqp.EncodeError as error:
            assert error.message == "nested too deep"
            break
        assert decoded(octets) is not None
        # A composite is one level as such, and two when it is taken for a described list.
        assert bare(octets, max_depth=64 if "sources" not in (inner, outer) else 128) is not None
        written += 1
    assert 8 <= written <= 32


@pytest.mark.parametrize("kind", VALUES)
def test_twenty_thousand_levels_are_not_written(kind: str) -> None:
    value: Any = None
    for _ in range(20_000 if kind != "arrays" else 1000):
        value = VALUES[kind](value)
    error = refusal(value)
    assert error.message == "nested too deep"
    assert len(str(error)) < 10_000


def refusal(value: Any) -> Any:
    with pytest.raises(amqp.EncodeError) as caught:
        amqp.encode(value)
    return caught.value


def test_values_that_hold_themselves() -> None:
    items: list[Any] = [1]
    items.append(items)
    entries: dict[str, Any] = {"a": 1}
    entries["b"] = entries
    pairs = Map([(1, None)])
    pairs.pairs.append((pairs, 2))
    described = Described(Symbol("x"), None)
    described.value = described
    descriptor = Described(None, 1)
    descriptor.descriptor = descriptor
    array = Array([[1]])
    array.items.append([array])
    body = amqp.messaging.AmqpValue(None)
    body.value = [body]
    for value, path in [
        (items, "[1][1]"),
        (entries, "b.b"),
        (pairs, "Map"),
        (described, ""),
        (descriptor, "descriptor.descriptor"),
        (array, "[1][0]"),
        (body, "[0][0]"),
    ]:
        for wrapped in (value, [value], {"k": value}, Described("d", value)):
            error = refusal(wrapped)
            assert error.message == "nested too deep"
            assert path in error.path
            assert len(str(error)) < 10_000


def test_the_interpreter_has_room_for_the_deepest_values() -> None:
    """From a call stack that is deep itself, as those of applications are."""

    def deeper(frames: int, call: Callable[[], Any]) -> Any:
        return deeper(frames - 1, call) if frames else call()

    room = sys.getrecursionlimit() - len(inspect.stack()) - 350
    for make in OCTETS.values():
        good, bad = make(60), make(65)[:-1]
        deeper(room, lambda good=good: decoded(good))
        error = deeper(room, lambda bad=bad: attempt(bad))
        assert isinstance(error, amqp.DecodeError)


def test_limits_that_make_no_sense() -> None:
    for depth in (0, -1, 129, 10**6):
        with pytest.raises(ValueError, match="max_depth"):
            amqp.decode(b"\x40", max_depth=depth)
    with pytest.raises(ValueError, match="max_elements"):
        amqp.decode(b"\x40", max_elements=-1)
    assert amqp.decode(b"\x45", max_elements=0) == ([], 1)
    assert type(attempt(b"\xc0\2\1\x40", max_elements=0)) is LimitExceeded
