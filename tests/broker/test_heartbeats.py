"""Heartbeats in both directions, with the shortest interval there is."""

from __future__ import annotations

import amqp_0_9_1_rabbitmq as amqp
import pytest

from .client import Connect, Disconnected

BEAT = amqp.encode_frame(0, amqp.Heartbeat())


def test_the_broker_sends_them(connect: Connect) -> None:
    client = connect(heartbeat=1)
    client.pump(2.2)
    assert client.inbox.heartbeats >= 2
    assert client.inbox.waiting(0) == client.inbox.waiting(1) == 0


def test_ours_keep_the_connection_open(connect: Connect) -> None:
    client = connect(heartbeat=1)
    assert BEAT == amqp.constants.HEARTBEAT_FRAME
    for _ in range(9):
        client.send_octets(BEAT)
        client.pump(0.4)
    assert client.declare()


def test_without_ours_the_broker_hangs_up(connect: Connect) -> None:
    client = connect(heartbeat=1)
    with pytest.raises(Disconnected):
        for _ in range(80):
            client.pump(0.1)
    assert client.inbox.heartbeats >= 2
    client.socket.close()


def test_a_heartbeat_between_the_frames_of_a_message(connect: Connect) -> None:
    client = connect(heartbeat=60)
    queue = client.declare()
    publish = amqp.methods.BasicPublish(routing_key=queue)
    for frame in (
        publish,
        amqp.ContentHeader(amqp.BasicProperties(), 4),
        amqp.ContentBody(b"ab"),
        amqp.ContentBody(b"cd"),
    ):
        client.send(frame)
        client.send_octets(BEAT)
    assert client.fetch(queue).body == b"abcd"


def test_no_heartbeats_when_none_were_agreed_on(connect: Connect) -> None:
    client = connect(heartbeat=0)
    client.pump(1.2)
    assert client.inbox.heartbeats == 0
