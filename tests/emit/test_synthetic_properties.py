"""Content properties that no published specification has: more than fifteen, and bits."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from .synthetic_specification import NAMES, amqp, folder

__all__ = ["amqp", "folder"]

BODY_SIZE = (5).to_bytes(8, "big")


def header_octets(amqp: ModuleType, index: int, properties: Any) -> bytes:
    """The flags and values of a content header that survives being encoded and decoded in every way."""
    header = amqp.ContentHeader(properties, 5)
    frame = amqp.encode_frame(1, header)
    assert frame[:3] == b"\2\0\1"
    assert frame[-1:] == b"\xce"
    payload: bytes = frame[7:-1]
    assert payload[:12] == index.to_bytes(2, "big") + b"\0\0" + BODY_SIZE
    assert amqp.decode_frames(frame) == ([(1, header)], len(frame))
    [(channel, lossless)], _ = amqp.decode_frames(frame, lossless=True)
    assert lossless == header
    assert amqp.encode_frame(channel, lossless) == frame
    [(_, lazy)] = amqp.FrameDecoder(lazy_properties=True).feed(frame)
    assert lazy.properties == properties
    return payload[12:]


def refused(amqp: ModuleType, index: int, octets: bytes) -> Any:
    payload = index.to_bytes(2, "big") + b"\0\0" + BODY_SIZE + octets
    frame = b"\2\0\1" + len(payload).to_bytes(4, "big") + payload + b"\xce"
    with pytest.raises(amqp.DecodeError) as caught:
        amqp.decode_frames(frame, strict=True)
    return caught.value


@pytest.mark.parametrize(
    ("name", "index", "values", "octets"),
    [
        ("Fourteen", 51, {}, "0000"),
        ("Fourteen", 51, {1: 7}, "8000 07"),
        ("Fourteen", 51, {14: 7}, "0004 07"),
        ("Fifteen", 52, {15: 7}, "0002 07"),
        ("Fifteen", 52, {1: 1, 15: 7}, "8002 01 07"),
        ("Sixteen", 53, {}, "0000"),
        ("Sixteen", 53, {1: 7}, "8000 07"),
        ("Sixteen", 53, {15: 7}, "0002 07"),
        ("Sixteen", 53, {16: 7}, "0001 8000 07"),
        ("Sixteen", 53, {1: 1, 15: 2, 16: 3}, "8003 8000 01 02 03"),
        ("Thirty", 54, {15: 1}, "0002 01"),
        ("Thirty", 54, {30: 1}, "0001 0002 01"),
        ("ThirtyOne", 55, {}, "0000"),
        ("ThirtyOne", 55, {1: 1}, "8000 01"),
        ("ThirtyOne", 55, {16: 1}, "0001 8000 01"),
        ("ThirtyOne", 55, {30: 1}, "0001 0002 01"),
        ("ThirtyOne", 55, {31: 1}, "0001 0001 8000 01"),
        ("ThirtyOne", 55, {1: 1, 16: 2, 31: 3}, "8001 8001 8000 01 02 03"),
        ("ThirtyOne", 55, {1: 1, 31: 3}, "8001 0001 8000 01 03"),
        (
            "ThirtyOne",
            55,
            {number: number for number in range(1, 32)},
            "ffff ffff 8000" + bytes(range(1, 32)).hex(),
        ),
    ],
)
def test_flags(amqp: ModuleType, name: str, index: int, values: dict[int, int], octets: str) -> None:
    properties = getattr(amqp.content, f"{name}Properties")(
        **{f"p{number}": value for number, value in values.items()}
    )
    assert header_octets(amqp, index, properties) == bytes.fromhex(octets)


def test_every_single_property_of_thirty_one(amqp: ModuleType) -> None:
    for number in range(1, 32):
        properties = amqp.content.ThirtyOneProperties(**{f"p{number}": number})
        words, mask = divmod(number - 1, 15)
        expected = b"\0\1" * words + (0x8000 >> mask).to_bytes(2, "big") + bytes((number,))
        assert header_octets(amqp, 55, properties) == expected


def test_no_properties(amqp: ModuleType) -> None:
    assert header_octets(amqp, 50, amqp.content.NoneProperties()) == b"\0\0"


@pytest.mark.parametrize(
    ("index", "octets"),
    [
        (50, "8000"),
        (50, "0001 0000"),
        (51, "0002 07"),
        (51, "0001 0000"),
        (52, "0001 0000"),
        (53, "0001 4000 07"),
        (53, "0001 0001 0000"),
        (53, "0001"),
        (55, "0001 0001 4000"),
        (55, "0001 0001 0001 0000"),
        (55, "8000"),
        (55, ""),
        (55, "80"),
        (55, "8000 01 02"),
    ],
)
def test_flags_of_no_property_and_cut_off_ones_are_refused(amqp: ModuleType, index: int, octets: str) -> None:
    error = refused(amqp, index, bytes.fromhex(octets))
    assert isinstance(error, (amqp.errors.Malformed, amqp.errors.Unknown, amqp.errors.Truncated))
    assert error.offset >= 7


@pytest.mark.parametrize("octets", ["8000 01", "8001 0000 01", "8001 0001 0000 01"])
def test_words_of_flags_that_are_not_needed(amqp: ModuleType, octets: str) -> None:
    """A peer may announce a word in which nothing is set; lossless decoding keeps that it did."""
    payload = (55).to_bytes(2, "big") + b"\0\0" + BODY_SIZE + bytes.fromhex(octets)
    frame = b"\2\0\1" + len(payload).to_bytes(4, "big") + payload + b"\xce"
    [(_, header)], _ = amqp.decode_frames(frame)
    assert header.properties == amqp.content.ThirtyOneProperties(p1=1)
    [(_, lossless)], _ = amqp.decode_frames(frame, lossless=True)
    assert amqp.encode_frame(1, lossless) == frame


# --- Bits: the flag is the value -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "octets"),
    [
        ({}, "0000"),
        ({"b1": True}, "8000"),
        ({"b1": False}, "0000"),
        ({"b16": True}, "0001 8000"),
        ({"b1": True, "b16": True}, "8001 8000"),
        ({"s17": "x"}, "0001 4000 01 78"),
        ({"b1": True, "p1": 5, "b16": True, "s17": ""}, "c001 c000 05 00"),
    ],
)
def test_properties_that_are_bits(amqp: ModuleType, values: dict[str, Any], octets: str) -> None:
    properties = amqp.content.FlaggedProperties(**values)
    assert header_octets(amqp, 56, properties) == bytes.fromhex(octets)
    assert properties.b1 is values.get("b1", False)


# --- Types and names -----------------------------------------------------------------------------


def test_all_types(amqp: ModuleType) -> None:
    """octet, shortstr, short, longstr, long, table, longlong, timestamp, bit, bit."""
    properties = amqp.content.KindsProperties(
        k0=1, k1="s", k2=2, k3=b"l", k4=3, k5={}, k6=4, k7=5, k8=True, k9=True
    )
    assert header_octets(amqp, 57, properties) == bytes.fromhex(
        "ffc0  01  01 73  0002  00000001 6c  00000003  00000000  0000000000000004  0000000000000005"
    )


@pytest.mark.parametrize(
    ("name", "value"), [("k0", 0), ("k1", ""), ("k2", 0), ("k3", b""), ("k5", {}), ("k7", 0)]
)
def test_a_property_that_is_there_and_zero(amqp: ModuleType, name: str, value: object) -> None:
    properties = amqp.content.KindsProperties(**{name: value})
    assert header_octets(amqp, 57, properties)[:2] == (0x8000 >> int(name[1:])).to_bytes(2, "big")


def test_properties_called_as_python_or_our_code_calls_things(amqp: ModuleType) -> None:
    known = amqp.content.ClashingProperties
    names = [field.name for field in known.FIELDS]
    assert [name.rstrip("_").replace("_", "-") for name in names] == NAMES
    zeros: list[Any] = ["", 0, 0]
    full = {name: (f"{name}", number % 256, number)[number % 3] for number, name in enumerate(names)}
    for values in ({}, {name: zeros[number % 3] for number, name in enumerate(names)}, full):
        properties = known(**values)
        assert {name: getattr(properties, name) for name in values} == values
        header_octets(amqp, 58, properties)
    for name in names:
        header_octets(amqp, 58, known(**{name: full[name]}))


def test_properties_called_like_words_of_flags(amqp: ModuleType) -> None:
    for name, octets in {
        "flags_2": "0001 8000 09",
        "flags_3": "0001 4000 09",
        "flags": "0001 2000 09",
        "words": "0001 1000 09",
    }.items():
        properties = amqp.content.SecondProperties(**{name: 9})
        assert header_octets(amqp, 59, properties) == bytes.fromhex(octets)
    everything = {f"p{number}": number for number in range(1, 16)} | {
        "flags_2": 16,
        "flags_3": 17,
        "flags": 18,
        "words": 19,
    }
    octets = header_octets(amqp, 59, amqp.content.SecondProperties(**everything)).hex()
    assert octets == "fffff000" + bytes(range(1, 20)).hex()


def test_a_message(amqp: ModuleType) -> None:
    properties = amqp.content.SixteenProperties(p16=9)
    octets = amqp.encode_message(1, amqp.methods.SixteenSend(), properties, b"hello", max_frame_size=4096)
    frames, end = amqp.decode_frames(octets)
    assert end == len(octets)
    assert [frame for _, frame in frames] == [
        amqp.methods.SixteenSend(),
        amqp.ContentHeader(properties, 5),
        amqp.ContentBody(b"hello"),
    ]


@pytest.mark.parametrize(("name", "index"), [("Type", 60)])
def test_properties_of_a_class_called_like_a_builtin(amqp: ModuleType, name: str, index: int) -> None:
    properties = getattr(amqp.content, f"{name}Properties")(type={"a": 1}, len=b"x")
    header_octets(amqp, index, properties)
