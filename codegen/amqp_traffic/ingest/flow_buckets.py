"""Buckets of flows: connections are shared out by bucket, so both directions of a connection are in one share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias
from zlib import crc32

from ..capture.native_module import native_module
from ..capture.segments import IsWanted
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


class FlowBuckets:
    """Called with the flow of a segment and the octets of its payload: counts it, and tells whether its flow is wanted.

    ``amqp_native_ingest`` has a class that does the same.
    """

    def __init__(self, wanted: bytes) -> None:
        """Take an octet for each bucket, not 0 if the bucket is wanted."""
        self._wanted = [flag != 0 for flag in wanted]
        self._known = KnownBuckets()
        self._segments = [0] * BUCKETS
        self._octets = [0] * BUCKETS

    def __call__(self, flow: bytes, octets: int) -> bool:
        """Count a segment."""
        bucket = self._known[flow]
        self._segments[bucket] += 1
        self._octets[bucket] += octets
        return self._wanted[bucket]

    def counts(self) -> list[tuple[int, int]]:
        """Return segments and octets of each bucket so far."""
        return list(zip(self._segments, self._octets, strict=True))


class BucketReading:
    """The segments of some buckets are wanted, those of all buckets are counted.

    Attributes:
        is_wanted: Counts a segment; see ``read_segments``.
    """

    def __init__(self, is_wanted: Callable[[int], bool]) -> None:
        """Take what is true for the buckets that are wanted."""
        wanted = bytes(is_wanted(bucket) for bucket in range(BUCKETS))
        module = native_module()
        self.is_wanted: IsWanted
        self._buckets: Any
        self.is_wanted = self._buckets = FlowBuckets(wanted) if module is None else module.FlowBuckets(wanted)

    @property
    def octets(self) -> int:
        """Return the octets of all segments so far."""
        return sum(octets for _, octets in self._buckets.counts())

    def sums(self) -> dict[int, SegmentSums]:
        """Return the segments so far by bucket."""
        counted = enumerate(self._buckets.counts())
        return {bucket: SegmentSums(*counts) for bucket, counts in counted if counts[0]}
