"""What pika and the broker say to each other, recorded by a relay and replayed through both sides of the engine."""

from __future__ import annotations

import uuid
from collections import Counter
from typing import Any

import amqp_0_9_1_rabbitmq
import pytest

from tests.generated.amqp0.connection.recordings import SIDES, Turn
from tests.generated.amqp0.connection.replay_checks import replay

from .relay import Passage, relay_to_broker

pytest.importorskip("pika", reason="needs pika: pip install .[peers]")
from tests.traffic.real_captures import pika_stories

SMALL = 50_000  # octets; such conversations are replayed octet by octet
# What each side of the engine tells of all stories together.
TOLD = {
    "client": {"Confirmed", "ConsumerCancelled", "Delivered", "Reply", "Returned"},
    "server": {"Published", "Requested", "Settled"},
}


def a_queue_that_goes(name: str) -> None:
    """The broker cancels the consumer of a queue that is deleted."""
    with pika_stories.channel_and_queue(name) as (channel, queue):
        pika_stories.consume(channel, queue, 0)
        channel.queue_delete(queue)
        while channel.consumer_tags:
            channel.connection.process_data_events(time_limit=1)


def recorded(story: Any, monkeypatch: pytest.MonkeyPatch) -> list[Turn]:
    """Let a story happen; return what was said, in order."""
    turns: list[Turn] = []

    def record(passage: Passage) -> list[Passage]:
        turns.append(Turn("client" if passage.to == "broker" else "server", passage.octets))
        return [passage]

    with relay_to_broker(amqp_0_9_1_rabbitmq, record) as relay:
        monkeypatch.setattr(pika_stories, "URL", relay.url)
        story(f"{story.__name__}.{uuid.uuid4().hex[:8]}")
    return turns


def test_every_story_of_pika(monkeypatch: pytest.MonkeyPatch) -> None:
    told: Counter[tuple[str, str]] = Counter()
    for story in (*pika_stories.STORIES, a_queue_that_goes):
        turns = recorded(story, monkeypatch)
        is_small = sum(len(turn.octets) for turn in turns) < SMALL
        for side in SIDES:
            player = replay(amqp_0_9_1_rabbitmq, side, turns, 1 if is_small else 4096)
            told.update((side, type(event).__name__) for _, event in player.told)
    for side in SIDES:
        assert {name for teller, name in told if teller == side} >= TOLD[side]
