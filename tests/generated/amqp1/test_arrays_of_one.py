"""A field that may have several values: an ``Array`` of one is written as an array, for peers that take nothing else (1.4)."""

from __future__ import annotations

from typing import Any

import pytest

from .packages import amqp

Attach, Open, Source = amqp.performatives.Attach, amqp.performatives.Open, amqp.messaging.Source
ONE = b"\xe0\x06\x01\xa3\x03one"  # array8 of 6 octets, one element of sym8
BARE = b"\xa3\x03one"


@pytest.mark.parametrize(
    ("given", "octets"),
    [(["one"], BARE), ("one", BARE), (amqp.Array(["one"]), ONE), (amqp.Array(["one"], "symbol"), ONE)],
)
def test_how_one_value_is_written(given: Any, octets: bytes) -> None:
    frame = amqp.encode_frame(0, Open("c", offered_capabilities=given))
    assert octets in frame and (octets is ONE) == (ONE in frame)
    [(_, read, _)], _ = amqp.decode_frames(frame)
    assert read.offered_capabilities == ["one"]


@pytest.mark.parametrize("values", [[], ["a", "b"], ["x" * 300]])
def test_other_counts_are_written_as_ever(values: list[str]) -> None:
    as_list = amqp.encode_frame(0, Open("c", offered_capabilities=values))
    as_array = amqp.encode_frame(0, Open("c", offered_capabilities=amqp.Array(values, "symbol")))
    assert (as_list == as_array) == (len(values) != 1)
    [(_, read, _)], _ = amqp.decode_frames(as_array)
    assert read.offered_capabilities == values


def test_a_value_of_the_wrong_type_is_named() -> None:
    with pytest.raises(amqp.EncodeError, match=r"open.offered-capabilities\[0\]"):
        amqp.encode_frame(0, Open("c", offered_capabilities=amqp.Array([5], "uint")))


def test_it_is_judged_and_printed_like_a_list() -> None:
    source = Source(capabilities=amqp.Array(["one"]))
    amqp.validate(Attach("l", 0, amqp.performatives.Role.RECEIVER, source=source))
    assert "capabilities=Array(['one'], 'string')" in repr(source)
