"""What connections of a capture speak, found without reading it: by their protocol headers.

Whoever reads on in the middle of a connection has to know which package decodes it. This looks for the octets of
protocol headers in the whole file, at the speed of memory, and looks at what is around each. What it tells is a guess, but
one that ``stitching`` checks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..capture.files import Buffer
from ..capture.quarantine import Quarantine
from ..capture.stream_data import Direction, StreamPiece
from ..frames.amqp0 import frame_format
from ..frames.conversation import Conversation
from ..frames.protocol import Protocol
from ..streams.connection import flow_key, reverse

_LETTERS = re.compile(b"AMQP")
_TCP_SIZES = (32, 20, *range(24, 61, 4))
_TCP = 6
_LOOK = 1 << 20  # so far after a header more packets of the connection are looked for
# A header may come so long after the beginning of a split that is read without it.
SHORTLY = 1 << 20
_PACKETS = 8  # and so many of each direction


@dataclass(frozen=True, slots=True)
class Known:
    """What is said to be spoken on a connection.

    Attributes:
        client: The flow from the client.
        protocol: What is spoken.
        product: What the server calls itself; empty if that was not found.
        position: Where in the file its header is.
    """

    client: bytes
    protocol: Protocol
    product: str
    position: int


class _Packet(NamedTuple):
    """A TCP segment of a connection: where its addresses are, and its data."""

    flow: bytes
    at: int
    data: int
    end: int


def survey(buffer: Buffer, start: int = 0, end: int | None = None) -> list[Known]:
    """What connections speak whose beginning is in a file, in the order of the file.

    Args:
        buffer: The file, uncompressed.
        start: Where to begin, for those who look through a file in parts.
        end: Where to end; None for the end of the file.
    """
    found: dict[bytes, list[Known]] = {}
    for match in _LETTERS.finditer(buffer, start, len(buffer) if end is None else end):
        packet = _packet_before(buffer, match.start())
        if packet is None:
            continue
        before = found.setdefault(flow_key(packet.flow), [])
        if not before or before[-1].client == packet.flow:  # else it is the answer of the server
            before += _know(buffer, packet)
    return sorted((it for each in found.values() for it in each), key=lambda it: it.position)


def known_before(surveys: Sequence[Sequence[Known]], file: int, start: int) -> dict[bytes, Known]:
    """What was spoken on connections that began before a split, by ``flow_key``.

    Of some the header comes shortly after the beginning of the split.

    Args:
        surveys: Of the files of a capture, in order.
        file: The file of the split, from 0.
        start: Where it begins.
    """
    found = {flow_key(it.client): it for each in surveys[:file] for it in each}
    found |= {flow_key(it.client): it for it in surveys[file] if it.position < start}
    for it in surveys[file]:
        if start <= it.position < start + SHORTLY:
            found.setdefault(flow_key(it.client), it)
    return found


def _packet_before(buffer: Buffer, data: int) -> _Packet | None:
    """The packet whose data begins here, if one does."""
    for size in _TCP_SIZES:
        tcp = data - size
        if tcp >= 40 and buffer[tcp + 12] >> 4 == size >> 2:
            for at in (tcp - 8, tcp - 32):
                packet = _packet_at(buffer, at, 4 if at == tcp - 8 else 6)
                if packet is not None:
                    return packet
    return None


def _packet_at(buffer: Buffer, at: int, version: int) -> _Packet | None:
    """The packet with its addresses here; None if none has, or it is not as most are."""
    if version == 4:
        ip, tcp = at - 12, at + 8
        if buffer[ip] != 0x45 or buffer[ip + 9] != _TCP:
            return None
        end = ip + int.from_bytes(buffer[ip + 2 : ip + 4], "big")
    else:
        ip, tcp = at - 8, at + 32
        if buffer[ip] >> 4 != 6 or buffer[ip + 6] != _TCP:
            return None
        end = tcp + int.from_bytes(buffer[ip + 4 : ip + 6], "big")
    if tcp + 20 > len(buffer):
        return None
    data = tcp + (buffer[tcp + 12] >> 2 & 0x3C)
    return _Packet(buffer[at : tcp + 4], at, data, end) if data <= end <= len(buffer) else None


def _know(buffer: Buffer, first: _Packet) -> Iterator[Known]:
    """What a conversation learns from the protocol header and the first packets of the server."""
    conversation = Conversation(0, _nobody, Quarantine(), from_start=True)
    for direction, flow in zip(Direction, (first.flow, reverse(first.flow)), strict=True):
        offset = 0
        for packet in _packets(buffer, flow, first.at):
            if conversation.protocol is not None and (conversation.product or not direction):
                break
            data = buffer[packet.data : packet.end]
            conversation.feed(direction, StreamPiece(data, offset, 0, 1, 0, 0))
            offset += len(data)
        if conversation.protocol is None or conversation.protocol.package not in frame_format.PACKAGES:
            break
    if conversation.protocol is not None:
        yield Known(first.flow, conversation.protocol, conversation.product, first.data)


def _packets(buffer: Buffer, flow: bytes, start: int) -> Iterator[_Packet]:
    """The next packets of a flow that have data."""
    end = min(start + _LOOK, len(buffer))
    for _ in range(_PACKETS):
        at = buffer.find(flow, start, end)
        if at < 0:
            return
        packet = _packet_at(buffer, at, 4 if len(flow) == 12 else 6)
        if packet is not None and packet.data < packet.end:
            yield packet
        start = at + len(flow)


def _nobody(*call: object) -> None:
    """Frames are of no interest."""
