"""What connections of a capture speak, found without reading it: by their protocol headers.

Whoever reads on in the middle of a connection has to know which package decodes it. This looks for the octets of
protocol headers in the whole file, at the speed of memory, and looks at what is around each. What it tells is a guess, but
one that ``stitching`` checks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .capture_file import Buffer
from .connection import flow_key, reverse
from .conversation import Conversation
from .protocol import Protocol
from .quarantine import Quarantine
from .stream import Direction, Piece

_HEADER = re.compile(rb"AMQP[\x00-\x03][\x00\x01]")
_START = re.compile(rb"\x00\x0a\x00\x0a[\x00\x08]")
_START_AT = 7  # after the head of its frame
_HEADER_SIZE = 8
_LOOK = 1 << 16  # so far after a header connection.start is looked for
_TCP_SIZES = (32, 20, *range(24, 61, 4))
_TCP = 6


@dataclass(frozen=True, slots=True)
class Known:
    """What is said to be spoken on a connection.

    Attributes:
        client: The flow from the client.
        protocol: What is spoken.
        product: What the server calls itself; empty if that was not found.
    """

    client: bytes
    protocol: Protocol
    product: str


def survey(buffer: Buffer) -> dict[bytes, Known]:
    """What connections speak whose beginning is in a file, by ``flow_key``; of several the last.

    Args:
        buffer: The file, uncompressed.
    """
    found: dict[bytes, Known] = {}
    for match in _HEADER.finditer(buffer):
        position = match.start()
        for flow, end in _payloads(buffer, position):
            key = flow_key(flow)
            before = found.get(key)
            if end - position < _HEADER_SIZE or (before is not None and before.client == reverse(flow)):
                continue  # it goes on in another packet, or is the answer of the server
            found[key] = _know(buffer, flow, position, end)
    return found


def _payloads(buffer: Buffer, position: int) -> Iterator[tuple[bytes, int]]:
    """The flow of a TCP segment whose data begins here, and where it ends; nothing if none does."""
    for size in _TCP_SIZES:
        tcp = position - size
        if tcp < 40 or buffer[tcp + 12] >> 4 != size >> 2:
            continue
        if buffer[tcp - 20] == 0x45 and buffer[tcp - 11] == _TCP:
            end = tcp - 20 + int.from_bytes(buffer[tcp - 18 : tcp - 16], "big")
            flow = buffer[tcp - 8 : tcp + 4]
        elif buffer[tcp - 40] >> 4 == 6 and buffer[tcp - 34] == _TCP:
            end = tcp + int.from_bytes(buffer[tcp - 36 : tcp - 34], "big")
            flow = buffer[tcp - 32 : tcp + 4]
        else:
            continue
        if position < end <= len(buffer):
            yield flow, end
            return


def _know(buffer: Buffer, client: bytes, position: int, end: int) -> Known:
    """What a conversation learns from the header and the first packet of the server."""
    conversation = Conversation(0, lambda *_: None, Quarantine(), from_start=True)
    head = buffer[position : position + _HEADER_SIZE]
    conversation.feed(Direction.client_to_server, Piece(head, 0, 0, 1, 0, 0))
    server = reverse(client)
    for match in _START.finditer(buffer, end, min(end + _LOOK, len(buffer))):
        begin = match.start() - _START_AT
        for flow, until in _payloads(buffer, begin):
            if flow == server:
                piece = Piece(buffer[begin:until], 0, 0, 1, 0, 0)
                conversation.feed(Direction.server_to_client, piece)
                return _known(client, conversation)
    return _known(client, conversation)


def _known(client: bytes, conversation: Conversation) -> Known:
    assert conversation.protocol is not None  # there was a header
    return Known(client, conversation.protocol, conversation.product)
