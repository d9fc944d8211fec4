"""Heartbeats in both directions, with the shortest interval there is."""

from __future__ import annotations

import amqp_0_9_1_rabbitmq as amqp

from .client import Client, Connect, Disconnected

BEAT = amqp.encode_frame(0, amqp.Heartbeat())


def test_who_sends_none_is_cut_off_and_who_does_is_not(connect: Connect) -> None:
    """Nor does the broker send any where none were agreed on; a try in which we were too slow ourselves does not count."""
    assert BEAT == amqp.constants.HEARTBEAT_FRAME
    without = connect(heartbeat=0)
    while True:
        beats, silent = connect(heartbeat=1), connect(heartbeat=1)
        try:
            while is_open(silent):
                beats.send_octets(BEAT)
                beats.pump(0.1)
            assert beats.declare()
            break
        except Disconnected:
            beats.socket.close()
            silent.socket.close()
    assert beats.inbox.heartbeats >= 2
    assert silent.inbox.heartbeats >= 2
    assert beats.inbox.waiting(0) == beats.inbox.waiting(1) == 0
    assert without.declare()
    assert without.inbox.heartbeats == 0


def is_open(client: Client) -> bool:
    try:
        client.pump(0.1)
    except Disconnected:
        client.socket.close()
    return client.socket.fileno() >= 0


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
