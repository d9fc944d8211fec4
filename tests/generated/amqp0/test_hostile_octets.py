"""Changed and random octets: a value or a DecodeError, never anything else."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples

from . import reference_codec
from .hostile import survive, survive_frames, vector
from .packages import RABBITMQ, bare, dialect_of, each_package, methods_of
from .reference_codec import frame
from .values import rich_table, typical_values

# Other values of an octet: both ends, the sign, one more and one less, a flipped bit, letters of tables.
SOME = (0x00, 0x01, 0x7F, 0x80, 0xFF, ord("S"), ord("F"), ord("A"), ord("V"))


def changes(octets: bytes, place: int) -> set[int]:
    octet = octets[place]
    return {*SOME, (octet + 1) & 255, (octet - 1) & 255, octet ^ 0x20} - {octet}


@each_package
def test_single_octets_of_every_method(amqp: Any) -> None:
    for cls in methods_of(amqp):
        octets = vector(amqp, cls)
        for place in range(len(octets)):
            for octet in changes(octets, place):
                survive(amqp, octets[:place] + bytes((octet,)) + octets[place + 1 :])


def test_every_value_of_every_octet_of_typical_methods() -> None:
    # Strings and bits and a table, integers, nothing.
    for name in ("queue.declare", "basic.get-ok", "connection.tune", "tx.select"):
        cls = next(cls for cls in RABBITMQ.METHODS.values() if name == cls.NAME)
        octets = vector(RABBITMQ, cls)
        for place in range(len(octets)):
            for octet in range(256):
                survive(RABBITMQ, octets[:place] + bytes((octet,)) + octets[place + 1 :])


@each_package
def test_single_octets_of_headers(amqp: Any) -> None:
    for cls in amqp.content.PROPERTIES.values():
        payload = reference_codec.header(cls, typical_values(amqp, cls), dialect_of(amqp))[0]
        stream = frame(2, 1, payload)
        for place in range(7, len(stream)):
            for octet in changes(stream, place):
                changed = stream[:place] + bytes((octet,)) + stream[place + 1 :]
                survive_frames(amqp, changed)
                try:
                    frames, position = amqp.decode_frames(changed, lossless=True)
                except amqp.DecodeError:
                    continue
                assert b"".join(amqp.encode_frame(*item) for item in frames) == changed[:position]


@each_package
def test_single_octets_of_a_stream(amqp: Any) -> None:
    publish = next(cls for cls in methods_of(amqp) if cls.NAME == "basic.publish")
    properties = amqp.BasicProperties(content_type="a", delivery_mode=2)
    stream = amqp.encode_message(1, publish(routing_key="q"), properties, b"body")
    stream += amqp.constants.HEARTBEAT_FRAME
    for place in range(len(stream)):
        for octet in changes(stream, place):
            survive_frames(amqp, stream[:place] + bytes((octet,)) + stream[place + 1 :])


@each_package
def test_single_octets_of_a_rich_table(amqp: Any) -> None:
    octets = amqp.encode_table({**rich_table(amqp), "x" * 255: 1})
    generator = random.Random(5)
    for place in range(len(octets)):
        for octet in (octets[place] ^ 1, generator.randrange(256)):
            changed = octets[:place] + bytes((octet,)) + octets[place + 1 :]
            try:
                amqp.decode_table(changed)
            except amqp.DecodeError as error:
                assert 0 <= error.offset <= len(changed)
                assert error.message
            try:
                table, position = amqp.decode_table(changed, lossless=True)
            except amqp.DecodeError:
                continue
            assert amqp.encode_table(table) == changed[:position]


@each_package
@given(data=st.data())
@examples(100)
def test_random_arguments_of_a_method(amqp: Any, data: st.DataObject) -> None:
    cls = data.draw(st.sampled_from(methods_of(amqp)))
    survive(amqp, bare(cls).encode()[:4] + data.draw(st.binary(max_size=60)))


@each_package
@given(stream=st.binary(max_size=60))
@examples(100)
def test_random_streams(amqp: Any, stream: bytes) -> None:
    survive_frames(amqp, stream)


@each_package
@given(data=st.data())
@examples(100)
def test_random_payloads(amqp: Any, data: st.DataObject) -> None:
    kind = data.draw(st.integers(0, 9))
    class_id = data.draw(st.sampled_from([10, 20, 50, 60, 70, 80, 110, 120, 0, 65535]))
    start = data.draw(
        st.sampled_from([b"", class_id.to_bytes(2, "big"), class_id.to_bytes(2, "big") + b"\0\x0a"])
    )
    stream = frame(kind, data.draw(st.integers(0, 65535)), start + data.draw(st.binary(max_size=40)))
    survive_frames(amqp, stream)


@each_package
@given(data=st.binary(max_size=60))
@examples(100)
def test_random_tables(amqp: Any, data: bytes) -> None:
    octets = len(data).to_bytes(4, "big") + data
    for lossless in (False, True):
        try:
            amqp.decode_table(octets, lossless=lossless)
        except amqp.DecodeError as error:
            assert 0 <= error.offset <= len(octets)
