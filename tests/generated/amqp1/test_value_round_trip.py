"""Any value comes back as what it was, in value and type, from the shortest octets there are for it."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples

from .packages import amqp
from .reference_writer import write
from .values import VALUES, decoded, identity


@given(value=VALUES)
@examples(400)
def test_value_and_type_survive(value: Any) -> None:
    octets = amqp.encode(value)
    again = decoded(octets)
    assert identity(again) == identity(value)
    assert amqp.encode(again) == octets


@given(value=VALUES)
@examples(400)
def test_the_shortest_form_is_written(value: Any) -> None:
    assert amqp.encode(value) == write(value)


@given(value=VALUES, data=st.data())
@examples(400)
def test_every_form_is_read(value: Any, data: st.DataObject) -> None:
    octets = write(value, lambda codes: data.draw(st.sampled_from(codes)))
    again = decoded(octets)
    assert identity(again) == identity(value)
    # Arrays that came without data stay so; all else is written in the shortest form.
    assert identity(decoded(amqp.encode(again))) == identity(value)
    assert len(amqp.encode(again)) <= max(len(octets), len(write(value)))


@given(value=VALUES, before=st.binary(max_size=5), after=st.binary(max_size=5))
@examples(100)
def test_the_octets_around_a_value_do_not_matter(value: Any, before: bytes, after: bytes) -> None:
    octets = amqp.encode(value)
    whole = before + octets + after
    for buffer in (whole, bytearray(whole), memoryview(whole)):
        again, end = amqp.decode(buffer, len(before))
        assert end == len(before) + len(octets)
        assert identity(again) == identity(value)


@given(values=st.lists(VALUES, max_size=4))
@examples(50)
def test_one_value_after_the_other(values: list[Any]) -> None:
    octets = b"".join(map(amqp.encode, values))
    position = 0
    for value in values:
        again, position = amqp.decode(octets, position)
        assert identity(again) == identity(value)
    assert position == len(octets)
