"""Restricted types: enums of choices, closed ones and open ones, and those that have a descriptor."""

from __future__ import annotations

import pickle
from enum import Enum, IntEnum
from typing import Any

import pytest

from .bare_values import bare
from .fields import filled
from .packages import BY_NAME, amqp
from .specification import ENUMERATIONS, MODULES, TYPES, Type, class_name, primitive

Array, Described, Symbol, ULong = amqp.Array, amqp.Described, amqp.Symbol, amqp.types.ULong
SymbolChoice = amqp.types.SymbolChoice


def class_of(item: Type) -> Any:
    return getattr(getattr(amqp, MODULES[item.part]), class_name(item))


def is_open(item: Type) -> bool:
    """Whether extensions may add values: over symbols, where others can provide the same archetype."""
    return primitive(item.name) == "symbol" and bool(item.provides)


CLOSED = [
    pytest.param(class_of(enumeration), enumeration, id=enumeration.name)
    for enumeration in ENUMERATIONS
    if not is_open(enumeration)
]
OPEN = [
    pytest.param(class_of(enumeration), enumeration, id=enumeration.name)
    for enumeration in ENUMERATIONS
    if is_open(enumeration)
]
# Where each of the closed types is used: the class, the attribute.
CLOSED_FIELDS = [
    pytest.param(cls, field, id=f"{cls.NAME}.{field.name}")
    for cls in sorted(set(BY_NAME.values()), key=lambda cls: cls.CODE)
    for field in cls.FIELDS
    if field.values is not None
]


def with_field(cls: Any, attribute: str, value: Any) -> bytes:
    """A composite on the wire, one field of which has a value that is given."""
    fields = bare(filled(cls).encode()).value
    number = [field.attribute for field in cls.FIELDS].index(attribute)
    fields[number] = value
    return bytes(amqp.encode(Described(ULong(cls.CODE), fields)))


def test_which_are_open() -> None:
    assert {case.id for case in CLOSED} == {
        "role",
        "sender-settle-mode",
        "receiver-settle-mode",
        "terminus-durability",
        "terminus-expiry-policy",
        "sasl-code",
    }
    assert {case.id for case in OPEN} == {
        "amqp-error",
        "connection-error",
        "session-error",
        "link-error",
        "transaction-error",
        "std-dist-mode",
        "txn-capability",
    }
    assert len(CLOSED_FIELDS) == 10


# --- enums ---


@pytest.mark.parametrize(("cls", "item"), CLOSED + OPEN)
def test_members(cls: Any, item: Type) -> None:
    kind = primitive(item.name)
    assert issubclass(cls, SymbolChoice if kind == "symbol" else IntEnum)
    for member in cls:
        assert cls(member.value) is member
        assert member == member.value
        assert hash(member) == hash(member.value)
        assert pickle.loads(pickle.dumps(member)) is member
        if kind == "symbol":
            assert isinstance(member, Symbol)
            assert str(member) == f"{member}" == member.value
    with pytest.raises(ValueError, match="not a valid"):
        cls("no such thing" if kind == "symbol" else 77)


@pytest.mark.parametrize(("cls", "item"), CLOSED + OPEN)
def test_members_alone_are_values_of_the_primitive_type(cls: Any, item: Type) -> None:
    kinds = {"boolean": bool, "ubyte": "UByte", "uint": "UInt", "symbol": "Symbol"}
    kind: Any = kinds[primitive(item.name)]
    kind = getattr(amqp.types, kind) if isinstance(kind, str) else kind
    for member in cls:
        octets = amqp.encode(member)
        assert octets == amqp.encode(kind(member.value))
        value, _ = amqp.decode(octets)
        assert type(value) is kind
        assert value == member
        assert amqp.decode(amqp.encode([member]))[0] == [member]


# --- closed types ---


@pytest.mark.parametrize(("cls", "field"), CLOSED_FIELDS)
def test_every_choice_comes_back_as_a_member(cls: Any, field: Any) -> None:
    for member in sorted(field.values):
        plain = bool(member) if field.primitive == "boolean" else member.value
        for given in (member, plain):  # plain values are taken for the members they are
            value = filled(cls)
            setattr(value, field.attribute, given)
            found = getattr(amqp.decode(value.encode())[0], field.attribute)
            assert found is member
            assert isinstance(found, Enum)


@pytest.mark.parametrize(("cls", "field"), CLOSED_FIELDS)
def test_other_values_are_refused(cls: Any, field: Any) -> None:
    wrong: dict[str, Any] = {
        "boolean": None,
        "ubyte": amqp.types.UByte(77),
        "uint": amqp.types.UInt(77),
        "symbol": Symbol("no-such-choice"),
    }
    path = f"{cls.NAME}.{field.name}"
    value = wrong[field.primitive]
    if value is not None:
        with pytest.raises(amqp.errors.Malformed, match="one of") as caught:
            amqp.decode(with_field(cls, field.attribute, value))
        assert caught.value.path == path
    # Equal to a choice for Python, but not for AMQP.
    equal = (1, 0, 1.0, amqp.performatives.SenderSettleMode.SETTLED)
    for given in (
        77,
        "no-such-choice",
        1.5,
        [],
        object(),
        *(equal if field.primitive == "boolean" else (True, False)),
    ):
        message = filled(cls)
        setattr(message, field.attribute, given)
        with pytest.raises(amqp.EncodeError) as error:
            message.encode()
        assert error.value.path == path


