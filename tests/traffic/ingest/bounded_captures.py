"""Captures that go beyond the bounds of memory: of connections that are followed at once, and of what one of them holds."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice
from struct import pack

import amqp_0_9_1_rabbitmq as amqp0
import amqp_1_0 as amqp1
from amqp_traffic.capture.flow_buckets import bucket_of

from ..capture_builder import CLIENT, SERVER, Conversation, captured, pcap

CHANNELS = 7_000  # each counts sixteen times
OF_A_BUCKET = 40


def clients_of_a_bucket(server: tuple[str, int] = SERVER) -> Iterator[tuple[str, int]]:
    """Clients whose connections to a server are in one bucket of flows."""
    wanted = None
    for number in count(1):
        address, port = bytes((10, 1, number >> 8 & 0xFF, number & 0xFF)), 30_000 + number % 20_000
        bucket = bucket_of(address + bytes(map(int, server[0].split("."))) + pack(">HH", port, server[1]))
        wanted = bucket if wanted is None else wanted
        if bucket == wanted:
            yield ".".join(map(str, address)), port


def crowd(first_ends: bool = False, again: bool = True) -> bytes:
    """``OF_A_BUCKET`` connections of a bucket that begin and do not end; the first one may, and may speak again at the end."""
    talks = [Conversation(client) for client in islice(clients_of_a_bucket(), OF_A_BUCKET)]
    packets = []
    for talk in talks:
        talk.open().send(0, amqp0.PROTOCOL_HEADER)
        if first_ends and talk is talks[0]:
            talk.close()
        packets += talk.packets
        talk.packets.clear()
        if not first_ends and talk is not talks[0]:
            # The second one is never silent for long.
            packets += talks[1].send(0, amqp0.encode_frame(0, amqp0.Heartbeat())).packets
            talks[1].packets.clear()
    if again:
        packets += talks[0].send(0, amqp0.encode_frame(0, amqp0.Heartbeat())).packets
    return pcap(captured(packets))


def many_channels() -> bytes:
    """A connection of 0-9-1 that holds messages, requests and channels until it forgets them, and then goes on."""
    methods = amqp0.methods
    publish = amqp0.encode_message(
        1,
        methods.BasicPublish(routing_key="q"),
        amqp0.content.BasicProperties(message_id="m"),
        b"body",
        max_frame_size=4096,
    )
    deliver = methods.BasicDeliver(consumer_tag="c", delivery_tag=1, routing_key="q")
    delivered = amqp0.encode_message(
        2, deliver, amqp0.content.BasicProperties(), b"body", max_frame_size=4096
    )
    talk = Conversation(CLIENT).open()
    talk.send(0, amqp0.PROTOCOL_HEADER + amqp0.encode_frame(1, methods.ChannelOpen()))
    talk.send(1, amqp0.encode_frame(1, methods.ChannelOpenOk()))
    talk.send(0, amqp0.encode_frame(1, methods.ConfirmSelect()))
    talk.send(1, amqp0.encode_frame(1, methods.ConfirmSelectOk()) + delivered)
    talk.send(0, publish * 3 + amqp0.encode_frame(1, methods.QueueDeclare(queue="q")))
    opens = (amqp0.encode_frame(channel, methods.ChannelOpen()) for channel in range(3, CHANNELS))
    talk.send(0, b"".join(opens), size=1400)
    # What was forgotten is settled, and another message that was not.
    talk.send(1, amqp0.encode_frame(1, methods.BasicAck(delivery_tag=3, multiple=True)))
    talk.send(1, amqp0.encode_frame(1, methods.QueueDeclareOk(queue="q")))
    talk.send(0, amqp0.encode_frame(2, methods.BasicAck(delivery_tag=1)))
    talk.send(1, delivered).send(0, amqp0.encode_frame(2, methods.BasicAck(delivery_tag=1)))
    return pcap(captured(talk.close().packets))


def many_sessions() -> bytes:
    """The same for 1.0."""
    p = amqp1.performatives
    begin = p.Begin(next_outgoing_id=0, incoming_window=9, outgoing_window=9)
    attach = p.Attach("out", 0, p.Role.SENDER, initial_delivery_count=0)
    message = amqp1.Message(body=amqp1.messaging.Data(b"body")).encode()
    transfers = [p.Transfer(0, delivery_id=number, delivery_tag=b"t") for number in range(3)]
    talk = Conversation(CLIENT).open()
    talk.send(0, amqp1.PROTOCOL_HEADERS["amqp"] + amqp1.encode_frame(0, p.Open("c")))
    talk.send(1, amqp1.PROTOCOL_HEADERS["amqp"] + amqp1.encode_frame(0, p.Open("s")))
    talk.send(0, amqp1.encode_frame(0, begin) + amqp1.encode_frame(0, attach))
    talk.send(0, b"".join(amqp1.encode_frame(0, transfer, message) for transfer in transfers))
    talk.send(1, amqp1.encode_frame(0, p.Disposition(p.Role.RECEIVER, 0, state=amqp1.messaging.Accepted())))
    begins = (amqp1.encode_frame(channel, begin) for channel in range(1, CHANNELS))
    talk.send(0, b"".join(begins), size=1400)
    settled = p.Disposition(p.Role.RECEIVER, 0, 9, settled=True, state=amqp1.messaging.Released())
    talk.send(1, amqp1.encode_frame(0, settled))
    talk.send(0, amqp1.encode_frame(0, p.Transfer(0, delivery_id=9, delivery_tag=b"t"), message))
    talk.send(1, amqp1.encode_frame(0, settled))
    return pcap(captured(talk.close().packets))
