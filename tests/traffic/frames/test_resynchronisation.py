"""Frames are found again after gaps, in the middle of streams, and not in the bodies of other frames."""

from __future__ import annotations

from random import Random

import amqp_0_9_1_rabbitmq as amqp0
import amqp_1_0 as amqp1
import pytest
from amqp_traffic.frames.amqp0.frame_format import FamilyFormat as Shape0
from amqp_traffic.frames.amqp0.frame_format import make_format
from amqp_traffic.frames.amqp1.frame_format import FamilyFormat as Shape1
from amqp_traffic.frames.resync import Resynchronisation
from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples

from ..stream_builder import SHAPES, chunks, frames_of, message0, message1, places, read, untouched

FAMILIES = sorted(SHAPES)


@pytest.mark.parametrize("family", FAMILIES)
@examples(30)
@given(st.integers(0, 10_000), st.sampled_from([100, 600, 1448]))
def test_only_frames_that_a_gap_touches_are_lost(family, seed, size):
    chance = Random(seed)
    frames = frames_of(family, seed, 60)
    octets = b"".join(frames)
    lost = [number for number in range(1, len(octets) // size) if chance.random() < 0.02]
    parts = chunks(octets, size, lost)
    found, there = set(read(parts, family).places), set(untouched(frames, parts))
    assert found <= there
    # A body alone between two gaps, or an empty frame of 1.0, may be chance.
    assert all(octets[offset] == 3 or size == 8 for offset, size in there - found)
    assert len(there - found) <= len(lost)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_gap_within_a_frame_whose_size_is_known_needs_no_search(family):
    make = message0 if family == "0-x" else message1
    chance = Random(1)
    frames = [*make(chance), *make(chance, chance.randbytes(60_000)), *make(chance)]
    octets = b"".join(frames)
    parts = chunks(octets, 1448, [10, 11, 20])
    reading = read(parts, family)
    assert reading.places == untouched(frames, parts)
    large = max(places(frames), key=lambda place: place[1])
    assert reading.rows() == [("frame-gap", large[0], large[1] - 3 * 1448)]


@pytest.mark.parametrize("family", FAMILIES)
def test_beginning_in_the_middle(family):
    frames = frames_of(family, 2, 20)
    octets = b"".join(frames)
    for start in range(1, 400, 7):
        reading = read(chunks(octets[start:], 97), family, from_start=False)
        expected = [(offset - start, size) for offset, size in places(frames) if offset >= start]
        # A body that is the first cannot be told from what may be in one.
        assert expected[-len(reading.places) :] == reading.places
        assert len(expected) - len(reading.places) <= 1
        skipped = reading.framer.ledger.skipped
        assert reading.rows() == ([("mid-stream-head", 0, skipped)] if skipped else [])


def test_a_stream_that_begins_with_a_frame_although_nobody_knows():
    frames = frames_of("0-x", 2, 3)
    assert read(frames, from_start=False).places == places(frames)


@pytest.mark.parametrize("family", FAMILIES)
def test_frames_in_bodies_are_not_taken_for_frames(family):
    """Each message reports many others; the beginning of some of them is lost."""
    make = message0 if family == "0-x" else message1
    chance = Random(3)
    frames: list[bytes] = []
    for _ in range(60):
        report = b"".join(frame for _ in range(chance.randrange(1, 30)) for frame in make(chance))
        start = chance.randrange(40)
        frames += make(chance, report[start:])
    octets = b"".join(frames)
    for seed in range(15):
        lost = [
            number for number in range(1, len(octets) // 500) if Random(seed * 997 + number).random() < 0.02
        ]
        parts = chunks(octets, 500, lost)
        found = set(read(parts, family).places)
        assert found <= set(places(frames))
        assert found <= set(untouched(frames, parts))


def test_frames_in_a_body_whose_end_was_captured_are_dropped_even_when_nothing_is_known():
    chance = Random(4)
    report = b"".join(frame for _ in range(20) for frame in message0(chance))
    first, second = message0(chance, report), [frame for _ in range(5) for frame in message0(chance)]
    lost = len(first[0]) + len(first[1]) + 20  # the head of the body, and a little more
    parts: list[bytes | int] = [lost, b"".join(first)[lost:], *second]
    reading = read(parts)
    assert reading.places == [(offset + sum(map(len, first)), size) for offset, size in places(second)]


def test_what_cannot_be_known_is_believed_only_if_bodies_hide_nothing():
    """The same frames after a gap, up to the end of the stream, twice: after bodies of text, and of frames."""
    chance = Random(5)
    after = [frame for _ in range(3) for frame in message0(chance)]
    tail = b"".join(after)
    for body, expected in ((b"text " * 100, True), (b"".join(after * 3), False)):
        before = message0(chance, body)
        reading = read([*before, 1000, b"\xce" + tail[: len(tail) // 2], tail[len(tail) // 2 :]])
        assert (len(reading.places) > len(before)) is expected


def test_a_capture_that_keeps_only_the_beginning_of_packets():
    """Snaplen: the heads of frames are there, the rest is a gap; the next packet begins with a frame, or within one."""
    chance = Random(6)
    frames = [frame for _ in range(40) for frame in message0(chance, chance.randbytes(3000))]
    octets, parts = b"".join(frames), []
    for start in range(0, len(octets), 1448):
        packet = octets[start : start + 1448]
        parts += [packet[:200], len(packet) - 200] if len(packet) > 200 else [packet]
    assert set(read(parts).places) == set(untouched(frames, parts))


@pytest.mark.parametrize(("left", "is_found"), [(7, True), (6, False)])
def test_a_body_alone_is_believed_only_if_the_head_of_a_frame_follows(left, is_found):
    """A packet that was cut: it has the end of a frame, a body, and a beginning."""
    before, (method, header, body), after = (message0(Random(seed), b"text" * 9) for seed in range(3))
    packet = header[-10:] + body + after[0][:left]
    reading = read([*before, len(method) + len(header) - 10, packet, 100])
    assert len(reading.places) == len(before) + is_found


def test_large_messages_in_many_frames_are_found_again_by_their_bodies():
    frames = message0(Random(7), Random(8).randbytes(100_000), frame_max=4096)
    octets = b"".join(frames)
    parts = chunks(octets, 512, [32])  # with the beginning of a body frame in it
    heads = [offset for offset, _ in places(frames)]
    assert any(32 * 512 <= offset < 33 * 512 for offset in heads)
    assert read(parts, limit=4096).places == untouched(frames, parts)


# --- Where bodies hide frames ---


def report(chance: Random, messages: int = 6) -> bytes:
    """A body made of frames."""
    return b"\xce" + b"".join(frame for _ in range(messages) for frame in message0(chance))


# What cannot be told from frames in a body: some after a gap, in one packet, up to the next gap.
UNCERTAIN: list[bytes | int] = [2000, b"\xce" + b"".join(message0(Random(50))), 2000]


def bodies_hide_frames(parts: list[bytes | int], expected: int, **options) -> bool:
    """Is it known after these parts? Before them, so many frames are found; what is uncertain tells the rest."""
    found = len(read([*parts, *UNCERTAIN], **options).frames) - expected
    assert found in (0, 3)
    return not found


def test_what_is_uncertain_is_believed_by_default():
    frames = message0(Random(1))
    assert not bodies_hide_frames(list(frames), 3)


def test_bodies_that_hide_frames_are_noticed_in_order():
    assert bodies_hide_frames(list(message0(Random(1), report(Random(2)))), 3)


def test_they_are_noticed_in_what_a_gap_left_of_a_body():
    first, header, body = message0(Random(1), report(Random(2)) + bytes(3000))
    before, after = body[:-1500], body[-1000:]
    assert bodies_hide_frames([first, header, before, 500, after], 2)
    first, header, body = message0(Random(1), bytes(3000) + report(Random(2)))
    before, after = body[:1000], body[1500:]
    assert bodies_hide_frames([first, header, before, 500, after], 2)
    first, header, body = message0(Random(1), bytes(5000))
    assert not bodies_hide_frames([first, header, body[:1000], 500, body[1500:]], 2)


def test_they_are_noticed_among_frames_that_are_found_again():
    frames = message0(Random(1), report(Random(2)))
    frames += [frame for seed in range(10) for frame in message0(Random(seed))]
    assert bodies_hide_frames([1000, *frames], 33)


def test_they_are_noticed_by_a_chain_that_breaks():
    first, header, body = message0(Random(1), report(Random(2)))
    assert bodies_hide_frames([len(first) + len(header) + 10, body[10:] + bytes(100)], 0)


def test_frames_that_hide_frames_are_not_believed():
    hiding = b"".join(message0(Random(1), report(Random(2))))
    assert read([1000, b"\xce" + hiding]).frames == []


def test_packets_tell_frames_from_what_is_in_bodies_only_if_there_are_enough():
    hiding = message0(Random(1), report(Random(2)))
    ack = frame0(1, 1, ACK)
    for count, found in ((3, 0), (30, 30)):
        assert len(read([*hiding, 1000, *[ack] * count, 1000]).frames) == 3 + found
        assert len(read([*hiding, 1000, ack * count, 1000]).frames) == 3


def test_where_a_frame_that_a_gap_is_in_ends_is_known_even_then():
    hiding = message0(Random(1), report(Random(2)))
    octets = b"".join([*hiding, *message0(Random(3))])
    start = len(hiding[0]) + len(hiding[1]) + 100
    reading = read([octets[:start], 50, octets[start + 50 :]])
    assert len(reading.frames) == 5


def test_a_frame_whose_size_is_wrong_and_that_a_gap_is_in():
    frames = message0(Random(1), bytes(3000)) + message0(Random(2))
    body = frames[2][:5] + (3010).to_bytes(2, "big") + frames[2][7:]
    after = b"".join(frames[3:])
    reading = read([frames[0], frames[1], body[:1000], 100, body[1100:] + after])
    assert len(reading.frames) == 5


def test_work_is_linear_in_what_is_searched(monkeypatch):
    """A chain that breaks is not followed again from each of its frames."""
    seen: list[int] = []
    original = Shape0.verify

    def count(shape, held, position, limit):
        seen.append(position)
        return original(shape, held, position, limit)

    monkeypatch.setattr(Shape0, "verify", count)
    work = []
    for acks in (1000, 2000):
        seen.clear()
        read([1000, b"\xce" + frame0(1, 1, ACK) * acks + bytes(30)])
        work.append(len(seen))
    assert work[1] < 2.5 * work[0]


def test_what_is_remembered_is_bounded():
    """Chains that break, one after the other, for ever."""
    search = Resynchronisation(make_format("amqp_0_9_1_rabbitmq"))
    search.start(0, None)
    broken = b"\xce" + frame0(1, 1, ACK) * 150 + bytes(50)
    offset = 0
    for number in range(200):
        search.add(broken, [(offset, number, 0, 0)])
        offset += len(broken)
        assert search.search(4096, True, False) is None
        search.trim()
        assert len(search.held) < 10_000 and len(search._dead) < 20_000 and len(search.starts) < 10


# --- What looks like a frame ---


def frame0(kind: int, channel: int, payload: bytes, end: bytes = b"\xce") -> bytes:
    return bytes([kind]) + channel.to_bytes(2, "big") + len(payload).to_bytes(4, "big") + payload + end


ACK = amqp0.methods.BasicAck(delivery_tag=1).encode()
HEADER = b"\x00\x3c\x00\x00" + bytes(10)


@pytest.mark.parametrize(
    ("octets", "expected"),
    [
        (frame0(1, 1, ACK), 21),
        (frame0(1, 1, ACK)[:-1], 0),
        (frame0(1, 1, ACK)[:6], 0),
        (b"", 0),
        (frame0(1, 1, ACK, b"\xcd"), -1),
        (frame0(1, 0, ACK), -1),  # only the connection is on channel 0
        (frame0(1, 1, b"\x00\x3c\x00\xff" + bytes(9)), -1),
        (frame0(1, 1, b"\x00\x3c"), -1),
        (frame0(1, 0, b"\x00\x0a\x00\x33"), 12),
        (frame0(1, 1, b"\x00\x0a\x00\x33"), -1),  # and the connection only there
        (frame0(2, 1, HEADER), 22),
        (frame0(2, 1, b"\x00\x3c\x00\x01" + bytes(10)), -1),  # the weight is always 0
        (frame0(2, 1, HEADER[:-1]), -1),
        (frame0(2, 0, HEADER), -1),
        (frame0(3, 1, b"any"), 11),
        (frame0(3, 0, b"any"), -1),
        (frame0(8, 0, b""), 8),
        (frame0(8, 1, b""), -1),
        (frame0(8, 0, b"x"), -1),
        (frame0(9, 0, b""), -1),
        (b"\x03\x00\x01\x00\x00\x10\x00", -1),  # larger than may be
    ],
)
def test_close_look_at_0_x(octets, expected):
    assert make_format("amqp_0_9_1_rabbitmq").verify(octets, 0, 1024) == expected


def frame1(body: bytes, kind: int = 0, words: int = 2) -> bytes:
    head = bytes([words, kind]) + b"\x00\x07" + bytes(4 * words - 8)
    return (4 + len(head) + len(body)).to_bytes(4, "big") + head + body


END = amqp1.performatives.End().encode()
TRANSFER = amqp1.performatives.Transfer(handle=0).encode()
BY_SYMBOL = b"\x00\xa3\x0camqp:end:list\x45"


@pytest.mark.parametrize(
    ("octets", "expected"),
    [
        (frame1(END), 8 + len(END)),
        (frame1(END)[:-1], 0),
        (frame1(END)[:9], 0),
        (frame1(END)[:5], 0),
        (b"", 0),
        (b"\x01", -1),
        (frame1(END + b"\x00"), -1),  # only a transfer has a payload
        (frame1(TRANSFER + b"payload"), 15 + len(TRANSFER)),
        (frame1(END, words=3), 12 + len(END)),
        (frame1(b""), 8),
        (frame1(b"", kind=1), -1),
        (frame1(END, kind=2), -1),
        (frame1(b"\x00\x53\x70\x45"), -1),  # a section of a message
        (frame1(b"\x00\x80\x00\x00\x00\x00\x00\x00\x00\x17\x45"), 19),
        (frame1(BY_SYMBOL.replace(b"\x0c", b"\x0d")), 8 + len(BY_SYMBOL)),
        (amqp1.PROTOCOL_HEADERS["sasl"], 8),
        (b"AMQP is w", -1),
    ],
)
def test_close_look_at_1_0(octets, expected):
    assert Shape1().verify(octets, 0, 1024) == expected


def test_a_body_on_a_channel_that_is_not_in_use_is_not_what_a_stream_is_found_again_by():
    shape, body = make_format("amqp_0_9_1_rabbitmq"), b"\xce" + frame0(3, 9, b"body")
    assert shape.find(body, 0) == 1
    shape.channels = {1}
    assert shape.find(body, 0) == -1
    assert shape.find(body + frame0(3, 1, b"body"), 0) == len(body)


@pytest.mark.parametrize("family", FAMILIES)
def test_every_frame_that_is_verified_is_found_by_a_quick_look(family):
    frames = frames_of(family, 9, 20)
    octets, shape = b"\xce" + b"".join(frames), SHAPES[family]()
    for offset, size in places(frames):
        assert shape.verify(octets, offset + 1, 1 << 20) == size
        assert shape.find(octets, offset + 1) == offset + 1
