"""Buckets of flows: connections are shared out by bucket, so both directions of a connection are in one share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias
from zlib import crc32

from ..messages.connection_rows import endpoints
from .file_reading import SegmentSums

BUCKETS = 1024
_MOST_KNOWN_FLOWS = 1 << 16

# The buckets of a share.
Buckets: TypeAlias = frozenset[int]
ALL_BUCKETS: Buckets = frozenset(range(BUCKETS))


def bucket_of(flow: bytes) -> int:
    """Return the bucket of a flow: the same for both directions, in every process."""
    return crc32(b"".join(endpoints(flow))) % BUCKETS


class KnownBuckets(dict[bytes, int]):
    """The buckets of flows seen lately: most packets are of a few flows."""

    def __missing__(self, flow: bytes) -> int:
        if len(self) >= _MOST_KNOWN_FLOWS:
            self.clear()
        bucket = self[flow] = bucket_of(flow)
        return bucket


class BucketReading:
    """The segments of some buckets are wanted, those of all buckets are counted."""

    def __init__(self, is_wanted: Callable[[int], bool]) -> None:
        """Take what is true for the buckets that are wanted."""
        self._wanted = [is_wanted(bucket) for bucket in range(BUCKETS)]
        self._known = KnownBuckets()
        self._counts = [0] * BUCKETS
        self._octets = [0] * BUCKETS

    def is_wanted(self, flow: bytes, octets: int) -> bool:
        """Count a segment, and return whether it is wanted; see ``read_segments``."""
        bucket = self._known[flow]
        self._counts[bucket] += 1
        self._octets[bucket] += octets
        return self._wanted[bucket]

    @property
    def octets(self) -> int:
        """Return the octets of all segments so far."""
        return sum(self._octets)

    def sums(self) -> dict[int, SegmentSums]:
        """Return the segments so far by bucket."""
        return {
            bucket: SegmentSums(count, self._octets[bucket])
            for bucket, count in enumerate(self._counts)
            if count
        }
