"""Pieces that are read together: the same comes out as one by one, and messages are the same, in one event or in many."""

from __future__ import annotations

from random import Random

import amqp_0_9_1_rabbitmq as amqp0
import pytest
from amqp_traffic.capture.quarantine import Quarantine
from amqp_traffic.capture.stream_data import Direction
from amqp_traffic.decode.body_retention import NO_BODIES
from amqp_traffic.decode.decoding import Decoding
from amqp_traffic.decode.events import CONTENT
from amqp_traffic.messages.assemblies import Assemblies
from amqp_traffic.schemas import MESSAGES
from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples

from ..messages.method_script import named
from ..stream_builder import SHAPES, chunks, frames_of, message0, read


class Said:
    """A connection that speaks RabbitMQ's 0-9-1."""

    number = 1
    product = "RabbitMQ"
    dialect = ""
    protocol = type("Spoken", (), {"package": "amqp_0_9_1_rabbitmq"})()


@pytest.mark.parametrize("family", sorted(SHAPES))
@examples(80)
@given(data=st.data())
def test_pieces_read_together_are_read_as_one_by_one(family, data):
    octets = bytearray(b"".join(frames_of(family, data.draw(st.integers(0, 50)), 10)))
    for at in data.draw(st.lists(st.integers(0, len(octets) - 1), max_size=3)):
        octets[at] ^= 0x41
    parts = chunks(
        bytes(octets),
        data.draw(st.sampled_from([1, 9, 100, 700])),
        data.draw(st.lists(st.integers(0, 30), max_size=2)),
    )
    one_by_one = read(parts, family)
    together = read(parts, family, together=data.draw(st.integers(2, 60)))
    assert together.frames == one_by_one.frames
    assert together.quarantine.rows == one_by_one.quarantine.rows
    assert together.framer.ledger == one_by_one.framer.ledger


def messages_of(frames, at_once: int) -> tuple[list[dict], int]:
    """The messages of frames from the client that are decoded so many at once, and how many events were whole contents."""
    decoding = Decoding(Quarantine())
    for start in range(0, len(frames), at_once):
        decoding.on_frames(Said(), Direction.client_to_server, frames[start : start + at_once])
    events = decoding.take().events
    assemblies = Assemblies(bodies=NO_BODIES)
    assemblies.add(events)
    assemblies.finish(1)
    return named(MESSAGES, assemblies.take()[0]), sum(event[4] == CONTENT for event in events)


@examples(60)
@given(data=st.data())
def test_messages_are_the_same_in_one_event_or_in_many(data):
    """Frames of two channels between each other, some of them missing, heartbeats, bodies of none and of many frames."""
    chance = Random(data.draw(st.integers(0, 10_000)))
    sent = []
    for _ in range(8):
        size = chance.choice([0, 1, 50, 400])
        sent += message0(
            chance, chance.randbytes(size), chance.choice([64, 131_072]), chance.choice([1, 1, 2])
        )
        if chance.random() < 0.2:
            sent.append(amqp0.encode_frame(0, amqp0.Heartbeat()))
    for _ in range(data.draw(st.integers(0, 3))):
        at = chance.randrange(len(sent) - 1)
        sent[at], sent[at + 1] = sent[at + 1], sent[at]
    frames = read(sent).frames
    missing = data.draw(st.sets(st.integers(0, len(frames) - 1), max_size=2))
    frames = [frame for at, frame in enumerate(frames) if at not in missing]
    expected, whole = messages_of(frames, 1)
    assert whole == 0
    found, _ = messages_of(frames, data.draw(st.sampled_from([2, 3, 7, 1000])))
    assert found == expected


def test_a_content_that_comes_in_one_go_is_one_event():
    frames = read([*message0(Random(1), b"x" * 100, 64), *message0(Random(2), b"")]).frames
    messages, whole = messages_of(frames, len(frames))
    assert whole == 2
    assert [row["body_frames"] for row in messages] == [2, 0]
