"""Synthetic conversations of AMQP 1.0, from the capture to the rows."""

from __future__ import annotations

import io
from collections import Counter

import pytest
from amqp_traffic.capture.formats import recognise_capture
from amqp_traffic.capture.quarantine import Quarantine
from amqp_traffic.capture.segments import read_segments
from amqp_traffic.decode.body_retention import NO_BODIES
from amqp_traffic.decode.decoding import Decoding
from amqp_traffic.decode.events import PERFORMATIVE, Event, named_event
from amqp_traffic.frames.frame_reader import Conversations
from amqp_traffic.messages.amqp1.assembly import Assembly
from amqp_traffic.messages.output import Sink
from amqp_traffic.schemas import EXCHANGES, MESSAGES
from amqp_traffic.streams.connections import ConnectionTracker
from amqp_traffic.synth.damage import Damage
from amqp_traffic.synth.order import CaptureOrder
from amqp_traffic.synth.synthesis import synthesise


def events_of(seed: int, damage: Damage | None = None) -> list[Event]:
    """The performatives of a capture of five connections."""
    capture, quarantine = io.BytesIO(), Quarantine()
    order = CaptureOrder(seed=seed, size=400_000, connections=5, mix={"1.0": 1}, damage=damage or Damage())
    synthesise(order, capture, io.StringIO())
    decoding = Decoding(quarantine)
    conversations = Conversations(decoding.on_frames, quarantine=quarantine)
    connections = ConnectionTracker(conversations.on_pieces, conversations.on_end, quarantine=quarantine)
    connections.read(read_segments(recognise_capture(capture.getvalue(), quarantine)))
    connections.flush()
    return [event for event in map(named_event, decoding.take().events) if event.kind == PERFORMATIVE]


def assemble(events: list[Event]) -> Sink:
    sink = Sink()
    assemblies = {event[0]: Assembly(event[0], sink, NO_BODIES) for event in events}
    for event in events:
        assemblies[event[0]].add(event)
    for assembly in assemblies.values():
        assembly.finish()
    return sink


@pytest.mark.parametrize("seed", [1, 2])
def test_every_delivery_is_there(seed: int) -> None:
    events = events_of(seed)
    sink = assemble(events)
    first = {event[:2] for event in events if event[5][0] == "transfer" and event[5][1][1] is not None}
    names = [name for name, _ in MESSAGES]
    rows = [dict(zip(names, row, strict=True)) for row in sink.messages]
    assert len(rows) == len(first) > 100
    assert {(row["conn_id"], row["frame_no"]) for row in rows} == first
    # At most one delivery of each session is cut off when a client vanishes.
    assert sum(not row["complete"] for row in rows) <= 5
    assert all(row["address"].startswith("/queue/synthetic-") for row in rows)
    settled = Counter(row["settle"] for row in rows if not row["no_ack"])
    assert set(settled) >= {"ack", "nack", "reject"}
    assert settled["none"] <= 40  # what was under way at the end
    transfers = sum(event[5][0] == "transfer" for event in events)
    assert sum(row["body_frames"] for row in rows) == transfers


def test_requests_have_replies() -> None:
    found = Counter((row[2], row[-1]) for row in assemble(events_of(3)).exchanges)
    assert all(len(row) == len(EXCHANGES) for row in assemble(events_of(3)).exchanges)
    assert found["open", "ok"] == 5
    assert found["attach", "ok"] > 10
    assert not any(outcome == "out-of-order" for _, outcome in found)


@pytest.mark.parametrize("seed", range(4))
def test_damage_is_no_obstacle(seed: int) -> None:
    """Nothing is raised, and bodies that are complete are of messages that there are."""
    sink = assemble(events_of(seed, Damage(skip=200, drop=0.02, flip=0.01)))
    names = [name for name, _ in MESSAGES]
    rows = [dict(zip(names, row, strict=True)) for row in sink.messages]
    assert any(row["complete"] for row in rows)
    assert all((row["body_size"] is not None) == row["complete"] for row in rows)


def test_connections_do_not_matter_to_each_other() -> None:
    events = events_of(4)
    together = assemble(events)
    apart = assemble(sorted(events, key=lambda event: event[0]))
    assert sorted(together.messages, key=repr) == sorted(apart.messages, key=repr)
    assert sorted(together.exchanges, key=repr) == sorted(apart.exchanges, key=repr)
