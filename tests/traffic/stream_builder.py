"""Streams made frame by frame, and frames read out of streams."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from random import Random

import amqp_0_9_1_rabbitmq as amqp0
import amqp_1_0 as amqp1
from amqp_traffic.capture.quarantine import Quarantine, Reason
from amqp_traffic.capture.stream_data import Direction, StreamPiece
from amqp_traffic.frames.amqp0.frame_format import make_format
from amqp_traffic.frames.amqp1.frame_format import FamilyFormat
from amqp_traffic.frames.formats import FrameFormat, FrameSpan
from amqp_traffic.frames.framer import Framer

SHAPES: dict[str, Callable[[], FrameFormat]] = {
    "0-x": lambda: make_format("amqp_0_9_1_rabbitmq"),
    "1.0": FamilyFormat,
}


def message0(
    chance: Random, body: bytes | None = None, frame_max: int = 131_072, channel: int = 1
) -> list[bytes]:
    """The frames of a message."""
    body = chance.randbytes(chance.randrange(1, 600)) if body is None else body
    publish = amqp0.methods.BasicPublish(exchange="e", routing_key=f"key.{chance.randrange(1000)}")
    octets = amqp0.encode_message(
        channel, publish, amqp0.BasicProperties(delivery_mode=2), body, max_frame_size=frame_max
    )
    return cut0(octets)


def cut0(octets: bytes) -> list[bytes]:
    """Frames of 0-x, one by one."""
    frames, position = [], 0
    while position < len(octets):
        end = position + 8 + int.from_bytes(octets[position + 3 : position + 7], "big")
        frames.append(octets[position:end])
        position = end
    return frames


def message1(chance: Random, body: bytes | None = None) -> list[bytes]:
    """The frames of a delivery."""
    body = chance.randbytes(chance.randrange(1, 600)) if body is None else body
    message = amqp1.Message(body=[amqp1.messaging.Data(body)]).encode()
    number = chance.randrange(1000)
    transfer = amqp1.performatives.Transfer(handle=0, delivery_id=number, delivery_tag=b"%d" % number)
    settled = amqp1.performatives.Disposition(role=amqp1.performatives.Role.SENDER, first=number)
    return [*amqp1.split_transfer(transfer, message, max_frame_size=65_536), amqp1.encode_frame(0, settled)]


def frames_of(family: str, seed: int, count: int) -> list[bytes]:
    """So many messages, and heartbeats between them."""
    chance, frames = Random(seed), []
    for _ in range(count):
        frames += message0(chance) if family == "0-x" else message1(chance)
        if chance.random() < 0.1:
            heartbeat = amqp0.encode_frame(0, amqp0.Heartbeat())
            frames.append(heartbeat if family == "0-x" else amqp1.encode_frame(0, None))
    return frames


def pieces(parts: Iterable[bytes | int]) -> list[StreamPiece]:
    """Pieces of these octets; a number stands for a gap."""
    found, offset = [], 0
    for number, part in enumerate(parts, 1):
        data, gap = (b"", part) if isinstance(part, int) else (part, 0)
        found.append(StreamPiece(data, offset, gap, number, 100 * number, 1_000_000 + number))
        offset += len(data) + gap
    return found


def runs(stream: Sequence[StreamPiece], most: int) -> list[list[StreamPiece]]:
    """Pieces that are fed together; gaps are alone."""
    found: list[list[StreamPiece]] = []
    for piece in stream:
        if found and not piece.gap and not found[-1][-1].gap and len(found[-1]) < most:
            found[-1].append(piece)
        else:
            found.append([piece])
    return found


def chunks(octets: bytes, size: int, lost: Iterable[int] = ()) -> list[bytes | int]:
    """Octets in packets of a size; some of the packets are lost."""
    lost = set(lost)
    parts = [octets[start : start + size] for start in range(0, len(octets), size)]
    return [len(part) if number in lost else part for number, part in enumerate(parts)]


@dataclass
class Reading:
    """What a framer made of a stream."""

    framer: Framer
    frames: list[FrameSpan] = field(default_factory=list)
    quarantine: Quarantine = field(default_factory=Quarantine)

    @property
    def places(self) -> list[tuple[int, int]]:
        return [(frame.offset, frame.size) for frame in self.frames]

    def octets(self, reason: Reason) -> int:
        total = self.quarantine.totals.get(reason)
        return total.octets if total else 0

    def rows(self) -> list[tuple[str, int, int]]:
        return [(row.reason.value, row.stream_offset, row.length) for row in self.quarantine.rows]


def read(
    parts: Sequence[bytes | int],
    family: str = "0-x",
    *,
    limit: int = 0,
    from_start: bool = True,
    together: int = 1,
    **options,
) -> Reading:
    """Frame a stream, so many pieces together. Frames come in order and without overlap, and the ledger holds."""
    quarantine = Quarantine()
    shape = SHAPES[family]()
    framer = Framer(
        shape, Direction.client_to_server, lambda frame: frame, quarantine, from_start=from_start, **options
    )
    if limit:
        framer.negotiate(limit)
    reading = Reading(framer, quarantine=quarantine)
    stream = pieces(parts)
    for run in runs(stream, together):
        reading.frames += framer.feed(run[0]) if len(run) == 1 else framer.feed_run(run)
    length = sum(len(piece.data) + piece.gap for piece in stream)
    reading.frames += framer.finish(length)
    ledger = framer.ledger
    assert ledger.wire == length == ledger.framed + ledger.gap + ledger.skipped + ledger.tail
    assert ledger.framed == sum(frame.size for frame in reading.frames)
    assert ledger.gap == sum(piece.gap for piece in stream)
    # Every octet that is left out has a reason.
    assert ledger.skipped + ledger.tail == sum(total.octets for total in quarantine.totals.values())
    ends = [0, *(frame.offset + frame.size for frame in reading.frames)]
    assert all(end <= frame.offset for end, frame in zip(ends, reading.frames, strict=False))
    return reading


def places(frames: Iterable[bytes]) -> list[tuple[int, int]]:
    """Offset and size of each."""
    found, offset = [], 0
    for frame in frames:
        found.append((offset, len(frame)))
        offset += len(frame)
    return found


def untouched(frames: Iterable[bytes], parts: Sequence[bytes | int]) -> list[tuple[int, int]]:
    """Offset and size of the frames that no gap touches."""
    gaps = [(piece.offset, piece.offset + piece.gap) for piece in pieces(parts) if piece.gap]
    return [
        (offset, size)
        for offset, size in places(frames)
        if not any(start < offset + size and offset < end for start, end in gaps)
    ]
