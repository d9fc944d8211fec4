"""The names that the documentation promises to others: each of them is there and behaves as written."""

from __future__ import annotations

import builtins
import dataclasses
import importlib
import inspect
import pkgutil
from enum import Enum
from types import ModuleType
from typing import Any

import pytest

from .packages import amqp
from .specification import TYPES, class_name

INTEGERS = {
    "UByte": (0, 2**8 - 1),
    "UShort": (0, 2**16 - 1),
    "UInt": (0, 2**32 - 1),
    "ULong": (0, 2**64 - 1),
    "Byte": (-(2**7), 2**7 - 1),
    "Short": (-(2**15), 2**15 - 1),
    "Int": (-(2**31), 2**31 - 1),
}
OTHERS = {
    "Long": -(2**63),
    "Float": 1.5,
    "Double": 0.1,
    "Char": "c",
    "Symbol": "a-symbol",
    "Timestamp": 1_700_000_000_000,
}


@pytest.mark.parametrize("name", INTEGERS)
def test_integer_types(name: str) -> None:
    kind = getattr(amqp.types, name)
    for value in INTEGERS[name]:
        octets = amqp.encode(kind(value))
        again, position = amqp.decode(octets)
        assert (again, type(again), position) == (value, kind, len(octets))
    low, high = INTEGERS[name]
    for value in (low - 1, high + 1):
        with pytest.raises(amqp.EncodeError):
            kind(value)


@pytest.mark.parametrize("name", OTHERS)
def test_other_types(name: str) -> None:
    kind = getattr(amqp.types, name)
    value = kind(OTHERS[name])
    again, _ = amqp.decode(amqp.encode(value))
    assert again == value
    assert type(again) is type(value) is kind


@pytest.mark.parametrize("name", ["Decimal32", "Decimal64", "Decimal128"])
def test_decimal_types(name: str) -> None:
    from decimal import Decimal

    kind = getattr(amqp.types, name)
    again, _ = amqp.decode(amqp.encode(kind(Decimal("-1.50"))))
    assert type(again) is kind
    assert again == kind(Decimal("-1.50"))


def test_described_and_array() -> None:
    for value in (
        amqp.types.Described(amqp.Symbol("com.example:x"), [1]),
        amqp.types.Array([amqp.types.UInt(1), amqp.types.UInt(2)]),
    ):
        assert amqp.decode(amqp.encode(value))[0] == value
    assert amqp.types.Described is amqp.Described
    assert amqp.types.Array is amqp.Array


def test_encode_and_decode() -> None:
    assert amqp.encode("a") == b"\xa1\x01a"
    assert amqp.decode(b"\xa1\x01a") == ("a", 3)
    assert amqp.decode(b"\x40\xa1\x01a\x40", 1) == ("a", 4)
    assert amqp.decode(b"\x40\xa1\x01a\x40", position=4) == (None, 5)
    assert list(inspect.signature(amqp.decode).parameters)[:2] == ["buffer", "position"]


@pytest.mark.parametrize(
    ("module", "names"),
    [
        ("performatives", "Open Begin Attach Flow Transfer Disposition Detach End Close Error"),
        (
            "messaging",
            "Header DeliveryAnnotations MessageAnnotations Properties ApplicationProperties Data "
            "AmqpSequence AmqpValue Footer Received Accepted Rejected Released Modified Source Target "
            "DeleteOnClose DeleteOnNoLinks DeleteOnNoMessages DeleteOnNoLinksOrMessages",
        ),
        ("transactions", "Coordinator Declare Discharge Declared TransactionalState"),
        ("sasl", "SaslMechanisms SaslInit SaslChallenge SaslResponse SaslOutcome"),
    ],
)
def test_composites_are_dataclasses(module: str, names: str) -> None:
    for name in names.split():
        cls: Any = getattr(getattr(amqp, module), name)
        assert dataclasses.is_dataclass(cls), name
    described = {class_name(type_) for type_ in TYPES.values() if type_.code is not None}
    assert set(names.split()) <= described


@pytest.mark.parametrize(
    ("module", "names"),
    [
        (
            "performatives",
            "Role SenderSettleMode ReceiverSettleMode AmqpError ConnectionErrorCondition SessionError LinkError",
        ),
        ("messaging", "TerminusDurability TerminusExpiryPolicy StdDistMode"),
        ("transactions", "TxnCapability TransactionError"),
        ("sasl", "SaslCode"),
    ],
)
def test_restricted_types_with_choices_are_enums(module: str, names: str) -> None:
    for name in names.split():
        assert issubclass(getattr(getattr(amqp, module), name), Enum), name


