"""Contents: how they are cut and put together, what comes back, and when they may be sent."""

from __future__ import annotations

from typing import Any

import pytest

from ...test_public_names import NAMES_0
from .ends import events, names, opened

RABBITMQ = "amqp_0_9_1_rabbitmq"


def test_a_message_that_comes_back() -> None:
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    ends.server.publish(channel, ends.methods.BasicReturn(312, "NO_ROUTE", "", "q"), None, b"lost")
    [returned] = ends.exchange()[0]
    assert (returned.message.method.reply_code, returned.message.body) == (312, b"lost")


@pytest.mark.parametrize("package", NAMES_0)
def test_flow(package: str) -> None:
    ends = opened(package)
    channel = ends.open_channel()
    ends.server.request(channel, ends.methods.ChannelFlow(active=False))
    client, server = ends.exchange()
    assert client == [ends.engine.FlowChanged(channel, False)]
    assert server[0].method == ends.methods.ChannelFlowOk(active=False)
    assert not ends.client.channel(channel).can_publish
    with pytest.raises(ends.engine.LocalError, match="takes no contents"):
        ends.client.publish(channel, ends.methods.BasicPublish())
    ends.server.request(channel, ends.methods.ChannelFlow(active=True))
    ends.exchange()
    assert ends.client.channel(channel).can_publish


def test_blocked() -> None:
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    ends.server.send(0, ends.methods.ConnectionBlocked("low on memory"))
    assert ends.exchange()[0] == [ends.engine.Blocked("low on memory")]
    assert (ends.client.blocked, ends.client.channel(channel).can_publish) == ("low on memory", False)
    ends.server.send(0, ends.methods.ConnectionUnblocked())
    assert ends.exchange()[0] == [ends.engine.Unblocked()]
    assert (ends.client.blocked, ends.client.channel(channel).can_publish) == (None, True)


def test_high_water_and_the_most_that_waits() -> None:
    ends = opened(RABBITMQ, high_water=1000, max_to_send=5000)
    channel = ends.open_channel()
    method = ends.methods.BasicPublish("", "q")
    while ends.client.channel(channel).can_publish:
        ends.client.publish(channel, method, None, b"x" * 100)
    assert 1000 <= ends.client.buffered < 1300
    with pytest.raises(ends.engine.LocalError, match="octets wait to be sent, the limit is 5000"):
        ends.client.publish(channel, method, None, b"x" * 5000)
    before = ends.client.buffered
    assert ends.move(ends.client, ends.server, 400) == 400
    assert ends.client.buffered == before - 400
    ends.exchange()
    assert ends.client.channel(channel).can_publish


def test_more_octets_than_anybody_pulls() -> None:
    ends = opened(RABBITMQ, max_received=100)
    with pytest.raises(ends.engine.LocalError, match="pull events first"):
        ends.client.receive_data(b"\0" * 101, ends.now)


def test_contents_of_channels_side_by_side() -> None:
    ends = opened(RABBITMQ, server_max_frame_size=4096)
    one, two = ends.open_channel(), ends.open_channel()
    whole: dict[int, bytes] = {}
    for channel in (one, two):
        ends.consume(channel)
        ends.deliver(channel, 1, bytes((channel,)) * 9000)
        whole[channel] = ends.server.data_to_send()
    frames = {channel: frames_of(octets) for channel, octets in whole.items()}
    for pair in zip(frames[one], frames[two], strict=True):
        for octets in pair:
            ends.client.receive_data(octets, ends.now)
    assert [event.message.body for event in events(ends.client)] == [b"\1" * 9000, b"\2" * 9000]


def frames_of(octets: bytes) -> list[bytes]:
    found, start = [], 0
    while start < len(octets):
        stop = start + 8 + int.from_bytes(octets[start + 3 : start + 7], "big")
        found.append(octets[start:stop])
        start = stop
    return found


