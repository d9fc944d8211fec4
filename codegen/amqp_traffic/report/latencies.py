"""How long clients and broker let each other wait."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from .gather import CLIENT, OF_CONNECTION, Ask

# What is waited for: the reply to a request, the confirm of a publish, the acknowledgement of a delivery.
KINDS = ("reply", "confirm", "ack")

_QUERY = f"""
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
    """How long somebody waits, in nanoseconds.

    Attributes:
        times: How often.
        p50: The median, about.
        p95: 95 of 100 are not longer.
        p99: 99 of 100 are not longer.
        most: The longest.
    """

    times: int
    p50: int
    p95: int
    p99: int
    most: int


def latencies(ask: Ask) -> Mapping[int, Mapping[str, Waits]]:
    """By the key of the client, and by what is waited for."""
    found: dict[int, dict[str, Waits]] = defaultdict(dict)
    for row in ask(_QUERY):
        p50, p95, p99 = row["percentiles"]
        found[row["key"]][row["kind"]] = Waits(row["times"], p50, p95, p99, row["most"])
    return found
