"""The reference encoder against octets worked out by hand from the 0-9-1 document."""

from __future__ import annotations

from typing import Any

import pytest
from amqp_codegen.vectors.amqp0.reference_encoder import (
    encode,
    frame_input,
    frame_octets,
    header_input,
    method_input,
)

from .built_in_specifications import method_of, spec_of

SPEC = spec_of("0-9-1-rabbitmq")


def method(name: str, **values: Any) -> str:
    given = {field.replace("_", "-"): value for field, value in values.items()}
    made = method_input(method_of("0-9-1-rabbitmq", name), given)
    return encode(SPEC, "method", made, SPEC.dialect).hex(" ")


def test_bits_fill_octets_from_the_lowest() -> None:
    assert method("queue.declare") == "00 32 00 0a 00 00 00 00 00 00 00 00"
    assert method("queue.declare", passive=True) == "00 32 00 0a 00 00 00 01 00 00 00 00"
    assert method("queue.declare", queue="q", no_wait=True) == "00 32 00 0a 00 00 01 71 10 00 00 00 00"
    assert method("basic.publish", exchange="e", immediate=True) == "00 3c 00 28 00 00 01 65 00 02"


def test_a_bit_between_other_fields() -> None:
    expected = "00 3c 00 3c 01 63 00 00 00 00 00 00 00 05 01 01 65 01 72"
    assert (
        method(
            "basic.deliver",
            consumer_tag="c",
            delivery_tag="5",
            redelivered=True,
            exchange="e",
            routing_key="r",
        )
        == expected
    )


def test_strings_count_octets() -> None:
    assert method("basic.cancel", consumer_tag="ü", no_wait=False) == "00 3c 00 1e 02 c3 bc 00"
    assert method("connection.secure", challenge={"hex": "ff00"}) == "00 0a 00 14 00 00 00 02 ff 00"


def test_numbers_are_in_network_order() -> None:
    assert (
        method("connection.tune", channel_max=1, frame_max=2, heartbeat=3)
        == "00 0a 00 1e 00 01 00 00 00 02 00 03"
    )


def header(body_size: int, **values: Any) -> str:
    (entry,) = SPEC.content_classes
    given = {name.replace("_", "-"): value for name, value in values.items()}
    return encode(SPEC, "header", header_input(entry, given, body_size), SPEC.dialect).hex(" ")


def test_property_flags_come_from_the_highest() -> None:
    assert header(0) == "00 3c 00 00 00 00 00 00 00 00 00 00 00 00"
    assert header(258, content_type="t") == "00 3c 00 00 00 00 00 00 00 00 01 02 80 00 01 74"
    assert header(0, priority=5, timestamp="1") == (
        "00 3c 00 00 00 00 00 00 00 00 00 00 08 40 05 00 00 00 00 00 00 00 01"
    )
    assert header(0, reserved="").endswith("00 04 00")


@pytest.mark.parametrize(
    ("letter", "value", "octets"),
    [
        ("t", True, "01"),
        ("b", -1, "ff"),
        ("B", 255, "ff"),
        ("s", -2, "ff fe"),
        ("u", 65534, "ff fe"),
        ("I", -2, "ff ff ff fe"),
        ("i", 4294967294, "ff ff ff fe"),
        ("l", "-2", "ff ff ff ff ff ff ff fe"),
        ("f", "1.5", "3f c0 00 00"),
        ("d", "-0.0", "80 00 00 00 00 00 00 00"),
        ("D", {"scale": 2, "number": 314}, "02 00 00 01 3a"),
        ("S", {"hex": "c3bc"}, "00 00 00 02 c3 bc"),
        ("x", {"hex": "00"}, "00 00 00 01 00"),
        ("T", "1", "00 00 00 00 00 00 00 01"),
        ("A", [{"letter": "t", "value": False}], "00 00 00 02 74 00"),
        ("F", [{"key": "k", "letter": "V", "value": None}], "00 00 00 03 01 6b 56"),
        ("V", None, ""),
    ],
)
def test_letters(letter: str, value: Any, octets: str) -> None:
    table = {"entries": [{"key": "k", "letter": letter, "value": value}]}
    body = f"01 6b {ord(letter):02x} {octets}".strip()
    size = len(bytes.fromhex(body)).to_bytes(4, "big").hex(" ")
    assert encode(SPEC, "table", table, SPEC.dialect).hex(" ") == f"{size} {body}"


def test_the_same_letter_in_two_dialects() -> None:
    table = {"entries": [{"key": "", "letter": "s", "value": -1}]}
    assert encode(SPEC, "table", table, SPEC.dialect).hex() == "000000040073ffff"
    standard = next(dialect for dialect in SPEC.dialects if dialect.name == "spec-0-9-1")
    table = {"entries": [{"key": "", "letter": "s", "value": {"hex": "61"}}]}
    assert encode(SPEC, "table", table, standard).hex() == "0000000400730161"


def test_frames() -> None:
    heartbeat = frame_input("heartbeat", 0, {"hex": ""})
    assert encode(SPEC, "frame", heartbeat, SPEC.dialect) == SPEC.wire.heartbeat
    body = frame_input("body", 258, {"hex": "2a"})
    assert encode(SPEC, "frame", body, SPEC.dialect).hex(" ") == "03 01 02 00 00 00 01 2a ce"
    assert frame_octets(SPEC, 9, 0, b"") == bytes.fromhex("09000000000000ce")


def test_content_of_0_9() -> None:
    spec = spec_of("0-9")
    transfer = method_input(
        method_of("0-9", "message.transfer"), {"body": {"kind": 1, "data": {"hex": "72"}}}
    )
    assert encode(spec, "method", transfer, spec.dialect).endswith(bytes.fromhex("010000000172"))


@pytest.mark.parametrize(
    ("count", "present", "flags"),
    [
        (16, {1}, "8000"),
        (16, {15}, "0002"),
        (16, {16}, "00018000"),
        (16, {1, 16}, "80018000"),
        (31, {31}, "000100018000"),
        (31, {15}, "0002"),
    ],
)
def test_more_than_fifteen_properties(count: int, present: set[int], flags: str) -> None:
    from amqp_codegen.vectors.amqp0.reference_encoder import _flags

    assert _flags([number in present for number in range(1, count + 1)]).hex() == flags
