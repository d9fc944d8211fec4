"""What one frame holds never ends a stream: brokers forward such frames, and send them again after each reconnect."""

from __future__ import annotations

import copy
import pickle
import struct
from typing import Any

import pytest

from .hostile import nested_tables
from .packages import RABBITMQ, each_package, each_property_set, methods_of, plain_fields
from .reference_codec import frame, longstr, shortstr

BODY = frame(3, 1, b"x")


def decode(amqp: Any, stream: bytes, **options: Any) -> list[Any]:
    """The frames of a stream at once, which octet by octet are the same."""
    frames, position = amqp.decode_frames(stream, **options)
    assert position == len(stream)
    decoder = amqp.FrameDecoder(**{"max_frame_size": 0, **options})
    pieces = [frame for octet in stream for frame in decoder.feed(bytes((octet,)))]
    assert repr(pieces) == repr(frames)
    return [frame for _, frame in frames]


def refuse(amqp: Any, stream: bytes, **options: Any) -> Any:
    """The error of strict reading, in pieces as well."""
    with pytest.raises(amqp.DecodeError) as caught:
        amqp.decode_frames(stream, strict=True, **options)
    decoder = amqp.FrameDecoder(max_frame_size=0, strict=True, **options)
    with pytest.raises(amqp.DecodeError) as again:
        for octet in stream:
            decoder.feed(bytes((octet,)))
    assert str(again.value) == str(caught.value)
    return caught.value


def header(properties: bytes, class_id: int = 60, weight: int = 0, size: int = 1) -> bytes:
    return frame(2, 1, struct.pack(">HHQ", class_id, weight, size) + properties)


@each_package
def test_short_strings_that_are_not_utf_8(amqp: Any) -> None:
    for cls in methods_of(amqp):
        for field in plain_fields(cls):
            if field.type != "shortstr":
                continue
            payload = cls(**{field.name: "\udcc3(\udcff"}).encode()
            assert b"\x04\xc3(\xff" not in payload
            assert b"\x03\xc3(\xff" in payload
            for options in ({}, {"lossless": True}):
                method = amqp.decode_method(payload, **options)
                assert getattr(method, field.name) == "\udcc3(\udcff"
                assert method.encode() == payload
                found, body = decode(amqp, frame(1, 1, payload) + BODY, **options)
                assert (found, body) == (method, amqp.ContentBody(b"x"))
                assert amqp.encode_frame(1, found) == frame(1, 1, payload)
            assert f".{field.name}" in refuse(amqp, frame(1, 1, payload)).path


@each_package
def test_other_surrogates_stay_an_error(amqp: Any) -> None:
    for text in ("\ud800", "\udc7f", "\udd00", "\udfff", "a\udc80\ud800"):
        for encode in (
            lambda text=text: amqp.methods.BasicPublish(routing_key=text).encode(),
            lambda text=text: amqp.encode_frame(1, amqp.methods.BasicPublish(routing_key=text)),
            lambda text=text: amqp.encode_frame(1, amqp.ContentHeader(amqp.BasicProperties(message_id=text))),
            lambda text=text: amqp.encode_message(1, amqp.methods.BasicPublish(exchange=text)),
            lambda text=text: amqp.encode_table({text: 1}),
            lambda text=text: amqp.encode_table({"k": {text: 1}}),
        ):
            with pytest.raises(amqp.EncodeError) as caught:
                encode()
            assert "surrogate" in str(caught.value)


@each_property_set
def test_properties_that_are_not_utf_8(amqp: Any, cls: Any) -> None:
    for layout in cls.FIELDS:
        if layout.type != "shortstr":
            continue
        properties = cls(**{layout.name: "\udc9c\udce1\0\udcff"})
        octets = amqp.encode_frame(1, amqp.ContentHeader(properties, 1))
        assert b"\x04\x9c\xe1\x00\xff" in octets
        for options in ({}, {"lossless": True}, {"lazy_properties": True}):
            found, _ = decode(amqp, octets + BODY, **options)
            assert found.body_size == 1
            assert found.properties == properties
            assert amqp.encode_frame(1, found) == octets
        assert f".{layout.name}" in refuse(amqp, octets).path


def test_messages_with_octets_for_text_are_encoded() -> None:
    methods = RABBITMQ.methods
    properties = RABBITMQ.BasicProperties(correlation_id="\udc9c", headers={"k\udcff": {"\udcfe": 1}})
    octets = RABBITMQ.encode_message(1, methods.BasicPublish(routing_key="\udcff"), properties, b"x")
    publish, head, body = decode(RABBITMQ, octets)
    assert (publish.routing_key, head.properties, body.payload) == ("\udcff", properties, b"x")
    assert b"".join(RABBITMQ.encode_frame(1, item) for item in (publish, head, body)) == octets


