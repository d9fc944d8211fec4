"""The buckets of a share, and what a reader of files has counted in all buckets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from ...capture.flow_buckets import BUCKETS, flow_buckets
from ...capture.segments import IsWanted
from ..tables.file_reading import SegmentSums

# The buckets of a share.
Buckets: TypeAlias = frozenset[int]
ALL_BUCKETS: Buckets = frozenset(range(BUCKETS))


class BucketReading:
    """The segments of some buckets are wanted, those of all buckets are counted.

    Attributes:
        is_wanted: Counts a segment; see ``read_segments``.
    """

    def __init__(self, is_wanted: Callable[[int], bool]) -> None:
        """Take what is true for the buckets that are wanted."""
        self._buckets: Any = flow_buckets(bytes(is_wanted(bucket) for bucket in range(BUCKETS)))
        self.is_wanted: IsWanted = self._buckets

    @property
    def octets(self) -> int:
        """Return the octets of all segments so far."""
        return sum(octets for _, octets in self._buckets.counts())

    def sums(self) -> dict[int, SegmentSums]:
        """Return the segments so far by bucket."""
        counted = enumerate(self._buckets.counts())
        return {bucket: SegmentSums(*counts) for bucket, counts in counted if counts[0]}
