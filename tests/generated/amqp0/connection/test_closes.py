"""Closes of channels and of the connection: by either side, crossing, with things left open."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ...test_public_names import NAMES_0
from .ends import Ends, events, names, opened

RABBITMQ = "amqp_0_9_1_rabbitmq"


@pytest.mark.parametrize("package", NAMES_0)
def test_a_client_closes_a_channel_and_the_connection(package: str) -> None:
    ends = opened(package)
    channel = ends.open_channel()
    ends.client.close_channel(channel)
    client, server = ends.exchange()
    assert client == [ends.engine.ChannelClosed(channel, None, False)]
    assert (server[0].error.reply_code, server[0].by_peer) == (200, True)
    assert ends.open_channel() == channel
    ends.client.close()
    client, server = ends.exchange()
    assert names(client) == names(server) == ["ChannelClosed", "Closed"]
    assert client[1] == ends.engine.Closed(None, False)
    assert ends.client.is_closed
    assert ends.server.is_closed


def test_a_channel_that_the_peer_closes_says_what_is_left() -> None:
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    ends.client.send(channel, ends.methods.ConfirmSelect(no_wait=True))
    ends.consume(channel)
    ends.deliver(channel, 1)
    ends.deliver(channel, 2)
    numbers = [ends.client.publish(channel, ends.methods.BasicPublish("", "q")) for _ in range(3)]
    ends.exchange()
    request = ends.client.request(channel, ends.methods.QueuePurge("q"))
    ends.client.ack(channel, 1)
    ends.server.close_channel(channel, 404, "NOT_FOUND")
    client, _ = ends.exchange()
    [closed] = client
    assert (closed.error.reply_code, closed.by_peer) == (404, True)
    assert closed.unanswered == (request.number,)
    assert closed.unconfirmed == tuple(numbers) == (1, 2, 3)
    assert closed.unacknowledged == (2,)


def test_what_is_left_of_the_connection() -> None:
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    one = ends.client.request(channel, ends.methods.QueuePurge("q"))
    two = ends.client.update_secret(b"token")
    ends.server.close(320, "CONNECTION_FORCED")
    client, server = ends.exchange()
    assert [client[0].unanswered, client[1].unanswered] == [(one.number,), (two.number,)]
    assert client[1].error.reply_code == 320
    assert server[-1] == ends.engine.Closed(None, False)


def test_closes_of_a_channel_that_cross() -> None:
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    ends.client.close_channel(channel)
    ends.server.close_channel(channel, 406)
    # The server's close comes while ours is under way: it is answered, but the number is not free yet.
    ends.move(ends.server, ends.client)
    assert list(events(ends.client)) == []
    with pytest.raises(ends.engine.LocalError, match="CLOSING"):
        ends.client.request(channel, ends.methods.QueuePurge("q"))
    assert ends.client.open_channel() == channel + 1
    client, server = ends.exchange()
    assert names(client) == ["ChannelClosed", "ChannelOpened"]
    assert (client[0].error, client[0].by_peer) == (None, False)
    assert names(server) == ["ChannelClosed", "ChannelOpened"]
    assert ends.open_channel() == channel


@pytest.mark.parametrize("do_cross", [False, True])
def test_what_a_server_sends_behind_its_close_of_a_channel_is_passed_over(do_cross: bool) -> None:
    """RabbitMQ 3.10 closes the channel of a busy consumer so; what it sends ends when it has our close-ok."""
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    ends.consume(channel)
    deliver = ends.methods.BasicDeliver("c", 1)
    late = ends.amqp.encode_message(channel, deliver, None, b"late", max_frame_size=4096)
    if do_cross:
        ends.client.close_channel(channel)
    ends.server.close_channel(channel, 404)
    ends.client.receive_data(ends.server.data_to_send() + late, ends.now)
    assert names(list(events(ends.client))) == ([] if do_cross else ["ChannelClosed"])
    if do_cross:
        ends.move(ends.client, ends.server)
        assert names(list(events(ends.server))) == ["ChannelClosed"]
        ends.client.receive_data(ends.server.data_to_send() + late, ends.now)
        assert names(list(events(ends.client))) == ["ChannelClosed"]
    assert ends.client.open_channel() == channel
    ends.client.receive_data(late, ends.now)
    assert list(events(ends.client)) == []
    assert names(ends.exchange()[0]) == ["ChannelOpened"]
    ends.client.receive_data(late, ends.now)
    assert ends.exchange()[0][-1].error.reply_code == 503  # the new channel has no such consumer


def test_a_channel_that_was_never_open_is_not_passed_over() -> None:
    ends = opened(RABBITMQ)
    ends.server.close_channel(ends.open_channel(), 404)
    ends.exchange()
    ends.client.receive_data(ends.amqp.encode_frame(2, ends.methods.BasicQosOk()), ends.now)
    assert ends.exchange()[0][-1].error.reply_code == 504


def test_closes_of_the_connection_that_cross() -> None:
    ends = opened(RABBITMQ)
    ends.client.close()
    ends.server.close(320)
    client, server = ends.exchange()
    assert names(client) == names(server) == ["Closed"]
    assert client[0].error is server[0].error is None


def test_what_comes_behind_our_close_of_a_channel_is_passed_over() -> None:
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    ends.consume(channel)
    ends.deliver(channel, 1)
    ends.client.close_channel(channel)
    client, _ = ends.exchange()
    assert names(client) == ["ChannelClosed"]


def test_a_channel_that_is_closed_in_mid_content() -> None:
    ends = opened(RABBITMQ, piece=10)
    channel = ends.open_channel()
    ends.consume(channel)
    ends.deliver(channel, 1, b"x" * 100)
    ends.move(ends.server, ends.client, 60)
    assert list(events(ends.client)) == []
    ends.client.close_channel(channel)
    assert names(ends.exchange()[0]) == ["ChannelClosed"]
    assert ends.open_channel() == channel
    ends.consume(channel)
    ends.deliver(channel, 1, b"next")
    assert [event.message.body for event in ends.exchange()[0]] == [b"next"]


def test_a_command_between_two_events_meets_the_state_after_the_first() -> None:
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    ends.consume(channel)
    ends.deliver(channel, 1)
    ends.server.close_channel(channel, 404)
    ends.move(ends.server, ends.client)
    assert names([ends.client.next_event()]) == ["Delivered"]
    assert ends.client.ack(channel, 1) == (1,)  # the close is not pulled yet
    closed = ends.client.next_event()
    assert (names([closed]), closed.unacknowledged) == (["ChannelClosed"], ())
    with pytest.raises(ends.engine.LocalError, match="there is no channel 1"):
        ends.client.ack(channel, 1)


def test_nothing_after_the_end() -> None:
    ends = opened(RABBITMQ)
    ends.client.close()
    ends.exchange()
    ends.client.receive_data(b"anything", ends.now)
    ends.client.receive_eof(ends.now)
    ends.client.timer(ends.now + 1000)
    assert list(events(ends.client)) == []
    assert ends.client.next_timer() is None
    for command in (ends.client.open_channel, lambda: ends.client.request(0, ends.methods.QueuePurge("q"))):
        with pytest.raises(ends.engine.LocalError, match="CLOSED"):
            command()
    ends.client.close()


def test_a_peer_that_hangs_up_without_a_word() -> None:
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    ends.consume(channel)
    ends.deliver(channel, 1)
    ends.move(ends.server, ends.client)
    ends.client.receive_eof(ends.now)
    found = list(events(ends.client))
    assert names(found) == ["Delivered", "ChannelClosed", "Closed"]  # what had come is handed out first
    assert "hung up in the state OPEN" in str(found[2].error)
    assert (found[1].unacknowledged, found[2].by_peer) == ((1,), True)


def test_a_peer_that_hangs_up_after_our_close() -> None:
    ends = opened(RABBITMQ)
    ends.client.close()
    ends.client.data_to_send()
    ends.client.receive_eof(ends.now)
    assert list(events(ends.client)) == [ends.engine.Closed(None, False)]


def test_a_close_that_is_not_answered() -> None:
    ends = opened(RABBITMQ, close_seconds=3.0, heartbeat=0)
    ends.client.close()
    assert ends.client.next_timer() == ends.now + 3
    ends.client.timer(ends.now + 3)
    [closed] = events(ends.client)
    assert "does not answer our close" in str(closed.error)


def test_octets_that_no_frame_can_hold() -> None:
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    ends.consume(channel)
    ends.deliver(channel, 1)
    ends.client.receive_data(ends.server.data_to_send() + b"\xff" * 20, ends.now)
    client, server = ends.exchange()
    assert names(client) == ["Delivered", "ChannelClosed", "Closed"]
    assert isinstance(client[2].error, ends.amqp.DecodeError)
    assert server[-1].error.reply_code == 501  # it is told why


FAULTS: dict[str, tuple[int, Callable[[Ends], bytes]]] = {
    "a channel that is not open": (504, lambda e: e.amqp.encode_frame(7, e.methods.BasicCancel("c"))),
    "a method of a client": (503, lambda e: e.amqp.encode_frame(1, e.methods.QueueDeclare("q"))),
    "a content of a client": (503, lambda e: e.amqp.encode_message(1, e.methods.BasicPublish())),
    "a second channel.open-ok": (503, lambda e: e.amqp.encode_frame(1, e.methods.ChannelOpenOk())),
    "channel.close-ok out of nowhere": (503, lambda e: e.amqp.encode_frame(1, e.methods.ChannelCloseOk())),
    "connection.start again": (503, lambda e: e.amqp.encode_frame(0, e.methods.ConnectionStart())),
    "connection.close-ok out of nowhere": (
        503,
        lambda e: e.amqp.encode_frame(0, e.methods.ConnectionCloseOk()),
    ),
    "a delivery to nobody": (503, lambda e: e.amqp.encode_message(1, e.methods.BasicDeliver("nobody", 1))),
    "confirms without confirm.select": (503, lambda e: e.amqp.encode_frame(1, e.methods.BasicAck(1))),
    "a content header without a method": (
        505,
        lambda e: e.amqp.encode_frame(1, e.amqp.ContentHeader(e.amqp.BasicProperties(), 1)),
    ),
    "a content on channel 0": (505, lambda e: e.amqp.encode_frame(0, e.amqp.ContentBody(b"x"))),
    "a heartbeat on a channel": (501, lambda e: b"\x08\0\1\0\0\0\0\xce"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_a_server_may_not_send_ends_the_connection(fault: str) -> None:
    code, octets = FAULTS[fault]
    ends = opened(RABBITMQ)
    ends.open_channel()
    ends.client.receive_data(octets(ends), ends.now)
    client, server = ends.exchange()
    assert names(client) == ["ChannelClosed", "Closed"]
    assert client[1].error.reply_code == server[-1].error.reply_code == code
    assert (client[1].by_peer, server[-1].by_peer) == (False, True)


@pytest.mark.parametrize(("package", "kind"), [(RABBITMQ, 9), ("amqp_0_9", 7)])
def test_other_types_of_frames_end_the_connection(package: str, kind: int) -> None:
    ends = opened(package)
    ends.client.receive_data(bytes((kind, 0, 0, 0, 0, 0, 0, 0xCE)), ends.now)
    client, server = ends.exchange()
    assert names(client) == ["Closed"]
    assert server[-1].error.reply_code == 501


def test_a_body_above_the_limit_ends_its_channel_alone() -> None:
    ends = opened(RABBITMQ, max_body_size=10)
    one, two = ends.open_channel(), ends.open_channel()
    for channel in (one, two):
        ends.consume(channel)
    ends.deliver(one, 1, b"x" * 11)
    ends.deliver(two, 1, b"x" * 10)
    client, server = ends.exchange()
    assert sorted(names(client)) == ["ChannelClosed", "Delivered"]
    closed = next(event for event in client if isinstance(event, ends.engine.ChannelClosed))
    assert (closed.channel, closed.error.reply_code, closed.by_peer) == (one, 311, False)
    assert [event.error.reply_code for event in server] == [311]


def test_close_texts_that_cannot_be_written() -> None:
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    for close in (
        lambda: ends.client.close(200, "x" * 256),
        lambda: ends.client.close_channel(channel, 200, "x" * 256),
    ):
        with pytest.raises(ends.amqp.EncodeError):
            close()
    assert ends.client.state is ends.engine.ConnectionState.OPEN
    assert ends.client.channel(channel).state is ends.engine.ChannelState.OPEN


@pytest.mark.parametrize("method", ["ChannelClose", "ConnectionClose"])
def test_a_close_that_cannot_be_read_closes(method: str) -> None:
    ends = opened(RABBITMQ)
    channel = ends.open_channel() if method == "ChannelClose" else 0
    kind: Any = getattr(ends.methods, method)
    payload = kind.KEY.to_bytes(4, "big") + b"\1\xf4\xff"  # a code, and a text that goes on beyond the frame
    ends.client.receive_data(
        b"\1" + channel.to_bytes(2, "big") + len(payload).to_bytes(4, "big") + payload + b"\xce", ends.now
    )
    client = list(events(ends.client))
    assert names(client) == ["ChannelClosed" if channel else "Closed"]
    assert (client[0].by_peer, isinstance(client[0].error, ends.amqp.DecodeError)) == (True, True)


def test_a_channel_for_whose_open_there_is_no_room() -> None:
    ends = opened(RABBITMQ, max_to_send=20)
    assert ends.client.open_channel() == 1
    for _ in range(2):
        with pytest.raises(ends.engine.LocalError, match="the limit is 20"):
            ends.client.open_channel()
    assert ends.exchange()[0] == [ends.engine.ChannelOpened(1)]
    assert ends.open_channel() == 2
    ends.client.close()
    assert [event.channel for event in ends.exchange()[0][:-1]] == [1, 2]


def test_an_open_ok_that_cannot_be_read_opens() -> None:
    ends = opened(RABBITMQ)
    channel = ends.client.open_channel()
    frame = b"\1\0\1\0\0\0\5\0\x14\0\x0b\1\xce"  # one octet of four
    ends.client.receive_data(frame, ends.now)
    assert list(events(ends.client)) == [ends.engine.ChannelOpened(channel)]
    ends.client.close_channel(channel)


def test_a_peer_that_reads_no_answers() -> None:
    ends = opened(RABBITMQ, max_to_send=1000, high_water=1000)
    channel = ends.open_channel()
    octets = ends.amqp.encode_frame(channel, ends.methods.ChannelFlow(active=True))
    for _ in range(10_000 // len(octets)):
        ends.client.receive_data(octets, ends.now)
    found = list(events(ends.client))
    assert names(found)[-2:] == ["ChannelClosed", "Closed"]
    assert found[-1].error.reply_code == 506
    assert ends.client.buffered < 2200
