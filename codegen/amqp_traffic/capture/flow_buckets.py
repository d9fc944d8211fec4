"""Buckets of flows: connections are shared out by bucket, so both directions of a connection are in one share."""

from __future__ import annotations

from typing import Any
from zlib import crc32

from .native_module import native_module

BUCKETS = 1024
_MOST_KNOWN_FLOWS = 1 << 16


def endpoints(flow: bytes) -> tuple[bytes, bytes]:
    """Return both addresses with their ports, equal for both directions of a flow."""
    half = len(flow) // 2 - 2
    one, other = flow[:half] + flow[-4:-2], flow[half : 2 * half] + flow[-2:]
    return (one, other) if one <= other else (other, one)


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


def flow_buckets(wanted: bytes) -> Any:
    """Return ``FlowBuckets``, that of the module in C where it is installed."""
    module = native_module()
    return FlowBuckets(wanted) if module is None else module.FlowBuckets(wanted)
