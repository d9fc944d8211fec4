"""A message becomes a method, a header and as many bodies as max_frame_size asks for."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples

from .packages import OLDEST, PACKAGES, RABBITMQ, bare, each_package, method
from .values import properties, typical_values

CARRIERS = [
    pytest.param(amqp, cls, id=f"{name}-{cls.NAME}")
    for name, amqp in PACKAGES.items()
    for cls in amqp.METHODS.values()
    if cls.HAS_CONTENT
]


def sizes(stream: bytes) -> list[int]:
    """The size of each frame, overhead included."""
    found = []
    position = 0
    while position < len(stream):
        found.append(int.from_bytes(stream[position + 3 : position + 7], "big") + 8)
        position += found[-1]
    assert position == len(stream)
    return found


def check(amqp: Any, sent: Any, properties: Any, body: bytes, max_frame_size: int) -> list[int]:
    stream = amqp.encode_message(5, sent, properties, body, max_frame_size=max_frame_size)
    frames, position = amqp.decode_frames(stream)
    assert position == len(stream)
    assert {channel for channel, _ in frames} == {5}
    method, header, *bodies = [frame for _, frame in frames]
    assert method == sent
    expected = amqp.content.PROPERTIES[sent.CLASS_ID]() if properties is None else properties
    assert header == amqp.ContentHeader(expected, len(body))
    assert all(type(frame) is amqp.ContentBody and frame.payload for frame in bodies)
    assert b"".join(frame.payload for frame in bodies) == body
    if max_frame_size:
        assert max(sizes(stream)) <= max_frame_size
        # Full frames first: no more of them than needed.
        assert len(bodies) == -(-len(body) // (max_frame_size - 8))
    else:
        assert len(bodies) == (1 if body else 0)
    return sizes(stream)


@pytest.mark.parametrize(("amqp", "cls"), CARRIERS)
def test_every_method_with_content(amqp: Any, cls: Any) -> None:
    sent = cls(**typical_values(amqp, cls))
    carried = amqp.content.PROPERTIES[cls.CLASS_ID]
    full = carried(**typical_values(amqp, carried))
    for body in (b"", b"x", b"y" * 5000):
        for max_frame_size in (0, 4096, 131072):
            check(amqp, sent, full, body, max_frame_size)
            check(amqp, sent, None, body, max_frame_size)


@each_package
def test_bodies_around_the_limit(amqp: Any) -> None:
    publish = method(amqp, "basic.publish")(routing_key="q")
    max_frame_size = 64
    room = max_frame_size - 8
    for size in [*range(4), *range(room - 2, room + 3), *range(2 * room - 2, 2 * room + 3), 10 * room + 1]:
        check(amqp, publish, amqp.BasicProperties(), bytes(size), max_frame_size)


@each_package
@given(data=st.data())
@examples(60)
def test_any_message_and_limit(amqp: Any, data: st.DataObject) -> None:
    publish = method(amqp, "basic.publish")(routing_key="q" * data.draw(st.integers(0, 30)))
    carried = amqp.BasicProperties(content_type=data.draw(st.none() | st.text("ab", max_size=30)))
    body = data.draw(st.binary(max_size=120))
    max_frame_size = data.draw(st.integers(1, 80))
    frames = [publish, amqp.ContentHeader(carried, len(body))]
    if any(len(amqp.encode_frame(5, frame)) > max_frame_size for frame in frames):
        with pytest.raises(amqp.EncodeError) as caught:
            amqp.encode_message(5, publish, carried, body, max_frame_size=max_frame_size)
        assert caught.value.path == "max_frame_size"
    else:
        check(amqp, publish, carried, body, max_frame_size)


@pytest.mark.parametrize("body", [b"", b"x"])
def test_a_header_larger_than_the_maximum_is_refused(body: bytes) -> None:
    publish = method(RABBITMQ, "basic.publish")()
    carried = RABBITMQ.BasicProperties(content_type="x" * 100)
    with pytest.raises(RABBITMQ.EncodeError) as caught:
        RABBITMQ.encode_message(1, publish, carried, body, max_frame_size=60)
    assert caught.value.path == "max_frame_size"


@pytest.mark.parametrize("body", [b"", b"x"])
def test_a_method_larger_than_the_maximum_is_refused(body: bytes) -> None:
    publish = method(RABBITMQ, "basic.publish")(routing_key="x" * 100)
    with pytest.raises(RABBITMQ.EncodeError) as caught:
        RABBITMQ.encode_message(1, publish, None, body, max_frame_size=60)
    assert caught.value.path == "max_frame_size"


@pytest.mark.parametrize("max_frame_size", [-1, 1, 7, 8])
@pytest.mark.parametrize("body", [b"", b"x"])
def test_a_maximum_without_room_is_refused(max_frame_size: int, body: bytes) -> None:
    with pytest.raises(RABBITMQ.EncodeError) as caught:
        RABBITMQ.encode_message(
            1, method(RABBITMQ, "basic.publish")(), None, body, max_frame_size=max_frame_size
        )
    assert caught.value.path == "max_frame_size"


@each_package
@given(data=st.data())
@examples(40)
def test_any_properties(amqp: Any, data: st.DataObject) -> None:
    publish = method(amqp, "basic.publish")()
    carried = data.draw(properties(amqp, amqp.BasicProperties))
    stream = amqp.encode_message(1, publish, carried, b"body")
    again = [amqp.encode_frame(channel, frame) for channel, frame in amqp.decode_frames(stream)[0]]
    assert b"".join(again) == stream


@each_package
def test_a_message_is_its_frames_one_after_the_other(amqp: Any) -> None:
    publish = method(amqp, "basic.publish")(routing_key="q")
    carried = amqp.BasicProperties(message_id="m")
    frames = [publish, amqp.ContentHeader(carried, 3), amqp.ContentBody(b"abc")]
    assert amqp.encode_message(2, publish, carried, b"abc") == b"".join(
        amqp.encode_frame(2, frame) for frame in frames
    )


@each_package
def test_a_bytearray_is_a_body_too(amqp: Any) -> None:
    publish = method(amqp, "basic.publish")()
    for size in (0, 10, 100):
        body = bytes(range(size))
        for max_frame_size in (0, 50):
            expected = amqp.encode_message(1, publish, None, body, max_frame_size=max_frame_size)
            assert (
                amqp.encode_message(1, publish, None, bytearray(body), max_frame_size=max_frame_size)
                == expected
            )
            assert (
                amqp.encode_message(1, publish, None, memoryview(body), max_frame_size=max_frame_size)
                == expected
            )


def test_methods_without_content_are_refused() -> None:
    for cls in RABBITMQ.METHODS.values():
        if not cls.HAS_CONTENT:
            with pytest.raises(RABBITMQ.EncodeError):
                RABBITMQ.encode_message(1, bare(cls), None, b"x")
            with pytest.raises(RABBITMQ.EncodeError):
                RABBITMQ.encode_message(1, bare(cls), RABBITMQ.BasicProperties(), b"x")


def test_properties_of_another_class_are_refused() -> None:
    with pytest.raises(OLDEST.EncodeError):
        OLDEST.encode_message(
            1, method(OLDEST, "basic.publish")(), OLDEST.content.FileProperties(filename="f")
        )


@pytest.mark.parametrize("channel", [-1, 65536, "1", None, 1.0])
def test_no_channel(channel: Any) -> None:
    for body in (b"", b"x" * 100):
        for max_frame_size in (0, 60):
            with pytest.raises(RABBITMQ.EncodeError) as caught:
                RABBITMQ.encode_message(
                    channel, method(RABBITMQ, "basic.publish")(), None, body, max_frame_size=max_frame_size
                )
            assert caught.value.path == "channel"
