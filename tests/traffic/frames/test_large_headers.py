"""Content headers, which peers cannot split, above the negotiated frame-max."""

from __future__ import annotations

from random import Random

import amqp_0_9_1_rabbitmq as amqp
import pytest
from amqp_traffic.capture.quarantine import Reason
from amqp_traffic.frames.formats import LARGEST_HEADER

from ..stream_builder import chunks, message0, read

FRAME_MAX = 4096


def _header(size: int) -> bytes:
    """A content header, a frame of so many octets."""
    room = size - len(amqp.encode_frame(1, amqp.ContentHeader(amqp.BasicProperties(headers={"a": ""}), 3)))
    header = amqp.ContentHeader(amqp.BasicProperties(headers={"a": "x" * room}), 3)
    return amqp.encode_frame(1, header)


@pytest.mark.parametrize("size", [FRAME_MAX + 1, 9033, LARGEST_HEADER])
@pytest.mark.parametrize("packet", [1400, 1 << 21], ids=["packets", "at once"])
def test_they_are_read_in_order(size: int, packet: int) -> None:
    frames = [*message0(Random(1)), _header(size), *message0(Random(2))]
    reading = read(chunks(b"".join(frames), packet), limit=FRAME_MAX)
    assert [frame.size for frame in reading.frames] == [len(frame) for frame in frames]
    assert not reading.rows()


def test_larger_ones_are_left_out() -> None:
    frames = [*message0(Random(1)), _header(LARGEST_HEADER + 1), *message0(Random(2))]
    reading = read(chunks(b"".join(frames), 1400), limit=FRAME_MAX)
    assert [frame.size for frame in reading.frames] == [len(frame) for frame in [*frames[:3], *frames[4:]]]
    assert reading.octets(Reason.FRAME_MAX) == LARGEST_HEADER + 1


@pytest.mark.parametrize("kind", [1, 3])
def test_other_frames_are_not(kind: int) -> None:
    large = bytes([kind]) + _header(FRAME_MAX + 1)[1:]
    reading = read([b"".join([*message0(Random(1)), large, *message0(Random(2))])], limit=FRAME_MAX)
    assert reading.octets(Reason.FRAME_MAX) == FRAME_MAX + 1


def test_a_search_finds_them() -> None:
    """After a gap, too."""
    before, after = message0(Random(1)), message0(Random(2))
    large = _header(9033)
    parts: list[bytes | int] = [b"".join(before), 100, b"".join([*after[1:], large, *after])]
    reading = read(parts, limit=FRAME_MAX)
    assert len(large) in [frame.size for frame in reading.frames]


def test_what_only_looks_like_one_lowers_the_limit() -> None:
    """Else all that is held for it would be read again for each such head."""
    head = b"\2\0\1" + (LARGEST_HEADER - 100).to_bytes(4, "big") + b"\0\x3c\0\0"
    frames = [frame for seed in range(5000) for frame in message0(Random(seed))]
    some = len(frames) // 4
    octets = b"".join([head, *frames[:some], head, *frames[some:]])
    reading = read(chunks(octets, 60_000), limit=FRAME_MAX)
    assert FRAME_MAX < reading.framer.shape.header_limit < LARGEST_HEADER
    assert reading.places[-1][1] == len(frames[-1])