# --- open types ---

CONDITION = pytest.param("error", "condition", id="error.condition")
MODE = pytest.param("source", "distribution_mode", id="source.distribution-mode")
CAPABILITIES = pytest.param("coordinator", "capabilities", id="coordinator.capabilities")


def read_back(name: str, attribute: str, symbol: str) -> Any:
    value = BY_NAME[name](**{attribute: symbol})
    found = getattr(amqp.decode(value.encode())[0], attribute)
    assert amqp.decode(value.encode())[0] == value
    if isinstance(found, list):
        (found,) = found
    return found


@pytest.mark.parametrize(("name", "attribute"), [CONDITION, MODE, CAPABILITIES])
def test_known_symbols_come_back_as_members(name: str, attribute: str) -> None:
    field = next(field for field in BY_NAME[name].FIELDS if field.attribute == attribute)
    members = {
        choice: class_of(type_)
        for type_ in TYPES.values()
        if field.archetype.names & set(type_.provides)
        for choice in type_.choices.values()
    }
    assert members
    assert field.archetype.members.keys() == members.keys()
    for symbol, cls in members.items():
        found = read_back(name, attribute, symbol)
        assert type(found) is cls
        assert found is cls(symbol)


@pytest.mark.parametrize(("name", "attribute"), [CONDITION, MODE, CAPABILITIES])
def test_symbols_of_tomorrow_stay_symbols(name: str, attribute: str) -> None:
    found = read_back(name, attribute, "com.example:of-tomorrow")
    assert type(found) is Symbol
    assert found == "com.example:of-tomorrow"


def test_several_known_and_unknown_symbols() -> None:
    TxnCapability = amqp.transactions.TxnCapability
    given = [TxnCapability.LOCAL_TRANSACTIONS, "x:other", TxnCapability.MULTI_SSNS_PER_TXN]
    value = amqp.transactions.Coordinator(given)
    found = amqp.decode(value.encode())[0].capabilities
    assert found == given
    assert [type(item) for item in found] == [TxnCapability, Symbol, TxnCapability]


@pytest.mark.parametrize(("name", "attribute"), [CONDITION, MODE])
def test_what_is_no_symbol_is_refused_even_in_an_open_type(name: str, attribute: str) -> None:
    for value in ("a string", 1, Described(Symbol("x"), Symbol("y")), [Symbol("x")]):
        with pytest.raises(amqp.errors.Malformed):
            amqp.decode(with_field(BY_NAME[name], attribute, value))


# --- with a descriptor ---

DESCRIBED = {name: cls for name, cls in BY_NAME.items() if cls.SOURCE}
SAMPLES: dict[str, list[Any]] = {
    "map": [{}, {Symbol("key"): "value"}, {Symbol("key"): [1, {"nested": None}]}],
    "binary": [b"", b"x", b"y" * 256],
    "list": [[], [1, None, "x"], [[[]]]],
    "*": [None, True, 1, "x", b"x", [1], {"a": 1}, Array([1, 2]), Symbol("s"), Described(Symbol("d"), 1)],
}


def test_which_have_a_descriptor() -> None:
    assert DESCRIBED.keys() == {
        "delivery-annotations",
        "message-annotations",
        "application-properties",
        "data",
        "amqp-sequence",
        "amqp-value",
        "footer",
    }


@pytest.mark.parametrize("name", DESCRIBED)
def test_values_with_a_descriptor(name: str) -> None:
    cls = DESCRIBED[name]
    for sample in SAMPLES[cls.SOURCE]:
        octets = cls(sample).encode()
        assert octets == b"\x00\x53" + bytes((cls.CODE,)) + amqp.encode(sample)
        found, position = amqp.decode(octets)
        assert (found, position) == (cls(sample), len(octets))
        assert type(found) is cls
        assert type(found.value) is type(sample)
        symbolic = amqp.encode(Described(Symbol(cls.SYMBOL), sample))
        assert amqp.decode(symbolic)[0] == found


@pytest.mark.parametrize("name", [name for name in DESCRIBED if name != "amqp-value"])
def test_values_of_another_type(name: str) -> None:
    cls = DESCRIBED[name]
    for wrong in (None, 1.5, "text", amqp.types.Short(1)):
        with pytest.raises(amqp.errors.Malformed) as caught:
            amqp.decode(amqp.encode(Described(ULong(cls.CODE), wrong)))
        assert caught.value.path == name
        with pytest.raises(amqp.EncodeError) as error:
            cls(wrong).encode()
        assert error.value.path == name


# --- aliases ---


def test_types_without_choices_or_descriptor_are_their_primitive_types() -> None:
    performatives, messaging = amqp.performatives, amqp.messaging
    assert performatives.Handle is performatives.SequenceNo is performatives.TransferNumber is int
    assert performatives.DeliveryTag is amqp.transactions.TransactionId is bytes
    assert performatives.IetfLanguageTag is messaging.AddressString is str
    assert messaging.MessageIdUlong is int
