"""Frames of AMQP 0-9-1 in hostile captures: what is never answered or settled, names without number, damage."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, count
from random import Random
from struct import pack
from typing import Any

import amqp_0_9_1_rabbitmq as amqp

from .frame_templates import NAME, NUMBER, named, numbered, on_channel
from .packets import (
    HEADER,
    SYN,
    Flow,
    Turn,
    again,
    capture,
    conversation,
    largest_segment,
    numbered_flow,
    numbered_turns,
    packet,
)

M = amqp.methods
MOST_CHANNELS = 65535
# What a channel may have unsettled before the oldest are given up.
UNSETTLED = 65_000
SEGMENT_OCTETS = 1000
# A frame, but for its last octet.
FAKE = b"\x01\0\1\0\0\0\x14" + bytes(20) + b"\xcf"
_CHANNEL = 1  # where a frame has it


def frame(method: Any, channel: int = 1) -> bytes:
    octets: bytes = amqp.encode_frame(channel, method)
    return octets


def message(method: Any, channel: int = 1, body: bytes = b"x", **properties: Any) -> bytes:
    octets: bytes = amqp.encode_message(channel, method, amqp.BasicProperties(**properties), body)
    return octets


def talk(size: int, turns: Iterator[Turn]) -> Iterator[bytes]:
    """A capture of a connection with an open channel in which the sides say this."""

    start: list[Turn] = [(0, HEADER + frame(M.ChannelOpen())), (1, frame(M.ChannelOpenOk()))]
    return capture(conversation(chain(start, turns), segment=largest_segment(size)))


DELIVER = numbered(
    message(M.BasicDeliver(consumer_tag="c", delivery_tag=NUMBER, exchange="", routing_key="q"))
)
PUBLISH = message(M.BasicPublish(exchange="", routing_key="q"))


# --- What is never answered


def publishes(size: int, random: Random) -> Iterator[bytes]:
    """Publishes that the broker has to confirm, but does not."""
    confirm: list[Turn] = [(0, frame(M.ConfirmSelect())), (1, frame(M.ConfirmSelectOk()))]
    return talk(size, chain(confirm, again(0, PUBLISH)))


def publishes_on_channels(size: int, random: Random) -> Iterator[bytes]:
    """The same on all channels in turn."""

    def turns() -> Iterator[Turn]:
        for number in range(1, MOST_CHANNELS):
            yield 0, frame(M.ConfirmSelect(), number)
            yield 1, frame(M.ConfirmSelectOk(), number)
            yield 0, _on_channel(PUBLISH, number) * 20

    return talk(size, turns())


def _on_channel(frames: bytes, channel: int) -> bytes:
    """Move several frames from channel 1 to another one."""
    moved, place = [], 0
    while place < len(frames):
        end = place + 8 + int.from_bytes(frames[place + 3 : place + 7], "big")
        moved.append(on_channel(frames[place:end], channel, _CHANNEL))
        place = end
    return b"".join(moved)


def deliveries(size: int, random: Random) -> Iterator[bytes]:
    return talk(size, numbered_turns(1, DELIVER))


def deliveries_one_tag(size: int, random: Random) -> Iterator[bytes]:
    """A broker that has one number for all of them."""
    return talk(size, again(1, DELIVER(7)))


def settled_again(size: int, random: Random) -> Iterator[bytes]:
    """Deliveries, then acknowledgments of unknown tags and of nothing, for many at once."""
    ack = numbered(frame(M.BasicAck(delivery_tag=NUMBER, multiple=True)))
    nack = numbered(frame(M.BasicNack(delivery_tag=NUMBER, multiple=True, requeue=True)))

    def turns() -> Iterator[Turn]:
        some = min(UNSETTLED, size // 150)
        for number in range(10, some):
            yield 1, DELIVER(number)
        for number in count():
            yield 0, ack(number % 10) + nack(5 + number % 5) + frame(M.BasicRecover(requeue=False))

    return talk(size, turns())


def settled_one_by_one(size: int, random: Random) -> Iterator[bytes]:
    """Deliveries, the last of which is settled first."""
    ack = numbered(frame(M.BasicAck(delivery_tag=NUMBER)))
    some = min(UNSETTLED, size // 200)

    def turns() -> Iterator[Turn]:
        for block in count():
            numbers = range(1 + block * some, 1 + (block + 1) * some)
            for number in numbers:
                yield 1, DELIVER(number)
            for number in reversed(numbers):
                yield 0, ack(number)

    return talk(size, turns())


def requests(size: int, random: Random) -> Iterator[bytes]:
    return talk(size, numbered_turns(0, named(frame(M.QueueDeclare(queue=NAME)))))


def requests_on_channels(size: int, random: Random) -> Iterator[bytes]:
    octets = frame(M.QueueDeclare(queue="q"))
    return talk(
        size, numbered_turns(0, lambda number: on_channel(octets, 1 + number % MOST_CHANNELS, _CHANNEL))
    )


def consumers(size: int, random: Random) -> Iterator[bytes]:
    """Consumers that are never cancelled, each with a name of its own."""
    consume = named(frame(M.BasicConsume(queue=NAME, consumer_tag=NAME, no_wait=True)))
    return talk(size, numbered_turns(0, consume))


def consumers_answered(size: int, random: Random) -> Iterator[bytes]:
    consume, ok = frame(M.BasicConsume(queue="q")), named(frame(M.BasicConsumeOk(consumer_tag=NAME)))

    def turns() -> Iterator[Turn]:
        for number in count():
            yield 0, consume * 50
            yield 1, b"".join(map(ok, range(50 * number, 50 * number + 50)))

    return talk(size, turns())


def consumers_cancelled(size: int, random: Random) -> Iterator[bytes]:
    """As many consumers as are known; then unknown ones are cancelled."""
    consume = named(frame(M.BasicConsume(queue="q", consumer_tag=NAME, no_wait=True)))
    cancel = named(frame(M.BasicCancel(consumer_tag=NAME, no_wait=True)))

    def turns() -> Iterator[Turn]:
        for number in range(min(UNSETTLED, size // 100)):
            yield 0, consume(number)
        for number in count(UNSETTLED):
            yield 0, cancel(number)

    return talk(size, turns())


def channels(size: int, random: Random) -> Iterator[bytes]:
    """All channels of one connection after the other, opened and never closed."""

    def packets() -> Iterator[bytes]:
        octets, ok = frame(M.ChannelOpen()), frame(M.ChannelOpenOk())
        for connection in count():
            turns: Iterator[Turn] = (
                (direction, on_channel(said, number, _CHANNEL))
                for block in range(1, MOST_CHANNELS, 500)
                for direction, said in enumerate((octets, ok))
                for number in range(block, min(block + 500, MOST_CHANNELS))
            )
            start: list[Turn] = [(0, HEADER)]
            yield from conversation(chain(start, turns), numbered_flow(connection), largest_segment(size))

    return capture(packets())


def half_messages(size: int, random: Random) -> Iterator[bytes]:
    """Messages that begin on all channels in turn, and never end."""
    publish = frame(M.BasicPublish(routing_key="q"))
    header = amqp.encode_frame(1, amqp.ContentHeader(amqp.BasicProperties(), 1000))
    return talk(
        size, numbered_turns(0, lambda number: _on_channel(publish + header, 1 + number % MOST_CHANNELS))
    )


# --- Names and tables


def names(size: int, random: Random) -> Iterator[bytes]:
    """Exchanges, routing keys and identifiers that come once."""
    publish = M.BasicPublish(exchange=NAME, routing_key=NAME)
    octets = named(message(publish, message_id=NAME, reply_to=NAME, type=NAME))
    return talk(size, numbered_turns(0, octets))


def header_names(size: int, random: Random) -> Iterator[bytes]:
    """A header with a name of its own in each message."""
    return talk(
        size,
        numbered_turns(
            0, named(message(M.BasicPublish(routing_key="q"), headers={NAME: NAME, "a" + NAME: 1}))
        ),
    )


def deep_tables(size: int, random: Random) -> Iterator[bytes]:
    """Tables in tables, as deep as a frame allows and half as deep as is read."""

    def nested(depth: int) -> bytes:
        table = b""
        for _ in range(depth):
            table = b"\x01aF" + pack(">I", len(table)) + table
        payload = pack(">HHQHI", 60, 0, 0, 0x2000, len(table)) + table
        return b"\x02\0\1" + pack(">I", len(payload)) + payload + b"\xce"

    publish = frame(M.BasicPublish(routing_key="q"))
    turns = [publish + nested(depth) for depth in (60, 10_000)]
    return talk(size, numbered_turns(0, lambda number: turns[number % 50 == 0]))


# --- What is not a frame


def endless_frame(size: int, random: Random) -> Iterator[bytes]:
    """A frame of 4 GiB, of which the capture has the beginning."""
    start: list[Turn] = [(0, b"\x03\0\1\xff\xff\xff\xf0")]
    return talk(size, chain(start, again(0, bytes(SEGMENT_OCTETS))))


def endless_frames(size: int, random: Random) -> Iterator[bytes]:
    """The same in a thousand connections at once."""

    def packets() -> Iterator[bytes]:
        sides = [
            conversation(
                chain([(0, HEADER), (0, b"\x03\0\1\xff\xff\xff\xf0")], again(0, bytes(1400))),
                numbered_flow(number),
            )
            for number in range(min(1000, 1 + size // 2000))
        ]
        for _ in count():
            for side in sides:
                yield next(side)

    return capture(packets())


def garbage(size: int, random: Random) -> Iterator[bytes]:
    return talk(size, numbered_turns(0, lambda number: random.randbytes(1000)))


def frames_in_garbage(size: int, random: Random) -> Iterator[bytes]:
    """After each frame a few octets of chance."""
    octets = frame(M.QueueDeclare(queue="q"))
    return talk(size, numbered_turns(0, lambda number: octets + random.randbytes(1 + random.randrange(30))))


def embedded_frames(size: int, random: Random) -> Iterator[bytes]:
    """From the middle of a stream: octets that are not a frame, but look like one at each place."""
    flow, octets = numbered_flow(0), FAKE * 40
    return capture(packet(flow, place, octets) for place in count(0, len(octets)))


def embedded_after_gaps(size: int, random: Random) -> Iterator[bytes]:
    """The same, and a frame is looked for again and again: an octet is lost before each segment."""
    return capture(_with_gaps(FAKE * 4))


def frames_after_gaps(size: int, random: Random) -> Iterator[bytes]:
    """Each time there are frames."""
    return capture(_with_gaps(frame(M.QueueDeclare(queue="q")) + PUBLISH))


def channels_and_gaps(size: int, random: Random) -> Iterator[bytes]:
    """Very many channels, then losses, each of which may concern all of them."""
    octets = frame(M.ChannelOpen())
    opened = b"".join(on_channel(octets, number, _CHANNEL) for number in range(1, min(12_000, size // 40)))
    flow, first, segment = numbered_flow(0), 1001, largest_segment(size)

    def packets() -> Iterator[bytes]:
        yield packet(flow, first - 1, flags=SYN)
        yield packet(flow, first, HEADER)
        for place in range(0, len(opened), segment):
            yield packet(flow, first + len(HEADER) + place, opened[place : place + segment])
        yield from _again_and_again(flow, first + len(HEADER) + len(opened), octets)

    return capture(packets())


def _with_gaps(octets: bytes) -> Iterator[bytes]:
    """Packets of a connection with these octets again and again; an octet is lost before each."""
    flow, first = numbered_flow(0), 1001
    yield packet(flow, first - 1, flags=SYN)
    yield packet(flow, first, HEADER)
    yield from _again_and_again(flow, first + len(HEADER), octets)


def _again_and_again(flow: Flow, start: int, octets: bytes) -> Iterator[bytes]:
    """Packets with these octets, before each of which an octet is lost."""
    for place in count(start + 1, len(octets) + 1):
        yield packet(flow, place, octets)
        yield packet(flow.reverse, 1, acknowledgment=place + len(octets))


def frame_starts(size: int, random: Random) -> Iterator[bytes]:
    """The heads of frames, each of which would hold those after it."""
    head = b"\x01\0\1\0\0\xff\xf0"
    return talk(size, again(0, head))
