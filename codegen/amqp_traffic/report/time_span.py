"""The time that a report is about, and the parts of it that are counted one by one."""

from __future__ import annotations

from dataclasses import dataclass

from .gather import Ask

_QUERY = """
SELECT min(start_ns) AS first_ns, max(end_ns) AS last_ns, count(*) AS connections FROM connections
UNION ALL SELECT min(first_ns), max(last_ns), 0 FROM captures
"""


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """From the first packet to the last.

    Attributes:
        first_ns: Nanoseconds since 1970.
        last_ns: As well.
        connections: How many there are in it.
    """

    first_ns: int
    last_ns: int
    connections: int

    @property
    def seconds(self) -> float:
        """How long; never 0, for one divides by it."""
        return max(self.last_ns - self.first_ns, 1) / 1e9

    def step(self, parts: int) -> int:
        """How long a part is if there are so many, in nanoseconds."""
        return (self.last_ns - self.first_ns) // parts + 1


def time_span(ask: Ask) -> TimeSpan | None:
    """The time of the lake; None if there is nothing in it."""
    rows = list(ask(_QUERY))
    firsts = [row["first_ns"] for row in rows if row["first_ns"] is not None]
    lasts = [row["last_ns"] for row in rows if row["last_ns"] is not None]
    if not firsts or not lasts:
        return None
    return TimeSpan(min(firsts), max(lasts), sum(row["connections"] for row in rows))
