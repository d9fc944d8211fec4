"""Octets from other libraries' test suites: what they mean there is what they mean here."""

from __future__ import annotations

import re
import struct
from decimal import Decimal
from typing import Any

import pytest

from tests.published_specs.published_files import vectors

from .packages import RABBITMQ

# amq-protocol's types for what stands without a letter.
LETTERS = {
    "boolean": "t",
    "short_short_int": "b",
    "short_short_uint": "B",
    "short_int": "s",
    "short_uint": "u",
    "long_int": "I",
    "long_uint": "i",
    "long_long_int": "l",
    "float": "f",
    "double": "d",
    "decimal_value": "D",
    "long_string": "S",
    "field_array": "A",
    "timestamp": "T",
    "field_table": "F",
    "byte_array": "x",
}


def amqplib_value(expect: Any) -> Any:
    """amqplib's notation for the types that JavaScript does not have."""
    if isinstance(expect, dict) and expect.get("type") == "Buffer":
        return bytes(expect["data"])
    if isinstance(expect, dict) and "!" in expect:
        kind, value = expect["!"], expect["value"]
        if kind == "decimal":
            return Decimal(value["digits"]).scaleb(-value["places"])
        if kind == "float":
            return struct.unpack(">f", struct.pack(">f", value))[0]
        return value
    if isinstance(expect, dict):
        return {key: amqplib_value(value) for key, value in expect.items()}
    return expect


@pytest.mark.parametrize("line", vectors("amqp091_table_amqplib.jsonl"))
def test_amqplib(line: dict[str, Any]) -> None:
    body = bytes.fromhex(line["hex"])
    octets = struct.pack(">I", len(body)) + body
    table, position = RABBITMQ.decode_table(octets)
    assert position == len(octets)
    assert table == amqplib_value(line["expect"])
    raw, _ = RABBITMQ.decode_table(octets, lossless=True)
    assert RABBITMQ.encode_table(raw) == octets
    # The letter and the plain value say the same.
    tagged = {entry.key.decode(): entry.value for entry in raw.entries}
    (key,) = table
    if tagged[key].letter not in "AF":
        assert RABBITMQ.encode_table({key: RABBITMQ.Tagged(tagged[key].letter, table[key])}) == octets


def rust_value(expect: str) -> Any:
    """The value in Rust's notation."""
    if "scale" in expect:
        scale, number = map(int, re.findall(r"\d+", expect))
        signed = (
            number - (1 << 32) if number >= 1 << 31 else number
        )  # Rust's clients use the 32 bits unsigned
        return Decimal(f"{signed}E-{scale}")
    if "DEFAULT" in expect or "default()" in expect:
        return {"FieldArray": [], "FieldTable": {}, "ByteArray": b"", "LongString": ""}[
            next(name for name in ("FieldArray", "FieldTable", "ByteArray", "LongString") if name in expect)
        ]
    if "LongString(" in expect and "vec!" in expect:
        return ["test", None]
    if "vec!" in expect:
        return bytes(map(int, re.findall(r"\d+", expect)))
    if ", table))" in expect:
        return {"test": "test", "tt": None}
    if '"test"' in expect:
        return "test"
    if "true" in expect or "false" in expect:
        return "true" in expect
    (number,) = re.findall(r"(-?\d+\.?\d*)\)", expect)
    return float(number) if "." in number else int(number)


@pytest.mark.parametrize("line", vectors("amqp091_values_amq_protocol_rs.jsonl"))
def test_amq_protocol(line: dict[str, Any]) -> None:
    octets = bytes.fromhex(line["hex"])
    kind = line["kind"]
    if kind == "parse_type":
        assert octets.decode() in RABBITMQ.dialects.RABBITMQ.read
        return
    if kind == "parse_id":
        method = RABBITMQ.METHODS[10 << 16 | 50]
        close = RABBITMQ.decode_method(b"\0\x0a\0\x32" + b"\0\0\0" + octets + octets)
        assert close == method(0, "", rust_value(line["expect"]), rust_value(line["expect"]))
        return
    if kind in ("parse_long_long_uint", "parse_raw_value:LongLongUInt"):
        ack = RABBITMQ.decode_method(b"\0\x3c\0\x50" + octets + b"\0")
        assert ack.delivery_tag == rust_value(line["expect"])
        return
    if kind in ("parse_short_string", "parse_raw_value:ShortString"):
        blocked = RABBITMQ.decode_method(b"\0\x0a\0\x3c" + octets)
        assert blocked.reason == ("" if "default" in line["expect"] else "test")
        return
    if kind == "parse_value":
        value = octets
    elif kind.startswith("parse_raw_value:"):
        value = {"Timestamp": b"T", "LongString": b"S"}[kind.partition(":")[2]] + octets
    else:
        value = LETTERS[kind.removeprefix("parse_")].encode() + octets
    table = struct.pack(">I", 2 + len(value)) + b"\1k" + value
    decoded, position = RABBITMQ.decode_table(table)
    assert position == len(table)
    expected = rust_value(line["expect"])
    if isinstance(expected, float) and value[:1] == b"f":
        expected = struct.unpack(">f", struct.pack(">f", expected))[0]
    assert decoded == {"k": expected}
    assert RABBITMQ.encode_table(RABBITMQ.decode_table(table, lossless=True)[0]) == table