@each_package
def test_keys_that_are_not_utf_8(amqp: Any) -> None:
    table = longstr(shortstr("a") + b"I" + bytes(4) + b"\2\xff\xfeI" + bytes(3) + b"\1")
    for octets in (table, longstr(shortstr("t") + b"F" + table)):
        found, position = amqp.decode_table(octets)
        assert position == len(octets)
        assert (found.get("t") or found) == {"a": 0, "\udcff\udcfe": 1}
        assert amqp.encode_table(found) == octets
        with pytest.raises(amqp.errors.Malformed):
            amqp.decode_table(octets, strict=True)
        stream = header(b"\x20\0" + octets)
        head, _ = decode(amqp, stream + BODY)
        assert head.properties.headers == found
        assert amqp.encode_frame(1, head) == stream
        refuse(amqp, stream)


@each_property_set
def test_flags_of_no_property_are_kept(amqp: Any, cls: Any) -> None:
    words = [(0x8000 >> bit,) for bit in range(len(cls.FIELDS), 15)] + [(1, 0), (1, 0x8000), (1, 1, 2)]
    for flags in words:
        stream = header(struct.pack(f">{len(flags)}H", *flags), cls.CLASS_ID)
        for options in ({}, {"lossless": True}, {"lazy_properties": True}):
            found, _ = decode(amqp, stream + BODY, **options)
            assert found.properties.residue.flags == flags
            assert amqp.encode_frame(1, found) == stream
            assert all(getattr(found.properties, field.name) in (None, False) for field in cls.FIELDS)
        refuse(amqp, stream)


BROKEN_HEADERS = {
    "a string beyond the end": header(b"\x80\0\x05abc"),
    "a table deeper than the limit": header(b"\x20\0" + nested_tables(70)),
    "a letter that is none": header(b"\x20\0" + longstr(b"\1k\x01")),
    "octets left over": header(b"\0\0abc"),
    "no flags": header(b""),
    "half the flags": header(b"\x80"),
    "a class without content": header(b"\0\0", 10),
    "a class that is unknown": header(b"\0\0", 0xFEFE),
}


