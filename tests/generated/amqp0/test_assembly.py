"""Contents put together from frames: any order of channels, any chunks, every fault."""

from __future__ import annotations

import tracemalloc
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples

from .packages import NAMES, OLDEST, PACKAGES, RABBITMQ, STANDARD, each_package, method, methods_of


def content_methods(amqp: Any) -> list[Any]:
    return [cls for cls in methods_of(amqp) if cls.HAS_CONTENT]


def header_of(amqp: Any, cls: Any, size: int) -> Any:
    return amqp.ContentHeader(amqp.content.PROPERTIES[cls.CLASS_ID](), size)


def refusal(amqp: Any, assembler: Any, channel: int, frame: Any) -> Any:
    """The error of a frame; it is one of ours."""
    with pytest.raises(amqp.ProtocolError) as caught:
        assembler.add(channel, frame)
    assert isinstance(caught.value, amqp.CodecError)
    assert caught.value.channel == channel
    return caught.value


bodies = st.binary(max_size=300)
contents = st.lists(st.tuples(st.integers(1, 3), st.integers(0, 99), bodies), max_size=8)


@given(st.sampled_from(NAMES), contents, st.data())
@examples(200)
def test_what_was_encoded_comes_back(name: str, sent: list[Any], data: st.DataObject) -> None:
    """Contents and other methods of several channels, their frames mixed and cut anywhere."""
    amqp = PACKAGES[name]
    kinds = content_methods(amqp)
    frames: dict[int, list[bytes]] = {}
    expected: dict[int, list[Any]] = {}
    for channel, number, body in sent:
        cls = kinds[number % len(kinds)]
        properties = amqp.content.PROPERTIES[cls.CLASS_ID]()
        octets = amqp.encode_message(
            channel, cls(), properties, body, max_frame_size=64 + len(cls().encode())
        )
        decoded, _ = amqp.decode_frames(octets)
        frames.setdefault(channel, []).extend(amqp.encode_frame(*item) for item in decoded)
        expected.setdefault(channel, []).append((cls(), properties, body))
        if number % 3 == 0:
            frames[channel].append(amqp.encode_frame(channel, amqp.methods.QueueBindOk()))
            expected[channel].append(amqp.methods.QueueBindOk())
    stream = b""
    while any(frames.values()):
        channel = data.draw(st.sampled_from(sorted(channel for channel in frames if frames[channel])))
        stream += frames[channel].pop(0)
        if data.draw(st.booleans()):
            stream += amqp.constants.HEARTBEAT_FRAME
    decoder, assembler = amqp.FrameDecoder(lazy_properties=data.draw(st.booleans())), amqp.ContentAssembler()
    found: dict[int, list[Any]] = {}
    step = data.draw(st.integers(1, 97))
    for start in range(0, len(stream), step):
        for channel, frame in decoder.feed(stream[start : start + step]):
            item = assembler.add(channel, frame)
            if isinstance(item, amqp.Message):
                assert item.channel == channel
                assert item.header.body_size == len(item.body)
                found.setdefault(channel, []).append((item.method, item.properties, item.body))
            elif item is not None and not isinstance(item, amqp.Heartbeat):
                found.setdefault(channel, []).append(item)
    assert found == expected


@each_package
def test_an_empty_body_is_complete_with_its_header(amqp: Any) -> None:
    for cls in content_methods(amqp):
        assembler = amqp.ContentAssembler()
        assert assembler.add(1, cls()) is None
        message = assembler.add(1, header_of(amqp, cls, 0))
        assert (message.channel, message.method, message.body) == (1, cls(), b"")
        assert assembler.add(1, amqp.methods.QueueBindOk()) == amqp.methods.QueueBindOk()
        # An empty body frame is not part of it.
        assert "expected a method, got a content body" in str(
            refusal(amqp, assembler, 1, amqp.ContentBody(b""))
        )


@each_package
def test_empty_pieces_neither_end_a_body_nor_take_memory(amqp: Any) -> None:
    cls, assembler = content_methods(amqp)[0], amqp.ContentAssembler()
    assembler.add(1, cls())
    assembler.add(1, header_of(amqp, cls, 2))
    assert assembler.add(1, amqp.ContentBody(b"a")) is None
    empty = amqp.ContentBody(b"")
    tracemalloc.start()
    for _ in range(10_000):
        assert assembler.add(1, empty) is None
    used = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert used < 10_000
    assert assembler.add(1, amqp.ContentBody(b"b")).body == b"ab"


@each_package
def test_a_message_is_a_value(amqp: Any) -> None:
    header = header_of(amqp, method(amqp, "basic.publish"), 0)
    first, second = (amqp.Message(1, amqp.methods.BasicPublish(), header, b"") for _ in range(2))
    assert first == second
    assert first.properties is header.properties
    with pytest.raises(AttributeError):
        first.body = b"other"


