"""Streams in order, and whatever else: frames are those that the packages' own decoders find; no octets are lost."""

from __future__ import annotations

from random import Random

import amqp_0_8
import amqp_0_9_1_rabbitmq as amqp0
import amqp_1_0 as amqp1
import pytest
from amqp_traffic.capture.ledgers import LedgerError
from amqp_traffic.capture.quarantine import Reason
from amqp_traffic.frames.amqp0.frame_format import FamilyFormat, make_format
from amqp_traffic.frames.formats import LARGEST_FRAME, PROTOCOL_HEADER
from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples

from ..stream_builder import SHAPES, chunks, frames_of, message0, places, read

FAMILIES = sorted(SHAPES)


def cut(octets: bytes, sizes: list[int]) -> list[bytes]:
    """In chunks of these sizes, again and again."""
    found, position, turn = [], 0, 0
    while position < len(octets):
        size = sizes[turn % len(sizes)]
        found.append(octets[position : position + size])
        position, turn = position + size, turn + 1
    return found


@examples(40)
@given(st.integers(0, 1000), st.lists(st.integers(1, 3000), min_size=1, max_size=8))
def test_frames_of_0_x_are_those_of_the_decoder_in_any_chunking(seed, sizes):
    octets = b"".join(frames_of("0-x", seed, 8))
    reading = read(cut(octets, sizes))
    decoded = amqp0.FrameDecoder(max_frame_size=0).feed(octets)
    again = [amqp0.decode_frames(octets[it.offset : it.offset + it.size])[0] for it in reading.frames]
    assert [frame for frames in again for frame in frames] == decoded
    assert all(octets[it.offset + 7 : it.offset + it.size - 1] == it.payload for it in reading.frames)
    assert reading.framer.ledger.framed == len(octets)


@examples(40)
@given(st.integers(0, 1000), st.lists(st.integers(1, 3000), min_size=1, max_size=8))
def test_frames_of_1_0_are_those_of_the_decoder_in_any_chunking(seed, sizes):
    octets = b"".join(frames_of("1.0", seed, 8))
    reading = read(cut(octets, sizes), "1.0")
    decoded = amqp1.FrameDecoder(max_frame_size=0).feed(octets)
    assert [it.channel for it in reading.frames] == [channel for channel, _, _ in decoded]
    rests = [
        it.payload.removesuffix(payload) for it, (_, _, payload) in zip(reading.frames, decoded, strict=True)
    ]
    read_again = [amqp1.decode(rest)[0] if rest else None for rest in rests]
    assert read_again == [performative for _, performative, _ in decoded]
    assert reading.framer.ledger.framed == len(octets)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("size", [1, 7, 8, 100, 1448, 1 << 20])
def test_every_frame_has_the_packet_that_it_begins_in(family, size):
    frames = frames_of(family, 1, 6)
    reading = read(chunks(b"".join(frames), size), family)
    assert reading.places == places(frames)
    for frame in reading.frames:
        number = frame.offset // size + 1
        assert (frame.packet_no, frame.packet_offset, frame.ns) == (number, 100 * number, 1_000_000 + number)


def test_protocol_headers_come_as_frames_do():
    opening = amqp1.encode_frame(0, amqp1.performatives.Open(container_id="c"))
    init = amqp1.encode_frame(0, amqp1.sasl.SaslInit("EXTERNAL"))
    sasl, plain = (amqp1.PROTOCOL_HEADERS[layer] for layer in ("sasl", "amqp"))
    reading = read(cut(sasl + init + plain + opening, [5]), "1.0")
    assert [frame.type for frame in reading.frames] == [PROTOCOL_HEADER, 1, PROTOCOL_HEADER, 0]
    assert [frame.payload for frame in reading.frames[::2]] == [sasl, plain]
    first = read([amqp0.PROTOCOL_HEADER + message0(Random(1))[0]])
    assert [frame.type for frame in first.frames] == [PROTOCOL_HEADER, 1]


def test_frames_of_types_that_only_a_version_has():
    trace = b"\x07\x00\x01\x00\x00\x00\x02ab\xce"
    assert read([trace]).places == []
    shape = make_format("amqp_0_8")
    assert shape.types == {1, 2, 3, 4, 5, 6, 7, 8}
    assert amqp_0_8.constants.FRAME_TRACE == 7


