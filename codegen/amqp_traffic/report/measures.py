"""Sizes of frames and messages in powers of two, and the times that clients and broker wait for each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from .queries import CLIENT, OF_CONNECTION, Ask

_FRAMES = """
SELECT CASE WHEN name IN ('content-body', 'transfer') THEN 'carry bodies' ELSE 'others' END AS what,
  least(greatest(0, ceil(log2(greatest(size, 1)))), 40) AS power, count(*) AS times
FROM frames WHERE type >= 0 GROUP BY what, power ORDER BY what, power
"""
_BODIES = """
SELECT CASE WHEN kind = 'return' THEN 'returned' WHEN dir = 0 THEN 'published' ELSE 'delivered' END AS what,
  least(greatest(0, ceil(log2(greatest(body_size, 1)))), 40) AS power, count(*) AS times, sum(body_size) AS octets,
  max(body_size) AS most
FROM messages WHERE body_size IS NOT NULL GROUP BY what, power ORDER BY what, power
"""
_LIMITS = """
SELECT coalesce(nullif(client_frame_max, 0), server_frame_max) AS frame_max, count(*) AS connections
FROM connections WHERE coalesce(nullif(client_frame_max, 0), server_frame_max) > 0
GROUP BY frame_max ORDER BY connections DESC, frame_max LIMIT 8
"""


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


def sizes(ask: Ask) -> Sizes:
    """Query the sizes of all frames and bodies."""
    bodies = list(ask(_BODIES))
    return Sizes(
        tuple(Bar(row["what"], int(row["power"]), row["times"]) for row in ask(_FRAMES)),
        tuple(Bar(row["what"], int(row["power"]), row["times"]) for row in bodies),
        max((row["most"] for row in bodies), default=0),
        tuple((row["frame_max"], row["connections"]) for row in ask(_LIMITS)),
    )


# Clients wait for the reply to a request and for the confirm of a publish, the broker for the ack of a delivery.
KINDS = ("reply", "confirm", "ack")

_WAITS = f"""
SELECT key, kind, count(*) AS times,
  percentile_approx(ns, array(0.5, 0.95, 0.99), 1000) AS percentiles, max(ns) AS most
FROM (
  SELECT {CLIENT} AS key, 'reply' AS kind, t.latency_ns AS ns
  FROM exchanges t {OF_CONNECTION} WHERE t.outcome = 'ok' AND t.request_dir = 0
  UNION ALL
  SELECT {CLIENT}, CASE WHEN t.dir = 0 THEN 'confirm' ELSE 'ack' END, coalesce(t.settle_ns, t.confirm_ns) - t.last_ns
  FROM messages t {OF_CONNECTION} WHERE t.source = 'wire' AND coalesce(t.settle_ns, t.confirm_ns) IS NOT NULL
) WHERE ns >= 0 GROUP BY key, kind
"""


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


def latencies(ask: Ask) -> Mapping[int, Mapping[str, Waits]]:
    """Query waiting times by the key of the client and the kind of wait, one of ``KINDS``."""
    by_client: dict[int, dict[str, Waits]] = defaultdict(dict)
    for row in ask(_WAITS):
        p50, p95, p99 = row["percentiles"]
        by_client[row["key"]][row["kind"]] = Waits(row["times"], p50, p95, p99, row["most"])
    return by_client
