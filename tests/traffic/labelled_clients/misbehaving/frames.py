"""Clients whose frames are not what frames are to be."""

from __future__ import annotations

import struct

import amqp_0_9_1_rabbitmq as amqp

from ..actor import BODY, FRAME_END, HEADER, HEARTBEAT, METHOD, Actor, frame, method

methods = amqp.methods
TX_SELECT = b"\x00\x5a\x00\x0a"


def _sends(client: Actor, octets: bytes) -> None:
    """Send octets on a connection that is ready, then something harmless."""
    client.ready().send_octets(octets)
    client.declare()


def frame_end_wrong(client: Actor) -> None:
    """The octet behind a payload is not 206."""
    _sends(client, frame(METHOD, TX_SELECT, end=b"\xcd"))


def frame_type_unknown(client: Actor) -> None:
    """A frame of type 7."""
    _sends(client, frame(7, b""))


def frame_type_of_the_text(client: Actor) -> None:
    """A heartbeat of type 4, as one of the pages of the specification has it."""
    _sends(client, frame(4, b"", channel=0))


def frame_beyond_frame_max(client: Actor) -> None:
    """A body frame that is one octet too large."""
    client.ready(frame_max=4096)
    queue = client.declare()
    body = bytes(4096 - 8 + 1)
    octets = amqp.encode_message(
        1, methods.BasicPublish(routing_key=queue), None, body, max_frame_size=1 << 17
    )
    client.send_octets(octets)
    client.declare()


def method_beyond_frame_max(client: Actor) -> None:
    """A method that is larger than the frames that were agreed on."""
    client.ready(frame_max=4096)
    client.call(methods.QueueDeclare(client.name(), exclusive=True, arguments={"x-text": "x" * 5000}))


def frame_with_half_its_payload(client: Actor) -> None:
    """Leaves in the middle of a frame."""
    client.ready().send_octets(struct.pack(">BHI", METHOD, 1, 100) + TX_SELECT)
    client.socket.close()


def method_without_ids(client: Actor) -> None:
    """A method frame with three octets."""
    _sends(client, frame(METHOD, b"\x00\x5a\x00"))


def method_frame_that_is_empty(client: Actor) -> None:
    """A method frame without any octet."""
    _sends(client, frame(METHOD, b""))


def header_frame_cut_short(client: Actor) -> None:
    """A content header of ten octets, which ends within the body size."""
    client.ready().send(methods.BasicPublish(routing_key="nowhere"))
    client.send_octets(frame(HEADER, bytes.fromhex("003c 0000 00000000 0000")))
    client.declare()


def heartbeat_on_channel_1(client: Actor) -> None:
    """Heartbeats are of channel 0."""
    _sends(client, frame(HEARTBEAT, b"", channel=1))


def heartbeat_with_payload(client: Actor) -> None:
    """Heartbeats have no payload."""
    _sends(client, frame(HEARTBEAT, b"alive", channel=0))


def heartbeat_before_tune(client: Actor) -> None:
    """A heartbeat is sent before anything was agreed on."""
    client.started().send_octets(frame(HEARTBEAT, b"", channel=0))
    client.send(client.start_ok(), channel=0)
    client.expect(methods.ConnectionTune, channel=0)
    client.send(methods.ConnectionTuneOk(2047, 131072, 60), channel=0)
    client.opened()


def arguments_cut_off(client: Actor) -> None:
    """basic.qos without the octet with its bit."""
    _sends(client, method((60, 10), bytes(6)))


def arguments_left_over(client: Actor) -> None:
    """channel.close-ok would have no arguments; this channel.open has one octet too many."""
    client.ready().send_octets(method((20, 10), b"\x00\xff", channel=2))
    client.declare()


def class_unknown(client: Actor) -> None:
    """A method of class 200."""
    _sends(client, method((200, 10)))


def method_unknown(client: Actor) -> None:
    """Method 250 of the class basic."""
    _sends(client, method((60, 250)))


def reserved_bits_set(client: Actor) -> None:
    """The seven bits of basic.ack's last octet that mean nothing are set, and one of their queue.declare."""
    queue = client.ready().name()
    name = bytes([len(queue)]) + queue.encode()
    # Bits of queue.declare: passive, durable, exclusive, auto-delete, no-wait.
    client.send_octets(method((50, 10), b"\x00\x00" + name + b"\xe4" + bytes(4)))
    client.expect(methods.QueueDeclareOk)


def reserved_short_set(client: Actor) -> None:
    """The reserved short of queue.declare, once an access ticket, is 1."""
    client.ready().send_octets(method((50, 10), b"\x00\x01\x00\x04" + bytes(4)))
    client.expect(methods.QueueDeclareOk)


def reserved_shortstr_set(client: Actor) -> None:
    """The reserved shortstr of channel.open, once out-of-band, is not empty."""
    client.handshake().send_octets(method((20, 10), b"\x03oob"))
    client.expect(methods.ChannelOpenOk)


def connection_method_on_channel_1(client: Actor) -> None:
    """connection.close is sent on channel 1."""
    client.ready().send(methods.ConnectionClose(200, "bye"))
    client.next()


def queue_method_on_channel_0(client: Actor) -> None:
    """queue.declare is sent on channel 0."""
    client.ready().send(methods.QueueDeclare(exclusive=True), channel=0)
    client.next(channel=0)


def body_frame_on_channel_0(client: Actor) -> None:
    """A content body on channel 0."""
    client.ready().send_octets(frame(BODY, b"lost", channel=0))
    client.next(channel=0)


def garbage_after_a_while(client: Actor) -> None:
    """Octets that are no frame at all follow good ones."""
    client.ready().declare()
    client.send_octets(b"GET / HTTP/1.1\r\n\r\n" + FRAME_END)
    client.next()
