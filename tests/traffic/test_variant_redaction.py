"""Secrets in VARIANT values: only they are replaced, whatever is around them."""

from __future__ import annotations

from typing import Any

import amqp_0_9_1_rabbitmq as amqp0
import amqp_1_0 as amqp1
import pytest
from amqp_0_9_1_rabbitmq.columns.variant import table_variant
from amqp_1_0.columns.variant import value_variant
from amqp_traffic.frames.redaction import without_secrets
from amqp_traffic.logs.erlang_terms import read_term
from amqp_traffic.logs.header_variants import json_variant
from amqp_traffic.logs.header_variants import table_variant as erlang_variant
from amqp_traffic.secret_names import MARKER, is_secret_name
from amqp_traffic.variant_parts import variant_parts
from amqp_traffic.variant_redaction import redacted_variant
from amqp_traffic.variant_values import variant_value
from hypothesis import given
from hypothesis import strategies as st

_KEYS = st.sampled_from(("a", "password", "token", "b", "Authorization", "long" * 20))
_VALUES = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-(2**40), 2**40), st.text(max_size=70), st.binary(max_size=4)
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=5), st.dictionaries(_KEYS, inner, max_size=4)),
    max_leaves=20,
)


def expected(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: MARKER if is_secret_name(key) else expected(inner) for key, inner in value.items()}
    if not isinstance(value, list):
        return value
    items = [expected(inner) for inner in value]
    is_pair = len(items) == 2 and isinstance(value[0], (str, bytes)) and is_secret_name(_text(value[0]))
    return [items[0], MARKER] if is_pair else items


def _text(value: str | bytes) -> str:
    return value if isinstance(value, str) else value.decode(errors="replace")


@given(st.dictionaries(_KEYS, _VALUES, max_size=5))
def test_maps(value: dict[str, Any]) -> None:
    variant = json_like(value)
    found = redacted_variant(variant)
    assert variant_value(found) == expected(value)
    assert found[1] == variant[1]
    assert redacted_variant(found) == found


def json_like(value: Any) -> tuple[bytes, bytes]:
    found: tuple[bytes, bytes] = value_variant(amqp1.encode(value))[0]
    return found


def test_many_parts() -> None:
    """Counts, offsets and numbers of names of more than one octet."""
    value = {f"name{number}": "x" * 300 for number in range(300)} | {"token": "s", "z": list(range(300))}
    found = redacted_variant(json_like(value))
    assert variant_value(found) == {**value, "token": MARKER}


@given(_VALUES)
def test_parts(value: Any) -> None:
    octets, _ = json_like(value)
    parts = variant_parts(octets)
    assert parts is None or parts.joined(parts.parts) == octets


def test_keys_that_no_object_has() -> None:
    """Keys of several types, and keys that are there twice, are pairs."""
    pairs = amqp1.types.Map([("token", "s"), (1, "kept"), (amqp1.types.Symbol("password"), "s")])
    text = repr(variant_value(redacted_variant(json_like(pairs))))
    assert "'s'" not in text and "kept" in text
    table = amqp0.encode_table({"token": b"\xff\xfes", "a": 1})
    assert b"\xff\xfes" not in redacted_variant(table_variant(table)[0])[0]


@pytest.mark.parametrize("key", ["token", "x-password"])
def test_headers_of_logs(key: str) -> None:
    assert variant_value(json_variant({key: "s", "a": [{key: 1}]})) == {key: MARKER, "a": [{key: MARKER}]}
    term, _ = read_term(f'[{{<<"{key}">>,longstr,<<"s">>}}]'.encode(), 0)
    assert variant_value(erlang_variant(term)) == {key: MARKER}


@pytest.mark.parametrize(
    "key",
    [
        b"password",
        amqp1.types.Symbol("password"),
        amqp1.types.Described(amqp1.types.Symbol("d"), "password"),
        amqp1.types.Described(amqp1.types.Symbol("d"), b"password"),
        amqp1.types.Described(
            amqp1.types.Symbol("d"),
            amqp1.types.Described(amqp1.types.ULong(7), amqp1.types.Symbol("access-token")),
        ),
    ],
    ids=["octets", "symbol", "described text", "described octets", "described twice"],
)
def test_names_of_other_types(key: Any) -> None:
    """In what is shown and in rows: a map with such a key is no object of VARIANT."""
    value = amqp1.types.Map([(key, "S3CRET"), ("b", "kept")])
    shown = amqp1.encode(without_secrets(value))
    variant, _ = value_variant(amqp1.encode(value))
    for octets in (shown, redacted_variant(variant)[0]):
        assert b"S3CRET" not in octets
        assert b"kept" in octets
    pair = [key, "S3CRET"]
    assert b"S3CRET" not in amqp1.encode(without_secrets([pair, ["b", "kept"]]))
