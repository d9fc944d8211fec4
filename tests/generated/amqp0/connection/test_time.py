"""Heartbeats and deadlines: when a heartbeat is sent, and when a peer is given up."""

from __future__ import annotations

import pytest

from .ends import Ends, events, names, opened

RABBITMQ = "amqp_0_9_1_rabbitmq"


def test_heartbeats_are_sent_when_nothing_else_is() -> None:
    ends = opened(RABBITMQ, heartbeat=10)
    start = ends.now
    assert ends.client.next_timer() == start + 5
    ends.client.timer(start + 4.9)
    assert ends.client.buffered == 0
    ends.client.timer(start + 5)
    assert ends.client.data_to_send() == bytes.fromhex("08000000000000ce")
    assert ends.client.next_timer() == start + 10


def test_what_waits_to_be_sent_is_a_sign_of_life_when_it_leaves() -> None:
    ends = opened(RABBITMQ, heartbeat=10)
    start = ends.now
    ends.client.open_channel()
    ends.client.timer(start + 5)
    assert ends.client.buffered == len(
        ends.amqp.encode_frame(1, ends.methods.ChannelOpen())
    )  # and no heartbeat
    ends.client.data_to_send(3)
    assert ends.client.next_timer() == start + 10


def test_a_timer_is_not_due_again_at_once_while_octets_wait() -> None:
    ends = opened(RABBITMQ, heartbeat=10)
    start = ends.now
    ends.client.open_channel()
    for now, due in ((5, 10), (10, 15), (17, 20)):
        ends.client.timer(start + now)
        assert ends.client.next_timer() == start + due  # at last the peer's
    ends.client.timer(start + 20)
    assert ends.client.is_closed


def test_no_seconds_are_no_limit() -> None:
    ends = opened(RABBITMQ, heartbeat=0, handshake_seconds=0, close_seconds=0)
    waiting = ends.amqp.Connection(ends.client.settings)
    waiting.start(1.0)
    ends.client.close()
    for client in (waiting, ends.client):
        assert client.next_timer() is None
        client.timer(1e9)
        assert not client.is_closed


def test_a_peer_without_a_sign_of_life() -> None:
    ends = opened(RABBITMQ, heartbeat=10)
    ends.client.timer(ends.now + 19)
    ends.client.data_to_send()
    assert ends.client.next_event() is None
    ends.client.timer(ends.now + 20)
    [closed] = events(ends.client)
    assert "two heartbeats" in str(closed.error)
    assert ends.client.data_to_send() == b""  # 0-9-1, 4.2.7: without connection.close


def test_any_octet_is_a_sign_of_life() -> None:
    ends = opened(RABBITMQ, heartbeat=10)
    ends.client.receive_data(b"\x08", ends.now + 15)
    ends.client.timer(ends.now + 30)
    assert ends.client.next_event() is None
    ends.client.timer(ends.now + 35)
    assert names(list(events(ends.client))) == ["Closed"]


def test_no_heartbeats() -> None:
    ends = opened(RABBITMQ, heartbeat=0)
    assert ends.client.next_timer() is None
    ends.client.timer(ends.now + 10_000)
    assert ends.client.next_event() is None


def test_a_clock_that_goes_back() -> None:
    ends = opened(RABBITMQ, heartbeat=10)
    ends.client.receive_data(b"\x08", ends.now + 15)
    ends.client.timer(ends.now - 100)
    ends.client.receive_data(b"\0", ends.now - 100)
    ends.client.timer(ends.now + 34)
    assert ends.client.next_event() is None


def test_silence_while_we_close_does_not_hide_why() -> None:
    ends = opened(RABBITMQ, heartbeat=1)
    ends.client.receive_data(ends.amqp.encode_frame(0, ends.methods.ConnectionUpdateSecretOk()), ends.now)
    assert ends.client.next_event() is None
    ends.client.timer(ends.now + 2)
    [closed] = events(ends.client)
    assert closed.error.reply_code == 503


@pytest.mark.parametrize("heartbeat", [0, 10])
def test_what_came_in_time_is_handed_out_before_the_end(heartbeat: int) -> None:
    ends = opened(RABBITMQ, heartbeat=heartbeat)
    channel = ends.open_channel()
    ends.consume(channel)
    ends.deliver(channel, 1)
    ends.move(ends.server, ends.client)
    if not heartbeat:
        ends.client.close()
        ends.move(ends.client, ends.server)
        assert names(list(events(ends.server))) == ["ChannelClosed", "Closed"]
        ends.move(ends.server, ends.client)
    ends.client.timer(ends.now + 1000)
    assert not ends.client.is_closed
    found = list(events(ends.client))
    if heartbeat:
        assert names(found) == ["Delivered", "ChannelClosed", "Closed"]
        assert "two heartbeats" in str(found[-1].error)
    else:
        assert found[-1] == ends.engine.Closed(None, False)  # close-ok had come


def test_a_handshake_that_was_in_time_goes_on() -> None:
    ends = Ends(RABBITMQ)
    ends.start()
    ends.move(ends.client, ends.server)
    assert ends.server.next_event() is None
    for accept in (ends.server.accept_login, ends.server.accept_open):
        ends.move(ends.server, ends.client)
        assert ends.client.next_event() is None
        ends.move(ends.client, ends.server)
        assert len(list(events(ends.server))) == 1
        accept()
    ends.move(ends.server, ends.client)
    ends.client.timer(ends.now + 1000)
    assert names(list(events(ends.client)))[0] == "Opened"
