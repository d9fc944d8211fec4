"""Connections of all versions side by side, and those whose version turns out later."""

from __future__ import annotations

import pickle

import amqp_1_0 as amqp1
from amqp_traffic.decode.body_retention import NO_BODIES
from amqp_traffic.decode.events import PACKAGE
from amqp_traffic.messages.assemblies import Assemblies
from amqp_traffic.messages.output import ConnectionFacts

from .method_script import OLD, OPEN, client, events_of, get_ok, play, publish, server


def test_both_families() -> None:
    opened = amqp1.encode_frame(0, amqp1.performatives.Open(container_id="c", hostname="there"))
    steps = [
        (0, amqp1.PROTOCOL_HEADERS["amqp"]),
        (1, amqp1.PROTOCOL_HEADERS["amqp"]),
        (0, opened),
        (1, opened),
    ]
    new, old = events_of(steps, 0), events_of([*OPEN, *publish()], 1)
    assemblies = Assemblies(bodies=NO_BODIES)
    for event in [event for pair in zip(new, old, strict=False) for event in pair]:
        assemblies.add([event])
    assemblies = pickle.loads(pickle.dumps(assemblies))
    assemblies.add(old[len(new) :])
    assert assemblies.finish(0).vhost == "there"
    assert assemblies.finish(1) == ConnectionFacts()
    messages, exchanges = assemblies.take()
    assert [row[0] for row in messages] == [1]
    assert {(row[0], row[2]) for row in exchanges} == {(0, "open"), (1, "channel.open")}
    assert assemblies.take() == ([], [])


def test_a_connection_of_which_no_frame_came() -> None:
    assert Assemblies(bodies=NO_BODIES).finish(5) == ConnectionFacts()


def test_the_version_turns_out_later() -> None:
    """Its beginning was not captured, and what comes first is the same in all versions, but for a ticket."""
    steps = [
        *publish(package=OLD, ticket=1) * 20,  # so many that it is certain that these are frames
        client("access.request", package=OLD, realm="/data"),
        server("access.request-ok", package=OLD, ticket=1),
        *publish(package=OLD, ticket=1),
        client("basic.get", package=OLD, ticket=1, queue="q"),
        *get_ok(1, package=OLD),
        client("basic.get", package=OLD, ticket=1, queue="p"),
        *get_ok(2, package=OLD),
    ]
    packages = [event[5] for event in events_of(steps, from_start=False) if event[4] == PACKAGE]
    assert packages == ["amqp_0_9_1_rabbitmq", OLD]
    rows = play(steps, from_start=False)
    assert rows.pick("kind", "exchange", "routing_key", "queue_inferred", "complete") == [
        *[("publish", "e", "k", None, True)] * 20,
        ("publish", "e", "k", None, True),
        ("get-ok", "e", "k", "q", True),
        ("get-ok", "e", "k", "p", True),
    ]
