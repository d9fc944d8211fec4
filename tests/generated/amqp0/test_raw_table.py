"""Lossless tables: ``RawTable`` encodes to the octets it was decoded from and reads like a mapping."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples

from .letters import KINDS, same
from .packages import RABBITMQ, dialect_of, each_dialect, each_package, method
from .raw_octets import raw_tables
from .reference_codec import longstr
from .values import plain_tables


def raw(octets: bytes, dialect: str = "rabbitmq") -> Any:
    return RABBITMQ.decode_table(octets, 0, dialect=dialect, lossless=True)[0]


def is_text(key: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in key)


@each_package
@each_dialect
@given(data=st.data())
@examples(40)
def test_any_octets_come_back(amqp: Any, dialect: str, data: st.DataObject) -> None:
    octets, plain = data.draw(raw_tables(amqp, dialect))
    table, position = amqp.decode_table(b"before" + octets + b"after", 6, dialect=dialect, lossless=True)
    assert type(table) is amqp.RawTable
    assert position == 6 + len(octets)
    assert table.raw == octets[4:]
    assert amqp.encode_table(table, dialect=dialect) == octets
    assert same(dict(table), plain)
    # As the value of another table, in an array, and as its plain values.
    nested = amqp.encode_table({"inner": table}, dialect=dialect)
    assert nested.endswith(b"\5innerF" + octets)
    if "A" in KINDS[dialect]:
        assert amqp.encode_table({"a": [table]}, dialect=dialect).endswith(b"F" + octets)


@each_package
@each_dialect
@given(data=st.data())
@examples(40)
def test_plain_and_lossless_decoding_agree(amqp: Any, dialect: str, data: st.DataObject) -> None:
    octets, plain = data.draw(raw_tables(amqp, dialect))
    try:
        table, position = amqp.decode_table(octets, 0, dialect=dialect)
    except amqp.errors.Malformed as error:
        assert "UTF-8" in error.message  # a key; lossless decoding keeps it
    else:
        assert position == len(octets)
        assert same(table, plain)


def test_what_a_dict_drops_is_kept() -> None:
    # k twice, L and l, a true that is 2, a key that is no UTF-8, s before b
    octets = longstr(
        b"\1kI\0\0\0\1\1kI\0\0\0\2\1LL" + bytes(8) + b"\1ll" + bytes(8) + b"\1tt\2\1\xffV\1ss\0\5\1bb\5"
    )
    table = raw(octets)
    assert RABBITMQ.encode_table(table) == octets
    assert table == {"k": 2, "L": 0, "l": 0, "t": True, "\udcff": None, "s": 5, "b": 5}
    assert [(entry.key, entry.value.letter) for entry in table.entries] == [
        (b"k", "I"),
        (b"k", "I"),
        (b"L", "L"),
        (b"l", "l"),
        (b"t", "t"),
        (b"\xff", "V"),
        (b"s", "s"),
        (b"b", "b"),
    ]
    assert [entry.value.value for entry in table.entries[:2]] == [1, 2]


def test_nan_payloads_are_kept() -> None:
    octets = longstr(b"\1ff\x7f\xc0\x12\x34\1dd\x7f\xf0\0\0\0\0\0\1")
    assert RABBITMQ.encode_table(raw(octets)) == octets
    assert raw(octets)["f"] != raw(octets)["f"]


def test_entries_of_nested_tables_and_arrays() -> None:
    octets = RABBITMQ.encode_table({"F": {"x": 1}, "A": ["y", [None]]})
    entries = raw(octets).entries
    assert entries[0].key == b"F"
    inner = entries[0].value.value
    assert [(entry.key, entry.value) for entry in inner] == [(b"x", RABBITMQ.Tagged("I", 1))]
    assert entries[1].value == RABBITMQ.Tagged(
        "A", [RABBITMQ.Tagged("S", b"y"), RABBITMQ.Tagged("A", [RABBITMQ.Tagged("V", None)])]
    )


def test_it_is_a_mapping() -> None:
    table = raw(RABBITMQ.encode_table({"a": 1, "b": {"c": [1]}}))
    assert isinstance(table, Mapping)
    assert len(table) == 2
    assert list(table) == ["a", "b"]
    assert table["a"] == 1
    assert table.get("missing") is None
    assert "a" in table
    assert "missing" not in table
    assert dict(table.items()) == {"a": 1, "b": {"c": [1]}} == {**table}
    with pytest.raises(KeyError):
        table["missing"]
    with pytest.raises(TypeError):
        table["a"] = 2
    assert not raw(b"\0\0\0\0")
    assert repr(table) == "RawTable({'a': 1, 'b': {'c': [1]}})"


def test_equality() -> None:
    octets = RABBITMQ.encode_table({"a": 1, "b": 2})
    table = raw(octets)
    assert table == raw(octets)
    assert hash(table) == hash(raw(octets))
    assert table == {"b": 2, "a": 1}
    assert table == {"b": 2, "a": 1}
    assert table != {"a": 1}
    assert table != raw(RABBITMQ.encode_table({"b": 2, "a": 1}))  # equal values, other octets
    assert table != "table"


def test_a_copy_to_change() -> None:
    octets = RABBITMQ.encode_table({"a": 1, "b": {"c": 2}})
    table = raw(octets)
    for changed in (dict(table), table.to_dict(), {**table}):
        changed["a"] = 5
        assert RABBITMQ.encode_table(changed) == RABBITMQ.encode_table({"a": 5, "b": {"c": 2}})
    assert table["a"] == 1
    assert RABBITMQ.encode_table(table) == octets


def test_copy_and_pickle() -> None:
    octets = longstr(b"\1kt\2\1kt\3")
    table = raw(octets)
    for again in (copy.copy(table), copy.deepcopy(table), pickle.loads(pickle.dumps(table))):
        assert again == table
        assert RABBITMQ.encode_table(again) == octets
        assert dict(again) == {"k": True}


def test_a_table_of_one_method_in_another() -> None:
    octets = longstr(b"\1kt\2")
    declare = method(RABBITMQ, "queue.declare")(arguments=raw(octets))
    assert declare.encode().endswith(octets)
    header = RABBITMQ.ContentHeader(RABBITMQ.BasicProperties(headers=raw(octets)), 0)
    assert RABBITMQ.encode_frame(1, header)[:-1].endswith(octets)


@each_package
@given(data=st.data())
@examples(30)
def test_plain_tables_survive_lossless_decoding(amqp: Any, data: st.DataObject) -> None:
    plain = data.draw(plain_tables(amqp, dialect_of(amqp)))
    octets = amqp.encode_table(plain)
    table, _ = amqp.decode_table(octets, lossless=True)
    assert amqp.encode_table(table) == octets
    assert same(table.to_dict(), plain)
    assert amqp.encode_table(dict(table)) == octets


def test_the_limits_hold_for_lossless_decoding_too() -> None:
    three = longstr(b"\1aV" * 3)
    with pytest.raises(RABBITMQ.errors.LimitExceeded):
        RABBITMQ.decode_table(three, lossless=True, max_elements=2)
    assert RABBITMQ.decode_table(three, lossless=True, max_elements=3)[0] == {"a": None}
    nested = RABBITMQ.encode_table({"a": {"b": {}}})
    with pytest.raises(RABBITMQ.errors.LimitExceeded):
        RABBITMQ.decode_table(nested, lossless=True, max_depth=2)
    assert RABBITMQ.decode_table(nested, lossless=True, max_depth=3)[0] == {"a": {"b": {}}}
