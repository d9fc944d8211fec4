"""Lossless decoding: what is encoded again has the octets that came in, until it is changed."""

from __future__ import annotations

import copy
import pickle
import struct
from dataclasses import replace
from typing import Any

import pytest
from amqp_1_0._frame_bodies import EmptyFrame
from amqp_1_0._lossless import LosslessType
from amqp_1_0.validation import violations
from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples

from .fields import filled
from .hostile import vectors
from .packages import BY_NAME, amqp, each_composite
from .values import VALUES, identity
from .wide_encodings import widen

m, p, types = amqp.messaging, amqp.performatives, amqp.types
Symbol = amqp.Symbol
PERFORMATIVES = [kind for kind in BY_NAME.values() if kind.PROVIDES & {"frame", "sasl-frame"}]


def copies(value: Any) -> list[Any]:
    return [value, copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))]


def frame(body: bytes, channel: int = 0, extension: bytes = b"", sasl: bool = False) -> bytes:
    size = 8 + len(extension) + len(body)
    return struct.pack(">IBBH", size, 2 + len(extension) // 4, sasl, channel) + extension + body


@examples(300)
@given(VALUES, st.data())
def test_any_value_in_any_encoding(value: Any, data: st.DataObject) -> None:
    octets = widen(amqp.encode(value), lambda number: data.draw(st.integers(0, number - 1)))
    found, end = amqp.decode(b"??" + octets + b"!", 2, lossless=True)
    assert end == len(octets) + 2
    assert found.octets == octets
    assert identity(found.value) == identity(amqp.decode(octets)[0])
    for again in copies(found):
        assert amqp.encode(again) == octets
        assert again.is_changed() is False
        assert again.original == found.original


@pytest.mark.parametrize("name", vectors())
def test_every_type_with_a_descriptor(name: str) -> None:
    octets = vectors()[name]
    for wide in (octets, widen(octets, lambda number: number - 1)):
        assert amqp.encode(amqp.decode(wide, lossless=True)[0]) == wide


def test_a_value_that_changes_is_encoded_anew() -> None:
    octets = b"\xd0\0\0\0\x0d\0\0\0\1\x80" + bytes(7) + b"\5"
    found = amqp.decode(octets, lossless=True)[0]
    assert amqp.encode(found) == octets
    found.value.append("x")
    assert amqp.encode(found) == amqp.encode(found.value)
    found.value.pop()
    assert amqp.encode(found) == octets
    found.value = object()
    with pytest.raises(amqp.EncodeError):
        amqp.encode(found)
    with pytest.raises(amqp.EncodeError, match="no AMQP type for Encoded"):
        amqp.encode([found])


def test_what_the_encoder_refuses_is_decoded_all_the_same() -> None:
    octets = b"\xd0" + struct.pack(">II", 70_004, 70_000) + b"\x40" * 70_000
    found = amqp.decode(octets, lossless=True, max_elements=100_000)[0]
    assert len(found.value) == 70_000
    with pytest.raises(amqp.EncodeError, match="70000 elements"):
        amqp.encode(found)


@pytest.mark.parametrize("kind", PERFORMATIVES, ids=lambda kind: kind.NAME)
def test_frames_of_every_performative(kind: Any) -> None:
    plain = filled(kind)
    sasl = "sasl-frame" in kind.PROVIDES
    payload = b"payload" if kind.NAME == "transfer" else b""
    wide = widen(plain.encode(), lambda number: number - 1)
    symbolic = b"\0\xa3" + bytes((len(kind.SYMBOL),)) + kind.SYMBOL.encode() + wide[10:]
    for body in (plain.encode(), wide, symbolic):
        for extension in (b"", b"1234", b"12345678"):
            octets = frame(body + payload, 7, extension, sasl)
            ((channel, found, rest),), end = amqp.decode_frames(octets, lossless=True)
            assert (channel, rest, end) == (0 if sasl else 7, payload, len(octets))
            assert isinstance(found, kind)
            for again in (*copies(found), replace(found)):
                assert again == found
                assert amqp.encode_frame(channel, again, rest) == octets
                assert again.encode() == amqp.encode(again) == body
            assert violations(found) == violations(plain)
            if found != plain:
                assert isinstance(found, LosslessType)
                assert found.original is not None


def test_a_performative_that_changes_is_encoded_anew() -> None:
    wide = widen(p.Transfer(handle=1, delivery_id=2).encode(), lambda number: number - 1)
    ((_, found, _),), _ = amqp.decode_frames(frame(wide), lossless=True)
    assert type(found) is not p.Transfer
    assert found.encode() == wide
    other = replace(found, handle=5)
    assert other.encode() == p.Transfer(handle=5, delivery_id=2).encode()
    assert other != found
    found.handle = 5
    assert found.encode() == p.Transfer(handle=5, delivery_id=2).encode()
    match found:
        case p.Transfer(handle=5):
            pass
        case _:
            raise AssertionError
    found.handle = "x"
    with pytest.raises(amqp.EncodeError, match=r"^transfer.handle: "):
        amqp.encode_frame(0, found)


def test_performatives_in_the_shortest_encoding_are_what_they_always_are() -> None:
    transfer = p.Transfer(handle=1)
    ((_, found, _),), _ = amqp.decode_frames(amqp.encode_frame(3, transfer), lossless=True)
    assert type(found) is p.Transfer
    assert found == transfer


def test_streams() -> None:
    opening = widen(p.Open(container_id="c").encode(), lambda number: number - 1)
    mechanisms = widen(
        amqp.sasl.SaslMechanisms(sasl_server_mechanisms=["PLAIN"]).encode(), lambda number: number - 1
    )
    stream = b"".join(
        (
            amqp.PROTOCOL_HEADERS["sasl"],
            frame(mechanisms, 0xABCD, b"", True),
            frame(b"\0\x53\x44\xc0\3\1\x50\0", 0, b"abcd", True),
            amqp.PROTOCOL_HEADERS["amqp"],
            frame(opening),
            frame(b"", 5),
            frame(b"", 6, b"abcd"),
            frame(p.Transfer(handle=0).encode() + b"payload", 9, b"abcdefgh"),
        )
    )
    frames, end = amqp.decode_frames(stream, lossless=True)
    assert end == len(stream)
    assert b"".join(amqp.encode_frame(*frame) for frame in frames) == stream
    assert EmptyFrame(b"abcd") in [performative for _, performative, _ in frames]
    decoder = amqp.FrameDecoder(lossless=True)
    fed = [frame for octet in stream for frame in decoder.feed(bytes((octet,)))]
    assert fed == frames
    for again in copies(frames):
        assert again == frames
    with pytest.raises(amqp.DecodeError) as caught:
        amqp.decode_frames(stream + bytes(8), lossless=True)
    assert list(caught.value.frames) == frames
    with pytest.raises(amqp.EncodeError, match="exceeds"):
        amqp.encode_frame(*frames[-1], max_frame_size=16)


SECTIONS: list[Any] = [
    m.Header(durable=True, priority=5),
    m.DeliveryAnnotations({"x-opt-a": 1}),
    m.MessageAnnotations({"x-opt-b": "c"}),
    m.Properties(message_id="id", to="q", content_type="text/plain"),
    m.ApplicationProperties({"a": types.UInt(1), "b": None}),
    m.Footer({"x-opt-c": b"d"}),
]
BODIES: list[list[Any]] = [
    [],
    [m.Data(b"x")],
    [m.Data(b"x"), m.Data(b"x"), m.Data(b"y")],
    [m.AmqpSequence([1, 2]), m.AmqpSequence([])],
    [m.AmqpValue(amqp.Described(Symbol("d"), {"a": [1]}))],
]


@pytest.mark.parametrize("body", BODIES, ids=str)
@examples(40)
@given(st.data())
def test_messages(body: list[Any], data: st.DataObject) -> None:
    sections = [section for section in SECTIONS if data.draw(st.booleans())]
    sections[-1:] = [*sections[-1:], *body] if sections[-1:] != SECTIONS[-1:] else [*body, *sections[-1:]]
    octets = b"".join(
        widen(section.encode(), lambda number: data.draw(st.integers(0, number - 1))) for section in sections
    )
    found = amqp.decode_message(octets, lossless=True)
    plain = amqp.decode_message(octets)
    assert isinstance(found, amqp.Message)
    assert (type(found) is amqp.Message) == (plain.encode() == octets)
    for again in (*copies(found), replace(found)):
        assert again == found
        assert again.encode() == octets
    assert [getattr(found, name) for name in amqp.Message.__match_args__] == [
        getattr(plain, name) for name in amqp.Message.__match_args__
    ]


def test_the_sections_that_do_not_change_keep_their_octets() -> None:
    header = widen(m.Header(delivery_count=1).encode(), lambda number: number - 1)
    bare = widen(m.Properties(message_id="id").encode(), lambda number: number - 1)
    bare += (
        widen(m.ApplicationProperties({"a": 1}).encode(), lambda number: number - 1)
        + b"\0\x53\x75\xb0\0\0\0\1x"
    )
    found = amqp.decode_message(header + bare, lossless=True)
    assert found.encode() == header + bare
    found.header.delivery_count = 2
    found.delivery_annotations = {"x-opt-a": 1}
    expected = m.Header(delivery_count=2).encode() + m.DeliveryAnnotations({"x-opt-a": 1}).encode() + bare
    assert found.encode() == expected
    assert replace(found, footer={}).encode() == expected + m.Footer({}).encode()
    found.body = [m.Data(b"x"), m.Data(b"y")]
    assert found.encode() == expected + m.Data(b"y").encode()
    found.application_properties = {1: 2}
    with pytest.raises(amqp.EncodeError, match=r"^application-properties.1: "):
        found.encode()
    found.application_properties, found.body = None, "x"
    with pytest.raises(amqp.EncodeError, match=r"^body: "):
        found.encode()


def test_what_a_message_must_not_have_is_given_back_all_the_same() -> None:
    octets = b"\0\x53\x72\xc1\7\2\xa1\1k\xa1\1v" + b"\0\x53\x74\xc1\4\2\x54\1\x40" + b"\0\x53\x77\x40"
    found = amqp.decode_message(octets, lossless=True)
    assert (found.message_annotations, found.application_properties) == ({"k": "v"}, {1: None})
    assert found.encode() == octets
    with pytest.raises(amqp.EncodeError, match="application-properties"):
        amqp.decode_message(octets).encode()


@each_composite
def test_nothing_changes_without_it(cls: Any) -> None:
    value = filled(cls)
    assert type(amqp.decode(value.encode())[0]) is cls
