"""Lossless decoding of methods: ``encode()`` gives the same octets, whatever reserved fields and spare bits hold."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples
from tests.suites.faulty_packages import Mutant, planted

from . import reference_codec
from .letters import same_fields
from .packages import (
    PACKAGES,
    RABBITMQ,
    STANDARD,
    dialect_of,
    each_method,
    each_package,
    method,
    methods_of,
    plain_fields,
)
from .raw_octets import any_raw_method, raw_methods
from .reference_codec import longstr
from .values import any_method, greatest, typical_values

WITH_RESERVED = [
    pytest.param(amqp, cls, id=f"{name}-{cls.NAME}")
    for name, amqp in PACKAGES.items()
    for cls in methods_of(amqp)
    if any(field.reserved for field in cls.FIELDS)
]


@each_package
@given(data=st.data())
@examples(150)
def test_any_payload_comes_back(amqp: Any, data: st.DataObject) -> None:
    payload = data.draw(any_raw_method(amqp))
    decoded = amqp.decode_method(payload, lossless=True)
    assert decoded.encode() == payload
    assert type(decoded) is amqp.METHODS[int.from_bytes(payload[:4], "big")]
    assert isinstance(decoded, amqp.methods.MethodBase)
    assert amqp.encode_frame(1, decoded)[7:-1] == payload


@pytest.mark.parametrize(("amqp", "cls"), WITH_RESERVED)
@given(data=st.data())
@examples(15)
def test_any_payload_with_reserved_fields_comes_back(amqp: Any, cls: Any, data: st.DataObject) -> None:
    payload = data.draw(raw_methods(amqp, cls))
    assert amqp.decode_method(payload, lossless=True).encode() == payload


def fill(amqp: Any, cls: Any) -> tuple[bytes, dict[str, Any]]:
    """A payload with the greatest values in reserved fields and all spare bits set."""
    values = {field.name: greatest(field.type, amqp) for field in cls.FIELDS if field.reserved}
    values |= typical_values(amqp, cls)
    spare = {field.name: 0xFF for field in cls.FIELDS if field.type == "bit"}
    return reference_codec.method(cls, values, dialect_of(amqp), spare)[0], values


def change_each_field(amqp: Any, cls: Any, payload: bytes, values: dict[str, Any]) -> None:
    spare = {field.name: 0xFF for field in cls.FIELDS if field.type == "bit"}
    for field in plain_fields(cls):
        decoded = amqp.decode_method(payload, lossless=True)
        new = not values[field.name] if field.type == "bit" else greatest(field.type, amqp)
        setattr(decoded, field.name, new)
        changed = {**values, field.name: new}
        assert decoded.encode() == reference_codec.method(cls, changed, dialect_of(amqp), spare)[0]


@each_method
def test_reserved_fields_and_spare_bits(amqp: Any, cls: Any) -> None:
    payload, values = fill(amqp, cls)
    decoded = amqp.decode_method(payload, lossless=True)
    assert decoded.encode() == payload
    for field in cls.FIELDS:
        assert getattr(decoded, field.name) == values[field.name]
    # Plain decoding drops what is reserved, and encodes zeros in its place.
    plain = amqp.decode_method(payload)
    assert (plain == decoded) is (plain.encode() == payload)
    assert dataclasses.replace(decoded).encode() == payload
    for again in (copy.copy(decoded), copy.deepcopy(decoded), pickle.loads(pickle.dumps(decoded))):
        assert again == decoded
        assert again.encode() == payload
    assert ("residue=" in repr(decoded)) is (decoded.residue is not None)
    zeros = {field.name: values[field.name] for field in plain_fields(cls)}
    assert plain.encode() == reference_codec.method(cls, zeros, dialect_of(amqp))[0]
    change_each_field(amqp, cls, payload, values)


@each_package
@given(data=st.data())
@examples(60)
def test_ordinary_methods_too(amqp: Any, data: st.DataObject) -> None:
    sent = data.draw(any_method(amqp))
    payload = sent.encode()
    decoded = amqp.decode_method(payload, lossless=True)
    assert decoded.encode() == payload
    for field in plain_fields(type(sent)):
        value = getattr(decoded, field.name)
        setattr(decoded, field.name, dict(value) if field.type == "table" else value)
    assert same_fields(decoded, sent)
    assert decoded.encode() == payload


def test_strings_that_are_no_utf_8() -> None:
    payload = b"\0\x3c\0\x28" + b"\0\0" + b"\2\xff\xfe" + b"\1\x80" + b"\0"
    with pytest.raises(RABBITMQ.errors.Malformed) as caught:
        RABBITMQ.decode_method(payload, strict=True)
    assert (caught.value.path, caught.value.offset) == ("basic.publish.exchange", 7)
    decoded = RABBITMQ.decode_method(payload, lossless=True)
    assert decoded.exchange == "\udcff\udcfe"
    assert decoded.exchange.encode(errors="surrogateescape") == b"\xff\xfe"
    assert decoded.encode() == payload


def test_a_changed_field_is_encoded() -> None:
    cls = method(RABBITMQ, "queue.declare")
    payload, _ = reference_codec.method(
        cls,
        {"reserved_1": 0xBEEF, "queue": "old", "arguments": longstr(b"\1kt\2")},
        "rabbitmq",
        {"passive": 0xE0},
    )
    decoded = RABBITMQ.decode_method(payload, lossless=True)
    decoded.queue = "newer"
    decoded.durable = True
    expected = payload.replace(b"\3old\xe0", b"\5newer\xe2")
    assert decoded.encode() == expected
    assert RABBITMQ.encode_frame(1, decoded) == reference_codec.frame(1, 1, expected)
    # The reserved field and the table are still what they were.
    assert RABBITMQ.decode_method(expected, lossless=True).ticket == 0xBEEF
    decoded.arguments = {"k": True}
    assert decoded.encode() == expected.replace(b"t\2", b"t\1")


def test_a_changed_field_is_checked() -> None:
    decoded = RABBITMQ.decode_method(method(RABBITMQ, "queue.declare")().encode(), lossless=True)
    decoded.queue = "x" * 256
    for encode in (decoded.encode, lambda: RABBITMQ.encode_frame(1, decoded)):
        with pytest.raises(RABBITMQ.EncodeError) as caught:
            encode()
        assert caught.value.path == "queue.declare.queue"


def test_copies_keep_what_was_found() -> None:
    payload, _ = fill(STANDARD, method(STANDARD, "exchange.declare"))
    decoded = STANDARD.decode_method(payload, lossless=True)
    for again in (copy.copy(decoded), copy.deepcopy(decoded), pickle.loads(pickle.dumps(decoded))):
        assert again == decoded
        assert again.encode() == payload


def test_errors_are_those_of_plain_decoding() -> None:
    for payload in (b"", b"\0", b"\0\0\0\0", b"\0\x3c\0\x50", b"\0\x3c\0\x50" + bytes(10)):
        with pytest.raises(RABBITMQ.DecodeError) as plain:
            RABBITMQ.decode_method(payload)
        with pytest.raises(RABBITMQ.DecodeError) as lossless:
            RABBITMQ.decode_method(payload, lossless=True)
        assert type(lossless.value) is type(plain.value)
        assert str(lossless.value) == str(plain.value)


# In the exact writer, which the cases of the suites do not reach.
FAULTS = [
    Mutant("bits from the highest", RABBITMQ.__name__, "_fields.py", ") << shift\n", ") << (7 - shift)\n"),
    Mutant("spare bits left out", RABBITMQ.__name__, "_fields.py", "kept.spare_bits.get(field.name, 0)", "0"),
    Mutant(
        "reserved fields left out", RABBITMQ.__name__, "_fields.py", "residue.reserved.get(field.name, ", "("
    ),
    Mutant(
        "no escapes",
        RABBITMQ.__name__,
        "_fields.py",
        'str.encode(value, errors="surrogateescape")',
        "str.encode(value)",
    ),
]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_faults_of_the_exact_writer_are_noticed(fault: Mutant) -> None:
    # queue.declare with a reserved field, a name that is not UTF-8, the bit passive and three that no field has.
    payload = b"\0\x32\0\x0a\0\x07\x02q\xff\xe1\0\0\0\0"
    assert RABBITMQ.decode_method(payload, lossless=True).encode() == payload
    with planted(fault) as package, pytest.raises((AssertionError, package.EncodeError)):
        assert package.decode_method(payload, lossless=True).encode() == payload
