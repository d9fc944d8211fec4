"""Archetypes: a field takes any type that provides what it requires, and those that extensions may define."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from .bare_values import bare
from .fields import filled, least
from .packages import BY_NAME, amqp
from .specification import COMPOSITES, DESCRIBED, TYPES

Described, Symbol, ULong = amqp.Described, amqp.Symbol, amqp.types.ULong
UNKNOWN = Described(Symbol("com.example:unknown"), [1])
# The fields of any type whose values have to provide something.
FIELDS = [
    pytest.param(BY_NAME[composite.name], field, id=f"{composite.name}.{field.name}")
    for composite in COMPOSITES
    for field in BY_NAME[composite.name].FIELDS
    if field.archetype is not None and not field.primitive
]
# Values of the primitive types that carry providers without a descriptor.
PLAIN: dict[str, list[Any]] = {
    "string": ["", "text", "x" * 256],
    "binary": [b"", b"octets", b"x" * 256],
    "ulong": [ULong(0), ULong(1), ULong(2**64 - 1)],
    "uuid": [UUID(int=0), UUID(int=2**128 - 1)],
}


def providers(field: Any) -> list[Any]:
    """The classes of the types with a descriptor that provide what a field requires."""
    return [BY_NAME[type_.name] for type_ in DESCRIBED if field.archetype.names & set(type_.provides)]


def with_value(cls: Any, field: Any, value: Any) -> Any:
    made = least(cls)
    setattr(made, field.attribute, value)
    return made


def test_the_fields() -> None:
    assert {case.id for case in FIELDS} == {
        "attach.source",
        "attach.target",
        "transfer.state",
        "disposition.state",
        "properties.message-id",
        "properties.to",
        "properties.reply-to",
        "properties.correlation-id",
        "source.address",
        "source.default-outcome",
        "target.address",
        "discharge.txn-id",
        "declared.txn-id",
        "transactional-state.txn-id",
        "transactional-state.outcome",
    }


@pytest.mark.parametrize(("cls", "field"), FIELDS)
def test_every_provider_with_a_descriptor(cls: Any, field: Any) -> None:
    for kind in providers(field):
        for given in (least(kind), filled(kind)):
            value = with_value(cls, field, given)
            found = amqp.decode(value.encode())[0]
            assert found == value
            assert type(getattr(found, field.attribute)) is kind


@pytest.mark.parametrize(("cls", "field"), FIELDS)
def test_every_provider_without_a_descriptor(cls: Any, field: Any) -> None:
    assert providers(field) or field.archetype.types
    for kind in field.archetype.types:
        for given in PLAIN[kind]:
            found = getattr(amqp.decode(with_value(cls, field, given).encode())[0], field.attribute)
            assert found == given
            assert type(found) is type(given)


@pytest.mark.parametrize(("cls", "field"), FIELDS)
def test_described_values_that_nobody_knows(cls: Any, field: Any) -> None:
    """They may be of an extension that provides the archetype."""
    value = with_value(cls, field, UNKNOWN)
    octets = value.encode()
    assert amqp.decode(octets)[0] == value
    assert amqp.decode(octets)[0].encode() == octets


@pytest.mark.parametrize(("cls", "field"), FIELDS)
def test_types_that_do_not_provide_it(cls: Any, field: Any) -> None:
    wrong = [
        least(BY_NAME[composite.name])
        for composite in COMPOSITES
        if BY_NAME[composite.name] not in providers(field)
    ]
    wrong += [True, 1.5, Symbol("symbol"), [1], {"a": 1}, amqp.types.UInt(1), amqp.Array([1])]
    wrong += [
        value for kind, values in PLAIN.items() if kind not in field.archetype.types for value in values
    ]
    path = f"{cls.NAME}.{field.name}"
    number = [field.name for field in cls.FIELDS].index(field.name)
    for given in wrong:
        if isinstance(given, Symbol) and "string" in field.archetype.types:
            continue  # a symbol is a str, so it can be written as a string
        if isinstance(given, amqp.types.UInt) and "ulong" in field.archetype.types:
            continue  # and a uint is an int
        with pytest.raises(amqp.EncodeError) as error:
            with_value(cls, field, given).encode()
        assert error.value.path == path
    for given in wrong:
        fields = bare(filled(cls).encode()).value
        fields[number] = given
        with pytest.raises(amqp.errors.Malformed) as refused:
            amqp.decode(amqp.encode(Described(ULong(cls.CODE), fields)))
        assert refused.value.path == path


def test_outcomes_and_states() -> None:
    outcomes = {type_.name for type_ in TYPES.values() if "outcome" in type_.provides}
    states = {type_.name for type_ in TYPES.values() if "delivery-state" in type_.provides}
    assert outcomes == {"accepted", "rejected", "released", "modified", "declared"}
    assert states == outcomes | {"received", "transactional-state"}
    with pytest.raises(amqp.EncodeError, match="does not provide outcome"):
        amqp.messaging.Source(default_outcome=filled(BY_NAME["received"])).encode()


def test_integers_as_message_ids() -> None:
    """The only integers among them are ulongs, so a plain one can be nothing else."""
    properties = amqp.decode(amqp.messaging.Properties(message_id=7).encode())[0]
    assert type(properties.message_id) is ULong
    for wrong in (-1, 2**64):
        with pytest.raises(amqp.EncodeError):
            amqp.messaging.Properties(message_id=wrong).encode()


def test_fields_of_types_of_their_own() -> None:
    """``error`` is a type, no archetype: nothing else will do."""
    for wrong in (UNKNOWN, filled(BY_NAME["rejected"]), "text", [Symbol("amqp:not-found")]):
        with pytest.raises(amqp.EncodeError):
            amqp.performatives.Close(error=wrong).encode()
        with pytest.raises(amqp.errors.Malformed):
            amqp.decode(amqp.encode(Described(ULong(0x18), [wrong])))
    error = filled(BY_NAME["error"])
    assert amqp.decode(amqp.performatives.Close(error).encode())[0].error == error
