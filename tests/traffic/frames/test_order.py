"""Frames come in the order of their packets, also where the beginning of a stream was not captured."""

from __future__ import annotations

import amqp_0_9_1_rabbitmq as amqp
import pytest
from amqp_traffic.capture.quarantine import Quarantine
from amqp_traffic.capture.stream_data import Direction, StreamPiece
from amqp_traffic.frames.conversation import FramedConversation
from amqp_traffic.frames.formats import FrameSpan
from amqp_traffic.frames.held_back import MOST_FRAMES, MOST_OCTETS
from amqp_traffic.synth.damage import Damage

from .test_conversations import AMQP, compare

CLIENT, SERVER = Direction


@pytest.mark.parametrize("skip", [1, 2, 3, 10, 37, 100, 200, 400])
def test_a_capture_that_begins_anywhere(skip: int) -> None:
    result = compare(seed=8, size=300_000, damage=Damage(skip=skip), mix=AMQP)
    assert len(result.orders) > 5
    for order in result.orders.values():
        assert order == sorted(order)


class Talk:
    """A conversation whose beginning was not captured; each piece is a packet."""

    def __init__(self) -> None:
        self.order: list[tuple[Direction, int]] = []
        self.conversation = FramedConversation(1, self._take, Quarantine(), from_start=False)
        self._lengths = [0, 0]
        self.packets = 0

    def _take(self, conversation: FramedConversation, direction: Direction, frames: list[FrameSpan]) -> None:
        self.order += [(direction, frame.packet_no) for frame in frames]

    def say(self, direction: Direction, data: bytes) -> None:
        self.packets += 1
        piece = StreamPiece(data, self._lengths[direction], 0, self.packets, 24, 5)
        self.conversation.feed(direction, piece)
        self._lengths[direction] += len(data)

    def lose(self, direction: Direction, octets: int) -> None:
        self.packets += 1
        piece = StreamPiece(b"", self._lengths[direction], octets, self.packets, 24, 5)
        self.conversation.feed(direction, piece)
        self._lengths[direction] += octets

    def end(self) -> None:
        self.conversation.finish((self._lengths[0], self._lengths[1]))


PURGE = amqp.encode_frame(1, amqp.methods.QueuePurge("q"))
PURGED = amqp.encode_frame(1, amqp.methods.QueuePurgeOk(5))
HEARTBEAT = amqp.encode_frame(0, amqp.Heartbeat())


def test_requests_come_before_their_replies() -> None:
    talk = Talk()
    for _ in range(40):
        talk.say(CLIENT, PURGE)
        talk.say(SERVER, PURGED)
    assert talk.order == [(Direction(number % 2), number + 1) for number in range(80)]


def test_what_is_uncertain_at_the_end_is_in_order_too() -> None:
    talk = Talk()
    for _ in range(2):
        talk.say(CLIENT, PURGE)
        talk.say(SERVER, PURGED)
    assert talk.order == []
    talk.end()
    assert talk.order == [(CLIENT, 1), (SERVER, 2), (CLIENT, 3), (SERVER, 4)]


def certain_client() -> Talk:
    """A client whose frames are certain, a server with one frame that is not."""
    talk = Talk()
    for _ in range(40):
        talk.say(CLIENT, PURGE)
    talk.say(SERVER, HEARTBEAT)
    assert len(talk.order) == 40
    return talk


@pytest.mark.parametrize("octets", [len(PURGE), 20_000])
def test_a_silent_side_does_not_hold_back_the_other_for_long(octets: int) -> None:
    talk = certain_client()
    frame = PURGE if octets == len(PURGE) else amqp.encode_frame(1, amqp.ContentBody(bytes(octets)))
    most = min(MOST_FRAMES, MOST_OCTETS // len(frame))
    for _ in range(most):
        talk.say(CLIENT, frame)
    assert len(talk.order) == 40
    talk.say(CLIENT, frame)
    assert len(talk.order) == 41 + most
    talk.say(CLIENT, frame)
    talk.say(SERVER, HEARTBEAT)
    talk.say(CLIENT, frame)
    assert len(talk.order) == 43 + most


def test_a_side_that_has_lost_octets_does_not_hold_back_the_other() -> None:
    talk = certain_client()
    talk.say(CLIENT, PURGE)
    assert len(talk.order) == 40
    talk.lose(SERVER, 100)
    assert [direction for direction, _ in talk.order[40:]] == [SERVER, CLIENT]
    talk.say(SERVER, HEARTBEAT)
    talk.say(CLIENT, PURGE)
    assert talk.order[42:] == [(CLIENT, talk.packets)]


def test_a_conversation_that_is_given_up_holds_back_nothing() -> None:
    talk = certain_client()
    talk.say(CLIENT, PURGE)
    talk.conversation.give_up(StreamPiece(b"", 0, 0, 43, 24, 5), ValueError("odd"))
    assert len(talk.order) == 41
