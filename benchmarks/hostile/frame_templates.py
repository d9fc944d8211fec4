"""Frames that differ in a number or in a name, millions of them: encoded once, then filled in."""

from __future__ import annotations

from collections.abc import Callable
from struct import pack

# What is replaced. No other octets of a frame are like these.
NUMBER = 0x7E5DC3BA
NAME = "n_7e5dc3ba"


def numbered(frame: bytes) -> Callable[[int], bytes]:
    """Return what makes of a frame with ``NUMBER`` one with any number."""
    parts = frame.split(pack(">I", NUMBER))
    assert len(parts) > 1
    return lambda number: pack(">I", number % (1 << 32)).join(parts)


def named(frame: bytes) -> Callable[[int], bytes]:
    """Return what makes of a frame with ``NAME`` one with a name for each number."""
    parts = frame.split(NAME.encode())
    assert len(parts) > 1
    return lambda number: (b"n_%08x" % (number % (1 << 32))).join(parts)


def on_channel(frame: bytes, channel: int, place: int) -> bytes:
    """Return a frame with another channel; ``place`` is where its octets are."""
    return frame[:place] + pack(">H", channel % 65536) + frame[place + 2 :]
