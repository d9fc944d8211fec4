"""Bodies of all sizes: split by the negotiated frame size on the way out, joined on the way in."""

from __future__ import annotations

import random
from collections.abc import Callable

import amqp_0_8
import amqp_0_9_1_rabbitmq as amqp
import pytest

from .client import Connect

FRAME_MAXIMA = (4096, 131072)
# How many times the room in a frame, and how many octets more.
SIZES = ((0, 0), (0, 1), (1, -1), (1, 0), (1, 1), (2, 0), (2, 1))
BIG = random.Random(1).randbytes(5_000_000)


def pieces(size: int, frame_max: int) -> list[int]:
    """How a body is split into frames that are as full as can be."""
    room = frame_max - 8
    whole, rest = divmod(size, room)
    return [room] * whole + [rest] * (rest > 0)


def sent_pieces(data: bytes, frame_max: int) -> list[int]:
    """The sizes of the bodies in the octets of one message, none of whose frames is too large."""
    frames, position = amqp.decode_frames(data, max_frame_size=frame_max)
    assert position == len(data)
    bodies = [frame for _, frame in frames[2:]]
    return [len(frame.payload) for frame in bodies if isinstance(frame, amqp.ContentBody)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("frame_max", FRAME_MAXIMA)
def test_round_trip(connect: Connect, frame_max: int, size: tuple[int, int]) -> None:
    client = connect(frame_max=frame_max)
    queue = client.declare()
    rooms, more = size
    body = BIG[: rooms * (frame_max - 8) + more]
    publish = amqp.methods.BasicPublish(routing_key=queue)
    data = amqp.encode_message(1, publish, None, body, max_frame_size=frame_max)
    assert sent_pieces(data, frame_max) == pieces(len(body), frame_max)
    client.send_octets(data)
    assert client.fetch(queue).body == body
    assert client.inbox.pieces == pieces(len(body), frame_max)


@pytest.mark.parametrize("frame_max", FRAME_MAXIMA)
def test_several_megabytes(connect: Connect, frame_max: int) -> None:
    client = connect(frame_max=frame_max)
    queue = client.declare()
    client.call(amqp.methods.BasicConsume(queue, no_ack=True))
    for _ in range(2):
        client.publish(queue, BIG, amqp.BasicProperties(message_id="big"))
    for _ in range(2):
        assert client.expect(amqp.methods.BasicDeliver).body == BIG
    assert client.inbox.pieces == pieces(len(BIG), frame_max) * 2


def test_the_broker_splits_anew_for_each_connection(connect: Connect, fresh_name: Callable[[], str]) -> None:
    small, large, old = connect(frame_max=4096), connect(), connect(amqp_0_8, frame_max=10_000)
    queue = small.declare(fresh_name(), exclusive=False)
    body = BIG[:100_000]
    for sender in (small, large, old):
        for receiver in (small, large, old):
            sender.publish(queue, body)
            sender.expect_count(queue, 1)
            receiver.inbox.pieces.clear()
            assert receiver.fetch(queue).body == body
            assert receiver.inbox.pieces == pieces(100_000, receiver.frame_max)


def test_any_split_will_do_as_the_broker_joins(connect: Connect) -> None:
    client = connect()
    queue = client.declare()
    body = BIG[:1000]
    client.send(
        amqp.methods.BasicPublish(routing_key=queue), amqp.ContentHeader(amqp.BasicProperties(), len(body))
    )
    start = 0
    for size in (1, 0, 499, 250, 250):  # an empty body frame is legal, if odd
        client.send(amqp.ContentBody(body[start : start + size]))
        start += size
    assert client.fetch(queue).body == body
    assert client.inbox.pieces == [1000]


def test_headers_must_fit_a_frame(connect: Connect) -> None:
    client = connect(frame_max=4096)
    queue = client.declare()
    room = 4096 - 8 - 14 - len(amqp.encode_table({"k": ""}))
    publish = amqp.methods.BasicPublish(routing_key=queue)
    properties = amqp.BasicProperties(headers={"k": "v" * (room + 1)})
    with pytest.raises(amqp.EncodeError, match="content header has 4089 octets"):
        amqp.encode_message(1, publish, properties, b"", max_frame_size=4096)
    properties.headers = {"k": "v" * room}
    client.publish(queue, b"", properties)
    assert client.fetch(queue).properties == properties
