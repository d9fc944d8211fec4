"""Sizes of frames and messages in powers of two, and the times that clients and broker wait for each other."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby

import pyarrow as pa
import pyarrow.compute as pc

from .clients import ClientIndex
from .lake_rows import LakeRows, is_one_of, summed, with_count

_MOST_POWER = 40
_MOST_LIMITS = 8


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of a histogram.

    Attributes:
        what: The kind of frames or messages.
        power: The exponent of the largest size of the bar, a power of two; sizes are above half of it.
        times: The number of frames or messages.
    """

    what: str
    power: int
    times: int

    @property
    def most(self) -> int:
        """The largest size of the bar, in octets."""
        return 1 << self.power


@dataclass(frozen=True, slots=True)
class Sizes:
    """Sizes in octets.

    Attributes:
        frames: Sizes of whole frames.
        bodies: Sizes of message bodies.
        largest: The size of the largest body.
        frame_max: The most frequent values of frame-max in force, each with its number of connections.
    """

    frames: tuple[Bar, ...]
    bodies: tuple[Bar, ...]
    largest: int
    frame_max: tuple[tuple[int, int], ...]


def sizes(tables: LakeRows) -> Sizes:
    """Return the sizes of all frames and bodies."""
    frames = _bars(_frame_sizes(tables))
    bodies = _bars(_body_sizes(tables))
    limits: Counter[int] = Counter()
    for group in tables.groups("connections", ["client_frame_max", "server_frame_max"]):
        own, other = group.rows["client_frame_max"], group.rows["server_frame_max"]
        limit = pc.if_else(pc.greater(pc.coalesce(own, 0), 0), own, other)
        limits.update(size for size in limit.to_pylist() if size)
    ranked = sorted(limits.items(), key=lambda entry: (-entry[1], entry[0]))[:_MOST_LIMITS]
    largest = max((row["most"] for row in bodies), default=0)
    return Sizes(_as_bars(frames), _as_bars(bodies), largest, tuple(ranked))


def _frame_sizes(tables: LakeRows) -> Iterator[pa.Table]:
    for group in tables.groups("frames", ["name", "type", "size"]):
        rows = group.rows.filter(pc.greater_equal(group.rows["type"], 0))
        what = pc.if_else(is_one_of(rows["name"], "content-body", "transfer"), "carry bodies", "others")
        yield _sized(what, rows["size"])


def _body_sizes(tables: LakeRows) -> Iterator[pa.Table]:
    for group in tables.groups("messages", ["kind", "dir", "body_size"]):
        rows = group.rows.filter(pc.is_valid(group.rows["body_size"]))
        sent = pc.if_else(pc.equal(pc.coalesce(rows["dir"], 1), 0), "published", "delivered")
        yield _sized(pc.if_else(is_one_of(rows["kind"], "return"), "returned", sent), rows["body_size"])


def _sized(what: pa.ChunkedArray, size: pa.ChunkedArray) -> pa.Table:
    power = pc.cast(pc.ceil(pc.log2(pc.max_element_wise(size, 1))), pa.int64())
    columns = {"what": what, "power": pc.min_element_wise(power, _MOST_POWER), "most": size}
    return with_count(columns, len(size))


def _bars(parts: Iterator[pa.Table]) -> Sequence[Mapping[str, int]]:
    rows: list[Mapping[str, int]] = summed(
        parts, ["what", "power"], {"times": "sum", "most": "max"}
    ).to_pylist()
    return rows


def _as_bars(rows: Sequence[Mapping[str, int]]) -> tuple[Bar, ...]:
    return tuple(Bar(str(row["what"]), row["power"], row["times"]) for row in rows)


# Clients wait for the reply to a request and for the confirm of a publish, the broker for the ack of a delivery.
KINDS = ("reply", "confirm", "ack")

# Waits are counted in classes, each 2 percent longer than the one before: percentiles are as exact as that.
_CLASSES_PER_DOUBLING = 35
_PERCENTILES = (50, 95, 99)


@dataclass(frozen=True, slots=True)
class Waits:
    """Waiting times, in nanoseconds.

    Attributes:
        times: The number of waits.
        p50: The median, approximately.
        p95: The 95th percentile.
        p99: The 99th percentile.
        most: The longest.
    """

    times: int
    p50: int
    p95: int
    p99: int
    most: int


def latencies(tables: LakeRows, index: ClientIndex) -> Mapping[int, Mapping[str, Waits]]:
    """Return waiting times by the key of the client and the kind of wait, one of ``KINDS``."""
    rows = summed(
        _waits(tables, index), ["key", "kind", "class"], {"times": "sum", "most": "max"}
    ).to_pylist()
    by_client: dict[int, dict[str, Waits]] = defaultdict(dict)
    for (key, kind), classes in groupby(rows, lambda row: (row["key"], row["kind"])):
        by_client[key][kind] = _percentiles([(row["class"], row["times"], row["most"]) for row in classes])
    return by_client


def _waits(tables: LakeRows, index: ClientIndex) -> Iterator[pa.Table]:
    for group in tables.groups("exchanges", ["conn_id", "outcome", "request_dir", "latency_ns"]):
        own = pc.and_(is_one_of(group.rows["outcome"], "ok"), pc.equal(group.rows["request_dir"], 0))
        rows = group.rows.filter(own)
        kind = pa.repeat(pa.scalar("reply"), rows.num_rows)
        yield _classed(index.keys(group.capture_id, rows["conn_id"]), kind, rows["latency_ns"])
    for group in tables.groups(
        "messages", ["conn_id", "dir", "source", "last_ns", "settle_ns", "confirm_ns"]
    ):
        rows = group.rows.filter(is_one_of(group.rows["source"], "wire"))
        kind = pc.if_else(pc.equal(rows["dir"], 0), "confirm", "ack")
        wait = pc.subtract(pc.coalesce(rows["settle_ns"], rows["confirm_ns"]), rows["last_ns"])
        yield _classed(index.keys(group.capture_id, rows["conn_id"]), kind, wait)


def _classed(keys: pa.Array, kind: pa.Array, wait: pa.ChunkedArray) -> pa.Table:
    size = pc.multiply(pc.log2(pc.add(pc.cast(wait, pa.float64()), 1.0)), float(_CLASSES_PER_DOUBLING))
    rows = with_count({"key": keys, "kind": kind, "class": pc.floor(size), "most": wait}, len(wait))
    known = rows.filter(pc.and_(pc.is_valid(rows["key"]), pc.greater_equal(pc.coalesce(wait, -1), 0)))
    return known.set_column(2, "class", pc.cast(known["class"], pa.int64()))


def _percentiles(classes: Sequence[tuple[int, int, int]]) -> Waits:
    """Return the percentiles of waits in classes: number of the class, number of waits, longest of them."""
    up_to = list(accumulate(count for _, count, _ in classes))
    longest = [most for _, _, most in classes]
    p50, p95, p99 = (longest[bisect_left(up_to, -(-percent * up_to[-1] // 100))] for percent in _PERCENTILES)
    return Waits(up_to[-1], p50, p95, p99, longest[-1])
