"""Reassembly of one stream: octets out of order are held, repeated ones are reported.

The first copy of an octet counts, as for the receiver in most implementations.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterable
from typing import NamedTuple

from ..capture.stream_data import Segment

# The most that is held of one direction. Beyond this, missing octets count as lost.
HELD_OCTETS = 1 << 20
HELD_CHUNKS = 4096

# The most octets that TCP sends before they are acknowledged. A segment further away is not of the same stream.
LARGEST_WINDOW = 1 << 30

_MODULUS = 1 << 32
_HALF = 1 << 31


def distance(start: int, end: int) -> int:
    """Return the distance between sequence numbers, modulo 2^32: from -2^31 to 2^31 - 1."""
    return (end - start + _HALF) % _MODULUS - _HALF


class Chunk(NamedTuple):
    """Octets at an offset of a stream. Chunks sort by offset.

    Attributes:
        offset: The offset of the first octet.
        packet_no, packet_offset, ns: The packet that they are from.
        data: The octets; ``b""`` if the capture did not keep them.
        missing: Number of octets that the capture did not keep, else 0.
    """

    offset: int
    packet_no: int
    packet_offset: int
    ns: int
    data: bytes
    missing: int

    @property
    def end(self) -> int:
        """The offset of the octet after the last."""
        return self.offset + len(self.data) + self.missing

    @property
    def place(self) -> tuple[int, int, int]:
        """The packet that it is from."""
        return self.packet_no, self.packet_offset, self.ns

    def part(self, start: int, end: int) -> Chunk:
        """Return the part between two offsets, both within the chunk."""
        data = self.data[start - self.offset : end - self.offset]
        return self._replace(offset=start, data=data, missing=end - start if self.missing else 0)


class Overlap(NamedTuple):
    """Octets that came again.

    Attributes:
        offset: The offset of the first octet.
        length: Number of octets.
        conflict: Whether they differ from the first copy.
    """

    offset: int
    length: int
    conflict: bool


class Held:
    """Chunks of a stream that wait for earlier octets. They do not overlap."""

    __slots__ = ("chunks", "octets")

    def __init__(self) -> None:
        self.chunks: list[Chunk] = []
        self.octets = 0

    def add(self, chunk: Chunk) -> list[Overlap]:
        """Hold the new octets of a chunk. Return the overlaps with those already held."""
        chunks = self.chunks
        at = bisect_right(chunks, chunk.offset, key=_offset)
        if at and chunks[at - 1].end > chunk.offset:
            at -= 1
        overlaps, fresh = [], []
        position, end = chunk.offset, chunk.end
        while at < len(chunks) and chunks[at].offset < end:
            other = chunks[at]
            if position < other.offset:
                fresh.append(chunk.part(position, other.offset))
                position = other.offset
            until = min(end, other.end)
            conflict = _differ(chunk.part(position, until), other.part(position, until))
            overlaps.append(Overlap(position, until - position, conflict))
            position = until
            at += 1
        if position < end:
            fresh.append(chunk.part(position, end) if fresh or overlaps else chunk)
        for part in fresh:
            insort(chunks, part, key=_offset)
            self.octets += len(part.data)
        return overlaps

    def is_full(self) -> bool:
        """Return whether no more may be held."""
        return self.octets > HELD_OCTETS or len(self.chunks) > HELD_CHUNKS

    def take(self) -> Chunk:
        """Remove and return the first chunk."""
        chunk = self.chunks.pop(0)
        self.octets -= len(chunk.data)
        return chunk

    def move(self, by: int) -> None:
        """Add ``by`` to all offsets."""
        self.chunks = [chunk._replace(offset=chunk.offset + by) for chunk in self.chunks]

    def drop_before(self, offset: int) -> int:
        """Drop what is before an offset. Return the number of octets."""
        before = self.octets
        self.chunks = [
            chunk if chunk.offset >= offset else chunk.part(offset, chunk.end)
            for chunk in self.chunks
            if chunk.end > offset
        ]
        self.octets = sum(len(chunk.data) for chunk in self.chunks)
        return before - self.octets


def _offset(chunk: Chunk) -> int:
    return chunk.offset


def _differ(one: Chunk, other: Chunk) -> bool:
    return bool(one.data and other.data) and one.data != other.data


def differs_from(delivered: Iterable[Segment], flow: bytes, sequence: int, data: bytes, since: int) -> bool:
    """Return whether repeated data differ from what was delivered.

    ``delivered`` has segments of any flows, the latest first; those before packet ``since`` are of another connection.
    """
    for other_flow, other_sequence, _, _, other, _, packet_no, _, _ in delivered:
        if other_flow != flow or packet_no < since:
            continue
        ahead = distance(other_sequence, sequence)
        if -len(data) < ahead < len(other):
            start, end = max(ahead, 0), min(len(other), ahead + len(data))
            if other[start:end] != data[start - ahead : end - ahead]:
                return True
    return False
