"""Values that do not fit: EncodeError, whose path names the field."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from .packages import DRAFT, RABBITMQ, bare, each_package, each_property_set, method, methods_of, plain_fields
from .values import LONGEST_SHORTSTR, WIDTHS, typical_values

# Values of the right type that are out of range, and values of the wrong type.
RANGE: dict[str, list[Any]] = {
    **{kind: [-1, -(2**63), 256**width, 2**64, 10**30] for kind, width in WIDTHS.items()},
    "shortstr": ["x" * 256, LONGEST_SHORTSTR + "x", "€" * 86, "\ud800", "a\udfffb", "\udc7f"],
    "longstr": [],
    "bit": [],
    "table": [{"k": object()}, {"x" * 256: 1}, {"k": {"l": 2**64}}],
    "content": [],
}
RANGE["timestamp"] += [datetime(1969, 1, 1, tzinfo=UTC), datetime(2024, 1, 1)]
TYPE: dict[str, list[Any]] = {
    **{kind: [None, "1", 1.5, b"1", [1], object()] for kind in WIDTHS},
    "shortstr": [None, 1, b"bytes", ["a"], object()],
    "longstr": [None, 1, "text", [1], object()],
    "bit": [None, 0, 1, "", "false", b"", 1.0, [], object()],
    "table": [1, "text", b"\0\0\0\0", [], object()],
    "content": [b"data", 1],
}


def check(amqp: Any, cls: Any, name: str, value: Any, encode: Any) -> None:
    built = cls(**{**typical_values(amqp, cls), name: value})
    with pytest.raises(amqp.EncodeError) as caught:
        encode(built)
    assert caught.value.path.startswith(f"{cls.NAME}.{name}"), (value, caught.value)
    assert caught.value.message


@each_package
def test_methods(amqp: Any) -> None:
    for cls in methods_of(amqp):
        for field in plain_fields(cls):
            for value in (*RANGE[field.type], *TYPE[field.type]):
                if value is not None or field.name not in cls.ALIASES.values():  # None leaves it to the alias
                    check(amqp, cls, field.name, value, cls.encode)


@each_property_set
def test_properties(amqp: Any, cls: Any) -> None:
    def encode(built: Any) -> None:
        amqp.encode_frame(1, amqp.ContentHeader(built, 0))

    for field in cls.FIELDS:
        for value in (*RANGE[field.type], *TYPE[field.type]):
            if value is not None:  # None is an absent property
                check(amqp, cls, field.name, value, encode)


@each_package
def test_every_way_to_encode_says_the_same(amqp: Any) -> None:
    publish = method(amqp, "basic.publish")(exchange="x" * 256)
    for call in (
        publish.encode,
        lambda: amqp.encode_frame(1, publish),
        lambda: amqp.encode_message(1, publish, amqp.BasicProperties(), b"body"),
        lambda: amqp.encode_message(1, publish, None, b"body", max_frame_size=4096),
    ):
        with pytest.raises(amqp.EncodeError) as caught:
            call()
        assert caught.value.path == "basic.publish.exchange"
        assert "256" in caught.value.message
        assert str(caught.value) == f"basic.publish.exchange: {caught.value.message}"
    properties = amqp.BasicProperties(
        headers={"a": {"b": [object()]}} if amqp is RABBITMQ else {"a": object()}
    )
    for call in (
        lambda: amqp.encode_frame(1, amqp.ContentHeader(properties, 0)),
        lambda: amqp.encode_message(1, method(amqp, "basic.publish")(), properties, b"body"),
    ):
        with pytest.raises(amqp.EncodeError) as caught:
            call()
        path = "basic.properties.headers.a" + (".b[0]" if amqp is RABBITMQ else "")
        assert caught.value.path == path


def test_shortstr_at_its_limit() -> None:
    for text in ("x" * 255, LONGEST_SHORTSTR, "\0" * 255):
        assert len(text.encode()) == 255
        declare = method(RABBITMQ, "queue.declare")(queue=text)
        assert RABBITMQ.decode_method(declare.encode()).queue == text


def test_path_of_a_value_in_a_table() -> None:
    declare = method(RABBITMQ, "queue.declare")(arguments={"x-max-length": 2**64})
    with pytest.raises(RABBITMQ.EncodeError) as caught:
        declare.encode()
    assert caught.value.path == "queue.declare.arguments.x-max-length"


@each_package
def test_negative_numbers_do_not_wrap(amqp: Any) -> None:
    # A table of octets indexed by a negative number would count from its end.
    for value in (-1, -255, -256):
        with pytest.raises(amqp.EncodeError):
            amqp.encode_frame(1, amqp.ContentHeader(amqp.BasicProperties(priority=value), 0))
        with pytest.raises(amqp.EncodeError):
            amqp.encode_frame(1, amqp.OtherFrame(value, b""))


@each_package
@pytest.mark.parametrize("channel", [-1, 65536, 2**32, None, "1", 1.0, b"1"], ids=repr)
def test_channels(amqp: Any, channel: Any) -> None:
    frames = [
        amqp.Heartbeat(),
        amqp.ContentBody(b"x"),
        amqp.ContentHeader(amqp.BasicProperties()),
        bare(method(amqp, "basic.ack")),
    ]
    for frame in frames:
        with pytest.raises(amqp.EncodeError) as caught:
            amqp.encode_frame(channel, frame)
        assert caught.value.path == "channel"
        assert repr(channel) in caught.value.message


@each_package
@pytest.mark.parametrize(
    "frame", [None, 1, b"payload", "text", object()], ids=lambda value: type(value).__name__
)
def test_what_is_no_frame(amqp: Any, frame: Any) -> None:
    with pytest.raises(amqp.EncodeError):
        amqp.encode_frame(1, frame)


@each_package
@pytest.mark.parametrize("payload", [None, 1, "text", [1]], ids=repr)
def test_bodies(amqp: Any, payload: Any) -> None:
    for call in (
        lambda: amqp.encode_frame(1, amqp.ContentBody(payload)),
        lambda: amqp.encode_frame(1, amqp.OtherFrame(4, payload)),
        lambda: amqp.encode_message(1, method(amqp, "basic.publish")(), None, payload),
        lambda: amqp.encode_message(1, method(amqp, "basic.publish")(), None, payload, max_frame_size=4096),
    ):
        with pytest.raises(amqp.EncodeError):
            call()


def test_a_memoryview_of_wider_items_has_the_size_of_its_octets() -> None:
    view = memoryview(bytes(range(8))).cast("I")
    assert len(view) == 2
    stream = RABBITMQ.encode_message(1, method(RABBITMQ, "basic.publish")(), None, view)
    frames, position = RABBITMQ.decode_frames(stream)
    assert position == len(stream)
    assert frames[1][1].body_size == 8
    assert frames[2][1].payload == bytes(range(8))
    body = RABBITMQ.ContentBody(view)
    secure = method(RABBITMQ, "connection.secure")(view)
    assert RABBITMQ.decode_frames(RABBITMQ.encode_frame(1, body))[0][0][1].payload == bytes(range(8))
    assert RABBITMQ.decode_method(secure.encode()).challenge == bytes(range(8))


@pytest.mark.parametrize(
    ("body_size", "weight", "path"),
    [
        *((body_size, 0, "body_size") for body_size in (-1, 2**64, "1", None)),
        *((0, weight, "weight") for weight in (-1, 2**16, "1", None)),
    ],
)
def test_headers(body_size: Any, weight: Any, path: str) -> None:
    header = RABBITMQ.ContentHeader(RABBITMQ.BasicProperties(), body_size, weight)
    with pytest.raises(RABBITMQ.EncodeError) as caught:
        RABBITMQ.encode_frame(1, header)
    assert caught.value.path == path


def test_content_of_0_9() -> None:
    cls = method(DRAFT, "message.transfer")
    for kind, data in ((-1, b""), (256, b""), ("0", b""), (0, None), (0, "text")):
        transfer = cls(body=DRAFT.Content(kind, data))
        with pytest.raises(DRAFT.EncodeError) as caught:
            transfer.encode()
        assert caught.value.path == "message.transfer.body"


def test_encoding_changes_nothing() -> None:
    arguments = {"k": [1, {"l": None}]}
    declare = method(RABBITMQ, "queue.declare")(queue="q", arguments=arguments)
    first = declare.encode()
    assert declare.encode() == first
    assert arguments == {"k": [1, {"l": None}]}
    assert declare.arguments is arguments
