"""Dialects given as objects, and the lenient option."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from .letters import KINDS
from .packages import OLDEST, RABBITMQ, each_package, method


def dialect(**changes: Any) -> Any:
    """A dialect that turns the usual letters upside down."""
    arguments: dict[str, Any] = {
        "name": "mirror",
        "read": {"I": "uint32", "S": "shortstr", "q": "int64", "Z": "longstr", "v": "void", "T": "boolean"},
        "integers": ("q",),
        "write": {"text": "Z", "void": "v", "boolean": "T"},
    }
    return RABBITMQ.Dialect(**{**arguments, **changes})


def test_a_dialect_of_ones_own() -> None:
    mirror = dialect()
    table = {"int": 1, "big": -(2**63), "text": "ä", "none": None, "yes": True, "no": False}
    octets = RABBITMQ.encode_table(table, dialect=mirror)
    assert octets[4:].startswith(b"\3intq\0\0\0\0\0\0\0\1\3big")
    assert RABBITMQ.decode_table(octets, 0, dialect=mirror) == (table, len(octets))
    raw, position = RABBITMQ.decode_table(octets, 0, dialect=mirror, lossless=True)
    assert (dict(raw), position) == (table, len(octets))
    assert RABBITMQ.encode_table(raw, dialect=mirror) == octets


def test_the_usual_letters_may_mean_something_else() -> None:
    mirror = dialect(integers=("I",), write={"text": "S"})
    octets = RABBITMQ.encode_table({"a": 2**32 - 1, "b": "x"}, dialect=mirror)
    assert octets.hex() == "0000000c016149ffffffff0162530178"
    assert RABBITMQ.decode_table(octets, 0, dialect=mirror)[0] == {"a": 2**32 - 1, "b": "x"}
    for refused in (-1, 2**32):
        with pytest.raises(RABBITMQ.EncodeError) as caught:
            RABBITMQ.encode_table({"a": refused}, dialect=mirror)
        assert caught.value.path == "a"
    with pytest.raises(RABBITMQ.EncodeError):
        RABBITMQ.encode_table({"b": "x" * 256}, dialect=mirror)


def test_a_letter_that_the_dialect_lacks_is_unknown_even_if_it_is_usual() -> None:
    bare = dialect(read={"q": "int64"}, integers=("q",), write={})
    for octets in (b"\0\0\0\7\1kI\0\0\0\1", b"\0\0\0\7\1kS\0\0\0\0"):
        with pytest.raises(RABBITMQ.errors.Unknown) as caught:
            RABBITMQ.decode_table(octets, 0, dialect=bare)
        assert "mirror" in caught.value.message


def test_kinds_that_cannot_be_written() -> None:
    bare = dialect(read={"q": "int64"}, integers=("q",), write={})
    assert RABBITMQ.encode_table({"k": 1}, dialect=bare) == b"\0\0\0\x0b\1kq\0\0\0\0\0\0\0\1"
    for value in ("text", b"x", None, True, 0.5, Decimal(1), [], {}, RABBITMQ.Timestamp(1)):
        with pytest.raises(RABBITMQ.EncodeError) as caught:
            RABBITMQ.encode_table({"k": value}, dialect=bare)
        assert caught.value.path == "k"
    mute = dialect(integers=(), write={})
    with pytest.raises(RABBITMQ.EncodeError):
        RABBITMQ.encode_table({"k": 1}, dialect=mute)
    assert RABBITMQ.encode_table({}, dialect=mute) == b"\0\0\0\0"


def test_integers_are_tried_in_order() -> None:
    ordered = dialect(read={"b": "int8", "u": "uint16", "q": "int64"}, integers=("b", "u", "q"), write={})
    letters = {0: b"b", 127: b"b", -128: b"b", 128: b"u", 65535: b"u", 65536: b"q", -129: b"q"}
    for value, letter in letters.items():
        assert RABBITMQ.encode_table({"k": value}, dialect=ordered)[6:7] == letter
    wide_first = dialect(read={"q": "int64", "I": "int32"}, integers=("q", "I"), write={})
    assert RABBITMQ.encode_table({"k": 1}, dialect=wide_first)[6:7] == b"q"


@pytest.mark.parametrize(
    "changes",
    [
        {"read": {"S": "nothing"}, "integers": (), "write": {}},
        {"read": {"SS": "longstr"}, "integers": (), "write": {}},
        {"read": {"": "longstr"}, "integers": (), "write": {}},
        {"read": {"€": "longstr"}, "integers": (), "write": {}},
        {"integers": ("I", "X")},
        {"write": {"text": "X"}},
        {"integers": ("Z",)},
    ],
    ids=["kind", "two letters", "no letter", "no ASCII", "integers", "write", "no integer"],
)
def test_a_dialect_that_makes_no_sense_is_a_value_error(changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        RABBITMQ.encode_table({}, dialect=dialect(**changes))


def test_methods_and_headers_take_a_dialect_too() -> None:
    mirror = dialect()
    declare = method(RABBITMQ, "queue.declare")(queue="q", arguments={"k": 2**40})
    payload = declare.encode(dialect=mirror)
    assert b"\1kq" in payload
    assert RABBITMQ.decode_method(payload, dialect=mirror) == declare
    frame = RABBITMQ.encode_frame(1, declare, dialect=mirror)
    assert RABBITMQ.decode_frames(frame, dialect=mirror)[0] == [(1, declare)]
    assert RABBITMQ.FrameDecoder(dialect=mirror).feed(frame) == [(1, declare)]
    properties = RABBITMQ.BasicProperties(headers={"k": 1, "t": "x"})
    publish = method(RABBITMQ, "basic.publish")()
    message = RABBITMQ.encode_message(1, publish, properties, b"", max_frame_size=0, dialect=mirror)
    for lazy in (False, True):
        frames, _ = RABBITMQ.decode_frames(message, dialect=mirror, lazy_properties=lazy)
        assert frames[1][1].properties == properties
        decoder = RABBITMQ.FrameDecoder(dialect=mirror, lazy_properties=lazy)
        assert decoder.feed(message)[1][1].properties == properties


@each_package
def test_dialects_by_name_for_methods(amqp: Any) -> None:
    declare = method(amqp, "queue.declare")(arguments={"flag": True, "list": [1, 2.5]})
    payload = declare.encode(dialect="rabbitmq")
    assert amqp.decode_method(payload, dialect="rabbitmq") == declare
    assert amqp.decode_method(payload, dialect=amqp.dialects.RABBITMQ) == declare


def test_lenient_reads_foreign_letters_as_rabbitmq_does() -> None:
    octets = RABBITMQ.encode_table({"t": True, "x": b"\1", "A": [None], "d": 0.5, "I": 1})
    for name in KINDS:
        table, position = RABBITMQ.decode_table(octets, 0, dialect=name, lenient=True)
        assert table == {"t": True, "x": b"\1", "A": [None], "d": 0.5, "I": 1}
        assert position == len(octets)
        if name != "rabbitmq":
            with pytest.raises(RABBITMQ.errors.Unknown):
                RABBITMQ.decode_table(octets, 0, dialect=name)


def test_lenient_keeps_the_meaning_of_the_letters_that_the_dialect_has() -> None:
    short = b"\0\0\0\x05\1ks\1A"
    assert RABBITMQ.decode_table(short, 0, dialect="spec-0-9-1", lenient=True)[0] == {"k": "A"}
    assert RABBITMQ.decode_table(short, 0, dialect="spec-0-8", lenient=True)[0] == {"k": 0x141}


# Letters that peers send, though no broker's dialect has them: the entry and its value.
PEERS_LETTERS: dict[str, tuple[bytes, Any]] = {
    "U": (b"\1kU\xff\xfe", -2),
    "NUL": (b"\1k\0", None),
}


@pytest.mark.parametrize("name", PEERS_LETTERS)
@pytest.mark.parametrize("dialect", KINDS)
def test_lenient_reads_letters_that_peers_send(dialect: str, name: str) -> None:
    entry, value = PEERS_LETTERS[name]
    octets = len(entry).to_bytes(4, "big") + entry
    assert RABBITMQ.decode_table(octets, 0, dialect=dialect, lenient=True) == ({"k": value}, len(octets))
    kept, _ = RABBITMQ.decode_table(octets, 0, dialect=dialect, lossless=True, lenient=True)
    assert (kept["k"], RABBITMQ.encode_table(kept)) == (value, octets)
    assert entry[2:3] == b"U" or RABBITMQ.dialects.LENIENT_LETTERS["\0"] == "void"
    if entry[2:3].decode() not in KINDS[dialect]:
        with pytest.raises(RABBITMQ.errors.Unknown):
            RABBITMQ.decode_table(octets, 0, dialect=dialect)


def test_unsigned_decimals_are_for_dialects_of_ones_own() -> None:
    rabbitmq = RABBITMQ.dialects.RABBITMQ
    unsigned = replace(rabbitmq, name="amqplib", read={**rabbitmq.read, "D": "decimal-unsigned"})
    octets = RABBITMQ.encode_table({"k": Decimal("429496729.5")}, dialect=unsigned)
    assert RABBITMQ.decode_table(octets, 0, dialect=unsigned)[0] == {"k": Decimal("429496729.5")}
    assert RABBITMQ.decode_table(octets)[0] == {"k": Decimal("-0.1")}
    for value in (Decimal("-0.1"), Decimal("4294967296")):
        with pytest.raises(RABBITMQ.EncodeError, match="k: the digits of the decimal"):
            RABBITMQ.encode_table({"k": value}, dialect=unsigned)


def test_lenient_everywhere() -> None:
    declare = method(OLDEST, "queue.declare")(arguments={"flag": True})
    payload = declare.encode(dialect="rabbitmq")
    frame = OLDEST.encode_frame(1, declare, dialect="rabbitmq")
    assert OLDEST.decode_method(payload, lenient=True) == declare
    assert OLDEST.decode_frames(frame, lenient=True)[0] == [(1, declare)]
    assert OLDEST.FrameDecoder(lenient=True).feed(frame) == [(1, declare)]
    lossless = OLDEST.decode_method(payload, lenient=True, lossless=True)
    assert lossless.arguments["flag"] is True
    assert lossless.encode() == payload
    for refusing in (
        lambda: OLDEST.decode_method(payload),
        lambda: OLDEST.decode_frames(frame, strict=True),
        lambda: OLDEST.FrameDecoder(strict=True).feed(frame),
    ):
        with pytest.raises(OLDEST.errors.Unknown) as caught:
            refusing()
        assert caught.value.path == "queue.declare.arguments.flag"
