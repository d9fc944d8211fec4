"""Values of VARIANT pairs, as the generated packages write them."""

from __future__ import annotations

import struct
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import amqp_0_9_1_rabbitmq as amqp
import amqp_1_0 as amqp1
import pytest
from amqp_0_9_1_rabbitmq.columns.variant import table_variant
from amqp_1_0.columns.variant import value_variant
from amqp_traffic.variant_values import variant_field, variant_value
from hypothesis import given
from hypothesis import strategies as st

from tests.generated.amqp0.variants import read_variant

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

_WHOLE = st.integers(-(2**63), 2**63 - 1)
_VALUES = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        _WHOLE,
        st.floats(allow_nan=False),
        st.text(max_size=80),
        st.binary(max_size=80),
        st.integers(0, 253_402_300_799).map(lambda seconds: _EPOCH + timedelta(seconds=seconds)),
        st.builds(
            lambda significand, scale: Decimal(significand).scaleb(-scale),
            st.integers(0, 2**31 - 1),
            st.integers(0, 9),
        ),
    ),
    lambda inner: st.lists(inner, max_size=6)
    | st.dictionaries(st.text(max_size=20).filter(lambda key: key[:1] != "$"), inner, max_size=6),
    max_leaves=30,
)


def _variant(table: dict[str, Any]) -> tuple[bytes, bytes]:
    return table_variant(amqp.table.encode_table(table))[0]


@given(st.dictionaries(st.text(max_size=20).filter(lambda key: key[:1] != "$"), _VALUES, max_size=8))
def test_what_was_sent_comes_back(table: dict[str, Any]) -> None:
    assert variant_value(_variant(table)) == table


def test_fields_keep_the_order_in_which_they_were_sent() -> None:
    assert list(variant_value(_variant({"z": 1, "a": {"y": 1, "b": 2}}))) == ["z", "a"]


def test_many_fields_and_long_values() -> None:
    table = {f"key-{number}": "x" * number for number in range(700)} | {"all": list(range(1000))}
    assert variant_value(_variant(table)) == table


def test_what_variant_lacks_stays_tagged() -> None:
    octets = amqp.table.encode_table({"k": "??"}).replace(b"??", b"\xff\xfe")
    assert variant_value(table_variant(octets)[0]) == {"k": {"$longstr": b"\xff\xfe"}}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        (True, True),
        (amqp1.types.UByte(200), 200),
        (amqp1.types.Int(-5), -5),
        (amqp1.types.ULong(2**64 - 1), Decimal(2**64 - 1)),
        (amqp1.types.Float(0.5), 0.5),
        ("text", "text"),
        (b"octets", b"octets"),
        ([1, "two"], [1, "two"]),
    ],
)
def test_values_of_1_0(value: Any, expected: Any) -> None:
    assert variant_value(value_variant(amqp1.encode(value))[0]) == expected


@given(st.dictionaries(st.text(max_size=20), _VALUES, max_size=8))
def test_agrees_with_the_reader_by_hand(table: dict[str, Any]) -> None:
    variant = _variant(table)
    assert variant_value(variant) == _plain(read_variant(variant))


def _plain(typed: tuple[str, Any]) -> Any:
    kind, value = typed
    if kind == "object":
        return {key: _plain(item) for key, item in value.items()}
    if kind == "array":
        return [_plain(item) for item in value]
    if kind in ("float", "double"):
        return struct.unpack(">f" if kind == "float" else ">d", value)[0]
    if kind.startswith("decimal"):
        return Decimal(value[1]).scaleb(-value[0])
    return _EPOCH + timedelta(microseconds=value) if kind == "timestamp" else value


@pytest.mark.parametrize(
    "variant",
    [(b"", b"\x01\x00\x00"), (b"\x00", b""), (b"\xfc", b"\x01\x00\x00"), (b"\x02\x05", b"\x01\x00\x00")],
)
def test_what_is_no_variant_is_one_kind_of_error(variant: tuple[bytes, bytes]) -> None:
    with pytest.raises(ValueError, match="a VARIANT cannot be read"):
        variant_value(variant)


def test_a_field_of_an_object_is_a_variant() -> None:
    inner: amqp.FieldTable = {"z": 1, "a": [1, {"b": Decimal("1.5")}], "m": {}}
    table: amqp.FieldTable = {"before": 1, "inner": inner, "after": "x" * 300}
    variant, _ = table_variant(amqp.encode_table(table))
    for name, value in table.items():
        found = variant_field(variant, name)
        assert found is not None
        assert variant_value(found) == value
    found = variant_field(variant, "inner")
    assert found is not None
    for name, value in inner.items():
        again = variant_field(found, name)
        assert again is not None
        assert variant_value(again) == value
    assert len(found[0]) < len(variant[0]) - 300
    assert variant_field(variant, "other") is None
    assert variant_field((b"\x05x", b"\x01\x00\x00"), "x") is None


@pytest.mark.parametrize(
    "variant", [(b"", b""), (b"\x02\x05", b"\x01\x00\x00"), (b"\x02\x01\x09\x00\x01\x00", b"\x01\x00\x00")]
)
def test_a_field_of_what_is_no_variant(variant: tuple[bytes, bytes]) -> None:
    with pytest.raises(ValueError, match="VARIANT"):
        variant_field(variant, "x")