def unexpected_frame(amqp: Any) -> int:
    """0-8 and 0-9 have no code for an unexpected frame."""
    constants = amqp.constants
    return int(getattr(constants, "UNEXPECTED_FRAME", constants.COMMAND_INVALID))


# frames before the fault, the fault, and what the error says; D deliver, H header of 2 octets, O header of another class,
# B body of 1 octet, L body of 3 octets, M another method
FAULTS = [
    ("", "H", "expected a method, got a content header"),
    ("", "B", "expected a method, got a content body"),
    ("D", "D", "expected the content header of basic.deliver, got basic.deliver"),
    ("D", "M", "expected the content header of basic.deliver, got queue.bind-ok"),
    ("D", "B", "expected the content header of basic.deliver, got a content body"),
    ("D", "O", "expected the content header of basic.deliver, got a content header of class 10"),
    ("DH", "D", "expected 2 more octets of the body of basic.deliver, got basic.deliver"),
    ("DH", "M", "expected 2 more octets of the body of basic.deliver, got queue.bind-ok"),
    ("DH", "H", "expected 2 more octets of the body of basic.deliver, got a content header"),
    ("DHB", "L", "expected 1 more octets of the body of basic.deliver, got a content body of 3 octets"),
    ("DHBB", "B", "expected a method, got a content body"),
]


def frame(amqp: Any, letter: str) -> Any:
    deliver = amqp.methods.BasicDeliver
    of_class_10 = type("OtherProperties", (amqp.BasicProperties,), {"__slots__": (), "CLASS_ID": 10})
    made = {
        "D": lambda: deliver("", 1),
        "H": lambda: header_of(amqp, deliver, 2),
        "O": lambda: amqp.ContentHeader(of_class_10(), 2),
        "B": lambda: amqp.ContentBody(b"b"),
        "L": lambda: amqp.ContentBody(b"bbb"),
        "M": amqp.methods.QueueBindOk,
    }
    return made[letter]()


@each_package
@pytest.mark.parametrize(("before", "fault", "says"), FAULTS)
def test_unexpected_frames(amqp: Any, before: str, fault: str, says: str) -> None:
    assembler = amqp.ContentAssembler()
    for letter in before:
        assembler.add(7, frame(amqp, letter))
    error = refusal(amqp, assembler, 7, frame(amqp, fault))
    assert error.message == says
    assert error.reply_code == unexpected_frame(amqp)
    assert str(error) == f"channel 7: {says} ({error.reply_code})"
    assert error.reply_code in amqp.constants.HARD_ERRORS
    # Other channels are not concerned, nor what comes after it.
    for channel in (7, 8):
        assert [assembler.add(channel, frame(amqp, letter)) for letter in "DHB"] == [None] * 3
        assert assembler.add(channel, frame(amqp, "B")).body == b"bb"


@each_package
@pytest.mark.parametrize("name", ["channel.close", "channel.close-ok"])
@pytest.mark.parametrize("before", ["D", "DH", "DHB"])
def test_a_close_ends_a_content(amqp: Any, name: str, before: str) -> None:
    assembler = amqp.ContentAssembler()
    for letter in before:
        assembler.add(1, frame(amqp, letter))
    close = method(amqp, name)()
    assert assembler.add(1, close) is close
    assert assembler.add(1, frame(amqp, "M")) == frame(amqp, "M")


@each_package
def test_other_frames_pass(amqp: Any) -> None:
    assembler = amqp.ContentAssembler()
    for letter in "DH":
        assembler.add(1, frame(amqp, letter))
    for other in (amqp.Heartbeat(), amqp.OtherFrame(4, b"x")):
        assert assembler.add(0, other) is other
        assert assembler.add(1, other) is other
    closed = amqp.methods.ConnectionClose()
    assert assembler.add(0, closed) is closed


def test_subclasses_are_what_they_are_made_from() -> None:
    class OwnDeliver(RABBITMQ.methods.BasicDeliver):  # type: ignore[misc]
        __slots__ = ()

    assembler = RABBITMQ.ContentAssembler()
    assert assembler.add(1, OwnDeliver("", 1)) is None
    message = assembler.add(1, header_of(RABBITMQ, OwnDeliver, 0))
    assert type(message.method) is OwnDeliver