@each_package
@pytest.mark.parametrize("stream", BROKEN_HEADERS.values(), ids=list(BROKEN_HEADERS))
def test_headers_whose_properties_cannot_be_read(amqp: Any, stream: bytes) -> None:
    error = refuse(amqp, stream)
    for options in ({}, {"lossless": True}, {"lazy_properties": True}):
        heartbeat = amqp.constants.HEARTBEAT_FRAME
        _, found, body = decode(amqp, heartbeat + stream + BODY, **options)
        assert (found.class_id, found.body_size, body.payload) == (
            int.from_bytes(stream[7:9], "big"),
            1,
            b"x",
        )
        for again in (found, copy.copy(found), copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
            for _ in range(2):
                with pytest.raises(amqp.DecodeError) as caught:
                    _ = again.properties
                assert type(caught.value) is type(error)
                assert (caught.value.message, caught.value.path) == (error.message, error.path)
                assert caught.value.offset == error.offset + len(heartbeat)
            assert again == found
            assert "broken" in repr(again)
            if "lossless" in options:
                assert amqp.encode_frame(1, again) == stream
            else:
                with pytest.raises(amqp.EncodeError, match="properties cannot be decoded"):
                    amqp.encode_frame(1, again)
        assert found != amqp.ContentHeader(amqp.BasicProperties(), 1)
        found.properties = amqp.BasicProperties(priority=1)
        assert found == amqp.ContentHeader(amqp.BasicProperties(priority=1), 1)


def unreadable(amqp: Any) -> dict[str, bytes]:
    """Payloads of methods that cannot be read."""
    return {
        "cut off": b"\0\x3c\0\x47\0",
        "octets left over": amqp.methods.BasicQosOk().encode() + b"abc",
        "an unknown method": b"\0\x3c\xfe\xfe",
        "an unknown class": b"\xfe\xfe\0\1abc",
        "a table deeper than the limit": amqp.methods.QueueDeclare().encode()[:-4] + nested_tables(70),
    }


@each_package
def test_methods_that_cannot_be_read(amqp: Any) -> None:
    for name, payload in unreadable(amqp).items():
        with pytest.raises(amqp.DecodeError) as caught:
            amqp.decode_method(payload)
        heartbeat = amqp.constants.HEARTBEAT_FRAME
        for options in ({}, {"lossless": True}, {"lazy_properties": True}):
            _, found, body = decode(amqp, heartbeat + frame(1, 1, payload) + BODY, **options)
            assert isinstance(found, amqp.UnreadableMethod), name
            assert (found.class_id, found.method_id) == struct.unpack(">HH", payload[:4])
            assert (found.payload, body.payload) == (payload, b"x")
            assert type(found.error) is type(caught.value)
            assert (found.error.message, found.error.path) == (caught.value.message, caught.value.path)
            assert found.error.offset == caught.value.offset + len(heartbeat) + 7
            assert amqp.encode_frame(1, found) == frame(1, 1, payload)
            for again in (copy.copy(found), copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
                assert again == found
        assert str(refuse(amqp, frame(1, 1, payload))).partition(" (at")[0] in str(caught.value)


@each_package
def test_what_no_frame_can_hold_ends_the_stream(amqp: Any) -> None:
    heartbeat = amqp.constants.HEARTBEAT_FRAME
    for stream in (
        frame(1, 1, b"\0\x3c\0"),  # no method
        frame(2, 1, bytes(11)),  # no size of a body
        frame(9, 1, b""),
        frame(3, 1, b"x", 0xCD),
        frame(8, 0, b"x"),
    ):
        decoder = amqp.FrameDecoder()
        with pytest.raises(amqp.DecodeError) as caught:
            decoder.feed(heartbeat + stream + heartbeat)
        assert len(caught.value.frames) == 1
        with pytest.raises(amqp.DecodeError):
            decoder.feed(heartbeat)


@each_package
def test_headers_beyond_the_maximum(amqp: Any) -> None:
    large = amqp.encode_frame(1, amqp.ContentHeader(amqp.BasicProperties(headers={"a": "x" * 9000}), 1))
    body = frame(3, 1, bytes(9000))
    for options in ({}, {"lossless": True}, {"lazy_properties": True}):
        decoder = amqp.FrameDecoder(max_frame_size=4096, **options)
        assert [len(decoder.feed(item)) for item in (large[:100], large[100:], BODY)] == [0, 1, 1]
        with pytest.raises(amqp.errors.LimitExceeded):
            decoder.feed(body)
    refusals: list[dict[str, Any]] = [{"max_header_size": len(large) - 1}, {"strict": True}]
    for refusing in refusals:
        with pytest.raises(amqp.errors.LimitExceeded) as caught:
            amqp.FrameDecoder(max_frame_size=4096, **refusing).feed(large)
        assert str(len(large)) in caught.value.message
    assert amqp.FrameDecoder().max_header_size == 1 << 20
    head = struct.pack(">BHI", 2, 1, (1 << 20) - 7)
    with pytest.raises(amqp.errors.LimitExceeded):
        amqp.FrameDecoder(max_frame_size=0).feed(head)
    assert amqp.FrameDecoder(max_frame_size=0, max_header_size=0).feed(head) == []
    with pytest.raises(ValueError, match="no frame has 7 octets"):
        amqp.FrameDecoder(max_header_size=7)


@each_package
def test_assembly_goes_on(amqp: Any) -> None:
    """A delivery that cannot be read is handed out, its content is dropped; the next message is complete."""
    good = amqp.encode_message(1, amqp.methods.BasicDeliver("c", 1, exchange="e"), None, b"good")
    bad = frame(1, 1, b"\0\x3c\0\x3c\x05ab") + header(b"\0\0", size=2) + frame(3, 1, b"no")
    empty = frame(1, 1, b"\0\x3c\0\x3c\x05ab") + header(b"\0\0", size=0)
    broken = good.replace(header(b"\0\0", size=4), header(b"\x80\0\x05abc", size=4))
    assembler = amqp.ContentAssembler()
    items = [
        assembler.add(channel, frame) for channel, frame in amqp.decode_frames(bad + empty + broken + good)[0]
    ]
    kinds = [type(item).__name__ for item in items if item is not None]
    assert kinds == ["UnreadableMethod", "UnreadableMethod", "Message", "Message"]
    message, last = (item for item in items if isinstance(item, amqp.Message))
    assert (message.body, last.body) == (b"good", b"good")
    with pytest.raises(amqp.DecodeError):
        _ = message.properties
    (close,) = decode(amqp, frame(1, 1, b"\0\x14\0\x28\0"))
    assert close.name == "channel.close"
    assembler.add(1, amqp.methods.BasicDeliver("c", 1))
    assert assembler.add(1, close) is close  # what was missing does not come any more
    assert amqp.is_reply(amqp.methods.QueueDeclare(), close)
    assert not amqp.is_reply(amqp.methods.ChannelClose(), close)
    (unknown,) = decode(amqp, frame(1, 1, b"\xfe\xfe\0\1"))
    assert (unknown.method, unknown.name) == (None, "method 1 of class 65278")
    assert not amqp.is_reply(amqp.methods.QueueDeclare(), unknown)
    assembler.add(1, amqp.methods.BasicDeliver("c", 1))
    with pytest.raises(amqp.ProtocolError):
        assembler.add(1, unknown)


def test_the_grammar_knows_which_method_could_not_be_read() -> None:
    from amqp_0_9_1_rabbitmq.grammar import Conversation, FindingKind

    methods = RABBITMQ.methods
    conversation = Conversation(1)
    assert conversation.observe("client", methods.ChannelOpen()) == ()
    assert conversation.observe("server", methods.ChannelOpenOk()) == ()
    deliver, declare, unknown = (
        decode(RABBITMQ, frame(1, 1, octets))[0]
        for octets in (b"\0\x3c\0\x3c\x05", b"\0\x32\0\x0a", b"\xfe\xfe\0\1")
    )
    assert conversation.observe("server", deliver) == ()
    assert conversation.observe("server", RABBITMQ.ContentHeader(RABBITMQ.BasicProperties(), 0)) == ()
    assert conversation.observe("client", declare) == ()
    assert conversation.observe("server", methods.QueueDeclareOk("q")) == ()
    (finding,) = conversation.observe("server", unknown)
    assert finding.kind is FindingKind.UNKNOWN_FRAME
