"""Frames made by hand: those that are unusual, and those that are wrong."""

from __future__ import annotations

import amqp_1_0 as amqp


def make_frame(body: bytes, channel: int = 0, kind: int = 0) -> bytes:
    """A frame with any octets as its body."""
    return (8 + len(body)).to_bytes(4, "big") + bytes([2, kind]) + channel.to_bytes(2, "big") + body


def make_list(descriptor: bytes, *fields: bytes) -> bytes:
    """A described list whose descriptor and items are given in octets, as a list32."""
    items = b"".join(fields)
    size = (4 + len(items)).to_bytes(4, "big")
    return b"\x00" + descriptor + b"\xd0" + size + len(fields).to_bytes(4, "big") + items


def make_performative(code: int, *fields: bytes) -> bytes:
    """The same with a number as descriptor, as the performatives of AMQP have."""
    return make_list(bytes([0x53, code]), *fields)


def value(anything: object) -> bytes:
    """The octets of any value."""
    return amqp.encode(anything)


def with_extended_header(frame: bytes, octets: bytes) -> bytes:
    """The frame with more octets in its header, as many as a multiple of four."""
    size = len(frame) + len(octets)
    return size.to_bytes(4, "big") + bytes([2 + len(octets) // 4]) + frame[5:8] + octets + frame[8:]


def with_size(frame: bytes, size: int) -> bytes:
    """The frame with another number as its SIZE."""
    return size.to_bytes(4, "big") + frame[4:]