@each_package
@pytest.mark.parametrize("size", [4, 1 << 40, (1 << 64) - 1])
def test_too_large_a_body(amqp: Any, size: int) -> None:
    """It is refused when its header comes; the rest of it is dropped, as long as the channel is still open."""
    assembler = amqp.ContentAssembler(max_body_size=3)
    assembler.add(1, frame(amqp, "D"))
    error = refusal(amqp, assembler, 1, header_of(amqp, amqp.methods.BasicDeliver, size))
    assert str(error) == f"channel 1: basic.deliver has a body of {size} octets, the limit is 3 (311)"
    assert error.reply_code in amqp.constants.SOFT_ERRORS
    for _ in range(3):
        assert assembler.add(1, frame(amqp, "B")) is None
    assert assembler.add(2, frame(amqp, "D")) is None
    assert assembler.add(2, header_of(amqp, amqp.methods.BasicDeliver, 3)) is None
    assert assembler.add(2, frame(amqp, "L")).body == b"bbb"
    if size == 4:
        assert assembler.add(1, frame(amqp, "B")) is None
        assert assembler.add(1, frame(amqp, "M")) == frame(amqp, "M")
    else:
        close = amqp.methods.ChannelCloseOk()
        assert assembler.add(1, close) is close


@each_package
def test_contents_on_too_many_channels(amqp: Any) -> None:
    assembler = amqp.ContentAssembler(max_channels=2)
    for channel in (1, 2):
        assembler.add(channel, frame(amqp, "D"))
    error = refusal(amqp, assembler, 3, frame(amqp, "D"))
    assert error.reply_code == amqp.constants.RESOURCE_ERROR
    assert "on more than 2 channels" in str(error)
    assert [assembler.add(3, frame(amqp, letter)) for letter in "HBB"] == [None] * 3
    assert [assembler.add(1, frame(amqp, letter)) for letter in "HB"] == [None] * 2
    assert assembler.add(1, frame(amqp, "B")).body == b"bb"
    assert assembler.add(3, frame(amqp, "D")) is None


@each_package
def test_unfinished_bodies_of_all_channels(amqp: Any) -> None:
    """What is finished, refused or closed counts no more; a body in one frame never does."""
    assembler = amqp.ContentAssembler(max_unfinished=3)
    body = amqp.ContentBody
    for channel in (1, 2):
        assembler.add(channel, frame(amqp, "D"))
        assembler.add(channel, header_of(amqp, amqp.methods.BasicDeliver, 4))
    assert assembler.add(1, body(b"bb")) is None
    assert assembler.add(1, body(b"bb")).body == b"bbbb"
    assert assembler.add(2, body(b"bbb")) is None
    assembler.add(3, frame(amqp, "D"))
    assembler.add(3, header_of(amqp, amqp.methods.BasicDeliver, 9))
    with pytest.raises(amqp.ProtocolError, match="more than 3 octets") as caught:
        assembler.add(3, body(b"b"))
    assert (caught.value.channel, caught.value.reply_code) == (0, amqp.constants.RESOURCE_ERROR)
    assert assembler.add(3, body(b"bbbbbbb")) is None  # the rest is dropped
    assert assembler.add(2, amqp.methods.ChannelCloseOk()) is not None
    assembler.add(1, frame(amqp, "D"))
    assembler.add(1, header_of(amqp, amqp.methods.BasicDeliver, 4))
    assert assembler.add(1, body(b"bbb")) is None


def test_no_limits() -> None:
    assembler = STANDARD.ContentAssembler(max_body_size=0, max_channels=0, max_unfinished=0)
    for channel in range(1, 5000):
        assert assembler.add(channel, frame(STANDARD, "D")) is None
    assert assembler.add(1, header_of(STANDARD, STANDARD.methods.BasicDeliver, 1 << 60)) is None


def test_contents_of_other_classes() -> None:
    """Class file, stream, tunnel and test of 0-8; a reply may have content, too."""
    names = {cls.NAME for cls in content_methods(OLDEST)}
    assert {"file.stage", "stream.publish", "tunnel.request", "test.content-ok"} < names
    assembler = OLDEST.ContentAssembler()
    header = OLDEST.ContentHeader(OLDEST.content.FileProperties(filename="f"), 1)
    assert assembler.add(1, OLDEST.methods.FileStage()) is None
    assert assembler.add(1, header) is None
    assert assembler.add(1, OLDEST.ContentBody(b"x")).properties.filename == "f"


@each_package
def test_it_says_what_is_unfinished_on_a_channel(amqp: Any) -> None:
    cls, assembler = content_methods(amqp)[0], amqp.ContentAssembler()
    assert assembler.unfinished(1) is None
    assembler.add(1, cls())
    assert assembler.unfinished(1).header is None
    assembler.add(1, header_of(amqp, cls, 3))
    assembler.add(1, amqp.ContentBody(b"a"))
    begun = assembler.unfinished(1)
    assert (begun.method, begun.header.body_size, begun.left) == (cls(), 3, 2)
    assert assembler.unfinished(2) is None
    assembler.add(1, amqp.ContentBody(b"bc"))
    assert assembler.unfinished(1) is None
