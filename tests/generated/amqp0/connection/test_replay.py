"""Recorded conversations, replayed through both sides: an engine says what was said, and tells what it has to."""

from __future__ import annotations

from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import Any

import amqp_0_9_1_rabbitmq
import pytest
from amqp_traffic.synth.amqp0.conversations import VERSIONS
from amqp_traffic.synth.mix import package_of
from amqp_traffic.synth.utterance import Said

from tests.traffic.synth.test_conversations import conversation

from .recordings import SIDES, Side, Turn, merged
from .replay_checks import replay

SAMPLES = Path(__file__).parents[3] / "traffic" / "samples" / "rabbitmq-3.10.8"
PACKAGES: dict[str, Any] = {kind: import_module(str(package_of(kind))) for kind in VERSIONS}
# Those whose clients begin with the header of the package that reads them.
KINDS = [kind for kind, amqp in PACKAGES.items() if VERSIONS[kind].header == amqp.PROTOCOL_HEADER]
TOLD = {
    "client": {
        "ChannelClosed",
        "ChannelOpened",
        "Closed",
        "Delivered",
        "FlowChanged",
        "Opened",
        "Reply",
        "Returned",
    },
    "server": {
        "ChannelClosed",
        "ChannelOpened",
        "Closed",
        "LoginRequested",
        "OpenRequested",
        "Opened",
        "Published",
    }
    | {"Reply", "Requested", "Settled"},
}
each_side = pytest.mark.parametrize("side", SIDES)


def made(kind: str, seed: int, size: int) -> list[Turn]:
    return [
        Turn(SIDES[turn.direction], turn.octets)
        for turn in conversation(kind, seed, size=size)
        if isinstance(turn, Said)
    ]


@each_side
@pytest.mark.parametrize("kind", KINDS)
def test_conversations_of_synthetic_captures(kind: str, side: Side) -> None:
    told: Counter[str] = Counter()
    for seed in range(30):
        player = replay(PACKAGES[kind], side, made(kind, seed, 40_000))
        told.update(type(event).__name__ for _, event in player.told)
    assert set(told) >= TOLD[side]
    if kind == "0-9-1-rabbitmq" and side == "client":
        assert set(told) >= {"Confirmed", "Blocked", "Unblocked"}


@each_side
@pytest.mark.parametrize("kind", KINDS)
def test_octet_by_octet(kind: str, side: Side) -> None:
    replay(PACKAGES[kind], side, made(kind, 1, 20_000), piece=1)


@each_side
def test_a_conversation_of_a_real_client(side: Side) -> None:
    """pika with RabbitMQ 3.10: a consumer of the firehose. Each side was recorded on its own."""
    client, server = ((SAMPLES / f"firehose.{name}.raw").read_bytes() for name in SIDES)
    turns = merged(amqp_0_9_1_rabbitmq, client, server)
    player = replay(amqp_0_9_1_rabbitmq, side, turns, piece=1)
    assert len(player.items) > 30
