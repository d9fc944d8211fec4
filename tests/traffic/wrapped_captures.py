"""Captures of which the connections are wrapped: each piece of a stream, in a packet of its own, goes through a wrapping."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from amqp_traffic.capture.formats import recognise_capture
from amqp_traffic.capture.segments import read_segments
from amqp_traffic.capture.stream_data import Direction, StreamPiece
from amqp_traffic.streams.connection import CapturedConnection
from amqp_traffic.streams.connections import ConnectionTracker

from .capture_builder import Conversation, Tcp, captured, pcap

# Makes of direction and octets what is sent instead, as (direction, octets).
Wrap = Callable[[Direction, bytes], list[tuple[Direction, bytes]]]

CLIENT, SERVER = Direction


def plain(direction: Direction, data: bytes) -> list[tuple[Direction, bytes]]:
    return [(direction, data)]


def wrapped(capture: bytes, make_wrap: Callable[[], Wrap], size: int = 1400) -> bytes:
    """A capture like that one, whose connections are wrapped; segments have at most so many octets."""
    conversations: dict[int, tuple[Conversation, Wrap]] = {}
    order: list[Tcp] = []

    def take(connection: CapturedConnection, direction: Direction, pieces: Sequence[StreamPiece]) -> None:
        if connection.number not in conversations:
            conversations[connection.number] = (
                Conversation(connection.client, connection.server).open(),
                make_wrap(),
            )
            order.extend(conversations[connection.number][0].packets)
        conversation, wrap = conversations[connection.number]
        for piece in pieces:
            before = len(conversation.packets)
            for side, octets in wrap(direction, piece.data):
                conversation.send(side, octets, size, ack=False)
            order.extend(conversation.packets[before:])

    tracker = ConnectionTracker(take)
    tracker.read(read_segments(recognise_capture(capture)))
    tracker.flush()
    return pcap(captured(order))


def websocket(seed: int = 1, request: bytes = b"", most: int = 1 << 20) -> Wrap:
    """WebSocket as client and server write it; messages of at most so many octets, with pings between them."""
    chance = Random(seed)
    is_open = False
    request = request or (
        b"GET /ws HTTP/1.1\r\nHost: broker\r\nUpgrade: WebSocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: amqp\r\n\r\n"
    )
    answer = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"

    def frame(direction: Direction, operation: int, payload: bytes) -> bytes:
        key = chance.randbytes(4) if direction is CLIENT else b""
        mask = 0x80 if key else 0
        size = len(payload)
        if size < 126:
            head = bytes([operation, mask | size])
        elif size < 1 << 16:
            head = bytes([operation, mask | 126]) + size.to_bytes(2, "big")
        else:
            head = bytes([operation, mask | 127]) + size.to_bytes(8, "big")
        if key:
            payload = bytes(octet ^ key[at % 4] for at, octet in enumerate(payload))
        return head + key + payload

    def wrap(direction: Direction, data: bytes) -> list[tuple[Direction, bytes]]:
        nonlocal is_open
        before = [] if is_open else [(CLIENT, request), (SERVER, answer)]
        is_open = True
        octets = b"".join(
            frame(
                direction, 0x82 if at + most >= len(data) else 0x02 if at == 0 else 0x00, data[at : at + most]
            )
            for at in range(0, len(data), most)
        )
        if chance.random() < 0.1:
            octets += frame(direction, 0x89, b"ping")
        return [*before, (direction, octets)]

    return wrap


def proxied(header: bytes) -> Wrap:
    """What the client sends begins with a header of the PROXY protocol."""
    left = header

    def wrap(direction: Direction, data: bytes) -> list[tuple[Direction, bytes]]:
        nonlocal left
        before, left = left, b""
        return [(CLIENT, before), (direction, data)] if before else [(direction, data)]

    return wrap


def within(outer: Wrap, inner: Wrap) -> Wrap:
    """The inner wrapping in the outer one."""
    return lambda direction, data: [pair for made in inner(direction, data) for pair in outer(*made)]
