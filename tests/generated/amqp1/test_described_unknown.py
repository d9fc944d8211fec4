"""Described values of types that the package does not know: they pass through it unchanged."""

from __future__ import annotations

from typing import Any

import pytest
from amqp_1_0.described import CLASSES
from hypothesis import given

from tests.sampling import examples

from .bare_values import bare
from .packages import BY_NAME, amqp
from .reference_writer import write
from .values import DESCRIPTORS, VALUES, decoded, identity

Described, ULong, Symbol, UInt = amqp.Described, amqp.types.ULong, amqp.Symbol, amqp.types.UInt


@given(descriptor=DESCRIPTORS, value=VALUES)
@examples(300)
def test_the_same_octets_come_out(descriptor: Any, value: Any) -> None:
    octets = b"\0" + write(descriptor) + write(value)
    found = decoded(octets)
    assert type(found) is Described
    assert identity(found.descriptor) == identity(descriptor)
    assert identity(found.value) == identity(value)
    assert amqp.encode(found) == octets
    assert amqp.encode(Described(descriptor, value)) == octets


@given(descriptor=VALUES, value=VALUES)
@examples(100)
def test_any_value_may_be_a_descriptor(descriptor: Any, value: Any) -> None:
    octets = b"\0" + write(descriptor) + write(value)
    found = bare(octets)
    assert (identity(found.descriptor), identity(found.value)) == (identity(descriptor), identity(value))
    assert amqp.encode(found) == octets


@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_only_numbers_and_symbols_describe_known_types(name: str) -> None:
    cls = BY_NAME[name]
    for descriptor in (
        UInt(cls.CODE & 0xFFFFFFFF),
        cls.CODE,
        float(cls.CODE),
        cls.SYMBOL,
        cls.SYMBOL.encode(),
    ):
        # What would be refused if the type were known.
        for value in ("nonsense", [object] * 0, {}, 5):
            octets = amqp.encode(Described(descriptor, value))
            found = decoded(octets)
            assert type(found) is Described
            assert amqp.encode(found) == octets


@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_numbers_near_those_of_known_types(name: str) -> None:
    cls = BY_NAME[name]
    for code in (cls.CODE + 2**32, cls.CODE + 2**63, cls.CODE ^ 0x80):
        assert code not in CLASSES
        octets = amqp.encode(Described(ULong(code), "nonsense"))
        assert amqp.encode(decoded(octets)) == octets
    for symbol in (cls.SYMBOL.upper(), cls.SYMBOL + " ", cls.SYMBOL[:-1], cls.SYMBOL + "\0"):
        octets = amqp.encode(Described(Symbol(symbol), "nonsense"))
        assert amqp.encode(decoded(octets)) == octets


def test_unknown_values_inside_known_ones() -> None:
    unknown = Described(Symbol("x:y"), [1, Described(ULong(2**40), {"k": Described("d", None)})])
    source = amqp.messaging.Source(filter={"f": unknown})
    again = decoded(amqp.encode(source))
    assert type(again) is type(source)
    assert identity(again.filter["f"]) == identity(unknown)
    value = decoded(amqp.encode(amqp.messaging.AmqpValue(unknown)))
    assert identity(value.value) == identity(unknown)


def test_known_values_inside_unknown_ones() -> None:
    accepted = amqp.messaging.Accepted()
    found = decoded(amqp.encode(Described(Symbol("x"), [accepted, {"k": accepted}])))
    assert found == Described(Symbol("x"), [accepted, {"k": accepted}])
    assert type(found.value[0]) is type(accepted)
