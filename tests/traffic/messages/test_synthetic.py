"""Whole synthetic captures: as many messages as were sent, and none that was not."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from amqp_traffic.capture.formats import recognise_capture
from amqp_traffic.capture.quarantine import Quarantine
from amqp_traffic.capture.segments import read_segments
from amqp_traffic.decode.body_retention import NO_BODIES
from amqp_traffic.decode.decoding import Decoding
from amqp_traffic.frames.conversation import FramedConversation
from amqp_traffic.frames.frame_reader import Conversations
from amqp_traffic.messages.assemblies import Assemblies
from amqp_traffic.schemas import EXCHANGES, MESSAGES
from amqp_traffic.streams.connection import CapturedConnection
from amqp_traffic.streams.connections import ConnectionTracker

from ..synth.made_captures import Made, make
from .method_script import Rows, named

OF_0X = {"0-9-1-rabbitmq": 3, "0-9-1": 1, "0-9": 1, "0-8": 1, "0-8-as-9-1": 1}
KINDS = {
    "basic.publish": "publish",
    "basic.deliver": "deliver",
    "basic.get-ok": "get-ok",
    "basic.return": "return",
}


def assembled(made: Made) -> dict[int, Rows]:
    """The rows of the connections of a capture, by the numbers of their labels; places are those of labels, too."""
    quarantine = Quarantine()
    decoding = Decoding(quarantine)
    ended: list[CapturedConnection] = []

    def end(connection: CapturedConnection, conversation: FramedConversation) -> None:
        ended.append(connection)

    conversations = Conversations(decoding.on_frames, end, quarantine=quarantine)
    connections = ConnectionTracker(conversations.on_pieces, conversations.on_end, quarantine=quarantine)
    connections.read(read_segments(recognise_capture(made.capture, quarantine)))
    connections.flush()
    assemblies = Assemblies(bodies=NO_BODIES)
    assemblies.add(decoding.take().events)
    facts = {it.number: assemblies.finish(it.number) for it in ended}
    tables = assemblies.take()
    messages, exchanges = named(MESSAGES, tables[0]), named(EXCHANGES, tables[1])
    found = {}
    for it in ended:
        label = min(
            (label for label in made.connections if tuple(label["client"]) == it.client),
            key=lambda label: _distance(label, it, 0),
        )
        mine = [row for row in messages if row["conn_id"] == it.number]
        for row in mine:
            row["stream_off"] += _distance(label, it, row["dir"])
        found[label["connection"]] = Rows(
            mine, [row for row in exchanges if row["conn_id"] == it.number], facts[it.number]
        )
    return found


def _distance(label: dict[str, Any], connection: CapturedConnection, direction: int) -> int:
    """How far into a stream its first octet is that was captured."""
    return (connection.streams[direction].first_sequence - label["sequences"][direction] - 1) % 2**32


def sent(made: Made) -> dict[tuple[int, int, int], tuple[str, bool]]:
    """Messages by connection, direction and offset: their kinds, and whether all of their frames are in the capture."""
    found: dict[tuple[int, int, int], tuple[str, bool]] = {}
    current: dict[tuple[int, int, int], tuple[int, int, int]] = {}
    for label in made.frames:
        channel = label["connection"], label["direction"], label["channel"]
        place = label["connection"], label["direction"], label["offset"]
        if label["name"] in KINDS:
            current[channel] = place
            found[place] = KINDS[label["name"]], label["intact"]
        elif label["type"] in (2, 3) and channel in current:
            kind, intact = found[current[channel]]
            found[current[channel]] = kind, intact and label["intact"]
    return found


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_undamaged(seed: int) -> None:
    made = make(seed, 1_500_000, mix=OF_0X, cut=0, connections=12)
    truth, found = sent(made), assembled(made)
    rows = {
        (number, row["dir"], row["stream_off"]): row for number, it in found.items() for row in it.messages
    }
    assert {place: row["kind"] for place, row in rows.items()} == {
        place: it[0] for place, it in truth.items()
    }
    assert len(rows) == sum(len(it.messages) for it in found.values()) > 500
    # Where a client broke off in the middle of a frame, a message is not complete.
    assert sum(not row["complete"] for row in rows.values()) <= len(made.of("tail"))
    _check_outcomes(found)
    assert {it.facts.vhost for it in found.values()} == {"/"}
    assert all(it.facts.product and it.facts.server_product for it in found.values())


def _check_outcomes(found: dict[int, Rows]) -> None:
    """Nothing is out of order; nearly everything is settled and confirmed; queues are known."""
    outcomes = Counter(row["outcome"] for it in found.values() for row in it.exchanges)
    assert set(outcomes) <= {"ok", "closed", "unanswered"}
    assert outcomes["ok"] > 0.8 * outcomes.total()
    for column, kinds in (("settle", ("deliver", "get-ok")), ("confirm", ("publish",))):
        said = Counter(
            row[column]
            for it in found.values()
            for row in it.messages
            if row["kind"] in kinds and row[column]
        )
        assert said["ack"] > 0.5 * said.total() > 0
        assert said["none"] < 0.1 * said.total()
    for it in found.values():
        for row in it.messages:
            assert (row["queue_inferred"] == f"queue-{row['channel']}") == (
                row["kind"] in ("deliver", "get-ok")
            )


DAMAGES: list[dict[str, Any]] = [
    {"drop": 0.02},
    {"skip": 250},
    {"snaplen": 300},
    {"reorder": 0.05, "duplicate": 0.1, "overlap": 0.1},
    {"garbage": 4},
    {"truncate": True},
]


@pytest.mark.parametrize("damage", DAMAGES, ids=str)
def test_damaged(damage: dict[str, Any]) -> None:
    """What is complete was sent like that; what is intact is nearly always complete."""
    made = make(4, 1_000_000, mix=OF_0X, connections=8, **damage)
    truth, found = sent(made), assembled(made)
    complete = {
        (number, row["dir"], row["stream_off"]): row["kind"]
        for number, it in found.items()
        for row in it.messages
        if row["complete"]
    }
    intact = {place: kind for place, (kind, whole) in truth.items() if whole}
    assert complete.items() <= {place: kind for place, (kind, _) in truth.items()}.items()
    assert not complete.keys() - intact.keys()
    assert len(intact.keys() - complete.keys()) <= 0.02 * len(intact) + len(made.of("tail"))
