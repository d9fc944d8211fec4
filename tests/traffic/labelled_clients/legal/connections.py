"""Clients that are odd, and within the rules: connections and channels."""

from __future__ import annotations

import time
from typing import Any

import amqp_0_9_1_rabbitmq as amqp

from ..actor import BODY, HEARTBEAT, Actor, frame

methods = amqp.methods
A_HEARTBEAT = frame(HEARTBEAT, b"", channel=0)


# --- Connections ---


def one_octet_at_a_time(client: Actor) -> None:
    """Each octet of the login and of a message is written on its own."""
    client.send_octets = _by_octets(client.send_octets)  # type: ignore[method-assign]
    client.ready().publish(client.declare(), b"slowly")


def _by_octets(send: Any) -> Any:
    def send_one_by_one(data: bytes) -> None:
        for octet in data:
            send(bytes([octet]))

    return send_one_by_one


def everything_in_one_segment(client: Actor) -> None:
    """What can be said without an answer is said in one segment: declaring, a hundred messages, getting, closing."""
    queue = client.ready().name()
    octets = amqp.encode_frame(1, methods.QueueDeclare(queue, exclusive=True, no_wait=True))
    for _ in range(100):
        octets += amqp.encode_message(
            1, methods.BasicPublish(routing_key=queue), None, b"x", max_frame_size=client.frame_max
        )
    client.send_octets(octets + amqp.encode_frame(1, methods.BasicGet(queue, no_ack=True)))
    client.expect(methods.BasicGetOk, methods.BasicGetEmpty)


def tunes_down(client: Actor) -> None:
    """Wants less than the server offers: small frames, few channels, slow heartbeats."""
    client.tuned(frame_max=4096, channel_max=2, heartbeat=30).opened()
    client.frame_max = 4096
    client.open_channel(1).open_channel(2)
    client.publish(client.declare(), bytes(10_000))


def logs_in_with_amqplain(client: Actor) -> None:
    """Uses the mechanism AMQPLAIN."""
    start_ok = client.started().start_ok()
    login = {"LOGIN": client.address.user, "PASSWORD": client.address.password}
    start_ok.mechanism, start_ok.response = "AMQPLAIN", amqp.encode_table(login)[4:]
    client.send(start_ok, channel=0)
    client.expect(methods.ConnectionTune, channel=0)
    client.send(methods.ConnectionTuneOk(2047, 131072, 60), channel=0)
    client.opened()


def many_heartbeats(client: Actor) -> None:
    """A heartbeat of one second was agreed on; there are hundreds, even between the frames of a message."""
    client.ready(heartbeat=1)
    queue = client.declare()
    client.send_octets(A_HEARTBEAT * 300)
    octets = amqp.encode_message(
        1, methods.BasicPublish(routing_key=queue), None, b"1234", max_frame_size=4096
    )
    end = octets.index(b"\xce") + 1
    client.send_octets(octets[:end] + A_HEARTBEAT + octets[end:] + A_HEARTBEAT)
    assert client.get(queue) is not None


def only_heartbeats(client: Actor) -> None:
    """Nothing else is said for a while, in both directions."""
    client.handshake(heartbeat=1)
    for _ in range(4):
        time.sleep(0.5)
        client.send_octets(A_HEARTBEAT)
    client.pump(0.1)


def closes_with_a_code_of_its_own(client: Actor) -> None:
    """connection.close with a code and a text that are the client's, and a channel that is open."""
    client.ready().send(methods.ConnectionClose(320, "operator's will \N{SNOWMAN}"), channel=0)
    client.expect(methods.ConnectionCloseOk, channel=0)
    client.socket.close()


def closed_while_deliveries_come(client: Actor) -> None:
    """Closes the connection with deliveries on their way, of which none is settled."""
    queue = client.ready().declare()
    for _ in range(20):
        client.publish(queue, b"x" * 100)
    client.call(methods.BasicQos(prefetch_count=20))
    client.send(methods.BasicConsume(queue, "tag", no_wait=True))


def closes_in_the_middle_of_confirms(client: Actor) -> None:
    """Closes the channel before the last confirms came, and opens it again."""
    client.ready().call(methods.ConfirmSelect())
    for _ in range(10):
        client.publish("nowhere", b"x")
    client.send(methods.ChannelClose(200, "enough"))
    while not isinstance(client.next(), methods.ChannelCloseOk):
        pass
    client.open_channel().declare()


# --- Channels ---


def many_channels(client: Actor) -> None:
    """Sixty channels are opened at once, used, and closed at once."""
    client.handshake()
    numbers = range(1, 61)
    for number in numbers:
        client.send(methods.ChannelOpen(), channel=number)
    for number in numbers:
        client.expect(methods.ChannelOpenOk, channel=number)
        client.publish("nowhere", b"x", channel=number)
    for number in numbers:
        client.send(methods.ChannelClose(200, "done"), channel=number)
    for number in numbers:
        client.expect(methods.ChannelCloseOk, channel=number)


def channels_of_any_number(client: Actor) -> None:
    """Channels 2047, 1 and 1000, in that order."""
    client.handshake()
    for number in (2047, 1, 1000):
        client.open_channel(number).publish("nowhere", b"x", channel=number)


def channel_opened_again(client: Actor) -> None:
    """One number is used for three channels, one after the other."""
    client.handshake()
    for _ in range(3):
        queue = client.open_channel().declare()
        client.publish(queue, b"x")
        assert client.get(queue, no_ack=False) is not None
        client.send(methods.BasicAck(1))
        client.call(methods.ChannelClose(200, "done"))


def channel_flow_on(client: Actor) -> None:
    """channel.flow with active on, which nobody has switched off."""
    assert client.ready().call(methods.ChannelFlow(active=True)).active


def contents_of_channels_mixed(client: Actor) -> None:
    """The frames of messages of three channels alternate."""
    client.ready().open_channel(2).open_channel(3)
    queue = client.declare()
    publish, header = methods.BasicPublish(routing_key=queue), amqp.ContentHeader(amqp.BasicProperties(), 3)
    for part in (publish, header):
        client.send_octets(b"".join(amqp.encode_frame(number, part) for number in (1, 2, 3)))
    for octet in b"abc":
        client.send_octets(b"".join(frame(BODY, bytes([octet]), number) for number in (3, 1, 2)))
    client.expect_count(queue, 3)