def test_no_name_means_two_things_or_hides_a_built_in() -> None:
    """Public classes, aliases and functions of all modules; a name that a package exports again is the same object."""
    places: dict[str, dict[int, str]] = {}
    for info in pkgutil.walk_packages(amqp.__path__, "amqp_1_0."):
        module = importlib.import_module(info.name)
        for name, value in vars(module).items():
            own = str(getattr(value, "__module__", "")).startswith("amqp_1_0")
            if own and not name.startswith("_") and not isinstance(value, ModuleType) and name[0].isupper():
                assert not hasattr(builtins, name), f"{info.name}.{name}"
                places.setdefault(name, {})[id(value)] = info.name
        for name in getattr(module, "__all__", ()):
            places.setdefault(name, {}).setdefault(id(getattr(module, name)), info.name)
    twice = {name: sorted(found.values()) for name, found in places.items() if len(found) > 1}
    assert twice == {}


def test_frames() -> None:
    opening = amqp.performatives.Open(container_id="c")
    octets = amqp.encode_frame(0, opening)
    assert amqp.FrameDecoder(max_frame_size=512).feed(octets) == [(0, opening, b"")]
    assert amqp.encode_frame(0, None) == b"\x00\x00\x00\x08\x02\x00\x00\x00"
    transfer = amqp.performatives.Transfer(0)
    assert amqp.FrameDecoder().feed(amqp.encode_frame(5, transfer, payload=b"x")) == [(5, transfer, b"x")]
    unknown = amqp.Described(amqp.Symbol("x"), [])
    assert amqp.encode_frame(0, unknown, sasl=True)[5] == amqp.constants.FRAME_SASL
    assert amqp.encode_frame(0, unknown)[5] == amqp.constants.FRAME_AMQP


def test_the_default_frame_size_is_that_before_open() -> None:
    assert amqp.FrameDecoder().max_frame_size == 512
    # No limit: up to where a size cannot be told from the letters of a protocol header.
    for unlimited in (0, 2**32 - 1):
        assert (
            amqp.FrameDecoder(max_frame_size=unlimited).max_frame_size == int.from_bytes(b"AMQP", "big") - 1
        )


def test_message() -> None:
    messaging = amqp.messaging
    message = amqp.Message(
        header=messaging.Header(durable=True),
        properties=messaging.Properties(subject="s"),
        application_properties={"n": 1},
        body=messaging.AmqpValue("hello"),
    )
    assert amqp.decode_message(message.encode()) == message


def test_protocol_headers() -> None:
    assert amqp.PROTOCOL_HEADERS == {
        "amqp": b"AMQP\x00\x01\x00\x00",
        "tls": b"AMQP\x02\x01\x00\x00",
        "sasl": b"AMQP\x03\x01\x00\x00",
    }


def test_errors() -> None:
    errors = amqp.errors
    assert issubclass(errors.CodecError, ValueError)
    assert issubclass(errors.EncodeError, errors.CodecError)
    assert issubclass(errors.DecodeError, errors.CodecError)
    for name in ("Truncated", "Malformed", "Unknown", "LimitExceeded"):
        assert issubclass(getattr(errors, name), errors.DecodeError)
    with pytest.raises(errors.DecodeError) as caught:
        amqp.decode(b"\x00\x53\x10\xc0\x03\x01\x43\x43")
    assert isinstance(caught.value.offset, int)
    assert caught.value.path == "open.container-id"


def test_limits() -> None:
    def nested(depth: int) -> Any:
        value: Any = None
        for _ in range(depth):
            value = [value]
        return value

    assert amqp.decode(amqp.encode(nested(64)))[0] == nested(64)
    with pytest.raises(amqp.EncodeError):
        amqp.encode(nested(65))
    octets = b"\xd0" + (4 + 70_000).to_bytes(4, "big") + (70_000).to_bytes(4, "big") + b"\x40" * 70_000
    with pytest.raises(amqp.errors.LimitExceeded):
        amqp.decode(octets)
    assert amqp.decode(octets, max_elements=70_000)[0] == [None] * 70_000


def test_more_errors_at_the_top() -> None:
    """What users catch is at hand where the functions are."""
    assert amqp.EncodeError is amqp.errors.EncodeError
    assert amqp.DecodeError is amqp.errors.DecodeError
    assert amqp.CodecError is amqp.errors.CodecError