@pytest.mark.parametrize("family", FAMILIES)
@examples(60)
@given(data=st.data())
def test_nothing_raises_and_every_octet_is_accounted_for(family, data):
    chance = Random(data.draw(st.integers(0, 10_000)))
    octets = bytearray(b"".join(frames_of(family, chance.randrange(100), 6)))
    for _ in range(data.draw(st.integers(0, 6))):
        at = chance.randrange(len(octets))
        what = data.draw(st.sampled_from(["flip", "garbage", "cut", "zeros"]))
        if what == "flip":
            octets[at] ^= 1 << chance.randrange(8)
        elif what == "garbage":
            octets[at:at] = chance.randbytes(chance.randrange(1, 500))
        elif what == "zeros":
            octets[at : at + 20] = bytes(20)
        else:
            del octets[at : at + chance.randrange(1, 500)]
        octets = octets or bytearray(1)
    size = data.draw(st.integers(1, 2000))
    parts = chunks(bytes(octets), size, [n for n in range(len(octets) // size + 1) if chance.random() < 0.2])
    limit = data.draw(st.sampled_from([0, 512, 4096]))
    read(parts, family, limit=limit, from_start=data.draw(st.booleans()))  # which checks the ledger


@examples(60)
@given(
    st.lists(st.one_of(st.binary(min_size=1, max_size=200), st.integers(1, 300)), max_size=20), st.booleans()
)
def test_octets_without_sense_are_accounted_for(parts, from_start):
    for family in FAMILIES:
        read(parts, family, from_start=from_start)
        read(parts, family, from_start=from_start, otherwise=Reason.TLS)


def test_a_wrong_length_of_the_stream_is_noticed():
    with pytest.raises(LedgerError, match="wire"):
        read([b"\x08\x00\x00\x00\x00\x00\x00\xce"]).framer.finish(7)


# --- What is wrong in a stream that is in order ---

TABLE0 = {
    "end octet": (lambda f: f[:-1] + b"\x00", "frame-end"),
    "type": (lambda f: b"\x63" + f[1:], "frame-type"),
    "size too large": (lambda f: f[:3] + b"\x7f" + f[4:], "frame-max"),
    "size a little larger": (lambda f: f[:6] + bytes([f[6] + 1]) + f[7:], "frame-end"),
    "size a little smaller": (lambda f: f[:6] + bytes([f[6] - 1]) + f[7:], "frame-end"),
    "garbage instead": (lambda f: b"\xff" * 50 + b"\xce", "frame-type"),
}
TABLE1 = {
    "type": (lambda f: f[:5] + b"\x09" + f[6:], "frame-type"),
    "data offset": (lambda f: f[:4] + b"\x01" + f[5:], "data-offset"),
    "data offset beyond": (lambda f: f[:4] + b"\xff" + f[5:], "data-offset"),
    "size too large": (lambda f: b"\x7f" + f[1:], "frame-max"),
    "size too small": (lambda f: b"\x00\x00\x00\x07" + f[4:], "frame-size"),
    "no performative": (lambda f: f[:8] + b"\x40" + f[9:], "frame-body"),
}


@pytest.mark.parametrize(
    ("family", "fault"), [("0-x", name) for name in TABLE0] + [("1.0", name) for name in TABLE1]
)
@pytest.mark.parametrize("size", [1, 64, 1 << 20])
def test_one_bad_frame_costs_no_other(family, fault, size):
    frames = frames_of(family, 3, 30)
    damage, reason = (TABLE0 if family == "0-x" else TABLE1)[fault]
    at = next(number for number, frame in enumerate(frames[10:], 10) if len(frame) > 40)
    bad = damage(frames[at])
    reading = read(chunks(b"".join([*frames[:at], bad, *frames[at + 1 :]]), size), family)
    expected = places(frames[:at])
    start = sum(len(frame) for frame in frames[:at])
    expected += [(offset + start + len(bad), length) for offset, length in places(frames[at + 1 :])]
    assert reading.places == expected
    assert reading.rows() == [(reason, start, len(bad))]


def test_what_the_stream_ends_within_is_the_tail():
    frames = frames_of("0-x", 4, 3)
    octets = b"".join(frames)[:-5]
    reading = read(chunks(octets, 50))
    assert reading.places == places(frames)[:-1]
    assert reading.framer.ledger.tail == len(frames[-1]) - 5
    assert [row[0] for row in reading.rows()] == ["tail-incomplete"]


def test_a_frame_larger_than_agreed_on_is_left_out():
    chance = Random(5)
    frames = [*message0(chance), *message0(chance, bytes(5000)), *message0(chance)]
    large = max(range(len(frames)), key=lambda number: len(frames[number]))
    reading = read(chunks(b"".join(frames), 500), limit=4096)
    assert reading.places == [place for number, place in enumerate(places(frames)) if number != large]
    assert reading.rows() == [("frame-max", places(frames)[large][0], 5008)]
    assert read(chunks(b"".join(frames), 500), limit=8192).places == places(frames)


def test_the_largest_frame_there_may_be():
    body = bytes(LARGEST_FRAME - 8)
    frame = b"\x03\x00\x01" + len(body).to_bytes(4, "big") + body + b"\xce"
    assert read(chunks(frame, 1 << 20)).places == [(0, LARGEST_FRAME)]
    more = b"\x03\x00\x01" + (len(body) + 1).to_bytes(4, "big") + body + b"\0\xce"
    assert read([more]).places == []


@pytest.mark.parametrize("bad", [b"", b"\x63bad frame\xce"])
def test_work_stays_in_proportion_where_sizes_lie(bad, monkeypatch):
    """Again and again there are some good frames, and then the head of one that would be very large."""
    lie = b"\x03\x00\x01\x00\x07\xff\xff"
    packets = [part for seed in range(300) for part in (*frames_of("0-x", seed, 3), bad + lie)]
    seen: list[int] = []
    original = FamilyFormat.read

    def count(shape, data, *rest):
        seen.append(len(data))
        return original(shape, data, *rest)

    monkeypatch.setattr(FamilyFormat, "read", count)
    work = []
    for times in (2, 4):
        seen.clear()
        reading = read(packets * times)
        assert reading.framer.limit < LARGEST_FRAME
        assert len(reading.frames) > 1000 * times
        work.append(sum(seen))
    assert work[1] < 3 * work[0]