def test_a_body_goes_into_frames_as_agreed() -> None:
    ends = opened(RABBITMQ, max_frame_size=4096)
    channel = ends.open_channel()
    ends.client.publish(channel, ends.methods.BasicPublish(), None, b"x" * 10_000)
    frames = frames_of(ends.client.data_to_send())
    assert max(map(len, frames)) == 4096


def test_properties_that_cannot_be_read_cost_nothing_else() -> None:
    ends = opened(RABBITMQ)
    channel = ends.open_channel()
    ends.consume(channel)
    header = (
        b"\0\x3c\0\0" + (1).to_bytes(8, "big") + b"\x80\0\xff"
    )  # a content type of 255 octets that are not there
    frames = [
        (1, ends.methods.BasicDeliver("c", 1).encode()),
        (2, header),
        (3, b"x"),
    ]
    for kind, payload in frames:
        octets = (
            bytes((kind,)) + channel.to_bytes(2, "big") + len(payload).to_bytes(4, "big") + payload + b"\xce"
        )
        ends.client.receive_data(octets, ends.now)
    [delivered] = events(ends.client)
    assert delivered.message.body == b"x"
    with pytest.raises(ends.amqp.DecodeError):
        _ = delivered.message.properties
    assert ends.client.reject(channel, 1, requeue=False) == (1,)


def test_other_classes_of_content() -> None:
    ends = opened("amqp_0_9")
    channel = ends.open_channel()
    methods: Any = ends.methods
    ends.client.publish(channel, methods.TunnelRequest(), None, b"through")
    [published] = ends.exchange()[1]
    assert (published.message.method.NAME, published.message.body) == ("tunnel.request", b"through")


@pytest.mark.parametrize("package", ["amqp_0_8", "amqp_0_9", "amqp_0_8_rabbitmq"])
def test_files_are_delivered_and_acknowledged_by_plain_methods(package: str) -> None:
    ends = opened(package)
    channel = ends.open_channel()
    deliver = ends.methods.FileDeliver(consumer_tag="c", delivery_tag=1)
    ends.server.send(channel, deliver)
    assert ends.exchange()[0] == [ends.engine.Received(channel, deliver)]
    ends.client.send(channel, ends.methods.FileAck(1))
    assert ends.exchange()[1] == [ends.engine.Received(channel, ends.methods.FileAck(1))]


def test_unfinished_bodies_of_all_channels_together() -> None:
    ends = opened(RABBITMQ, max_unfinished=1000)
    channels = [ends.open_channel() for _ in range(3)]
    frames = {}
    for channel in channels:
        ends.consume(channel)
        frames[channel] = frames_of(
            ends.amqp.encode_message(
                channel, ends.methods.BasicDeliver("c", 1), None, b"x" * 900, max_frame_size=308
            )
        )
    one, two, three = channels
    for octets in frames[one]:  # a whole one counts no more
        ends.client.receive_data(octets, ends.now)
    assert names(list(events(ends.client))) == ["Delivered"]
    for channel in (two, three):
        for octets in frames[channel][:3]:
            ends.client.receive_data(octets, ends.now)
    assert ends.client.next_event() is None
    ends.client.receive_data(frames[two][3], ends.now)
    assert names(list(events(ends.client))) == []
    ends.client.receive_data(frames[three][3], ends.now)
    client, server = ends.exchange()
    assert client[-1].error.reply_code == server[-1].error.reply_code == 506


def test_a_closed_channel_has_no_unfinished_body() -> None:
    ends = opened(RABBITMQ, max_unfinished=1000)
    for _ in range(5):
        channel = ends.open_channel()
        ends.consume(channel)
        deliver = ends.methods.BasicDeliver("c", 1)
        octets = ends.amqp.encode_message(channel, deliver, None, b"x" * 900, max_frame_size=508)
        ends.client.receive_data(b"".join(frames_of(octets)[:3]), ends.now)
        assert ends.client.next_event() is None
        ends.server.close_channel(channel)
        ends.exchange()
    assert not ends.client.is_closed
