"""How large frames and messages are, in powers of two, and how large frames may be."""

from __future__ import annotations

from dataclasses import dataclass

from .gather import Ask

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
    """Of a histogram.

    Attributes:
        what: The kind of frames or messages.
        power: Sizes up to two to this, and above the half of that.
        times: How many.
    """

    what: str
    power: int
    times: int

    @property
    def most(self) -> int:
        """The largest size that is in it, in octets."""
        return 1 << self.power


@dataclass(frozen=True, slots=True)
class Sizes:
    """Sizes in octets.

    Attributes:
        frames: Whole frames.
        bodies: Bodies of messages.
        largest: The largest body.
        frame_max: The most usual frame-max in force, and how many connections have it.
    """

    frames: tuple[Bar, ...]
    bodies: tuple[Bar, ...]
    largest: int
    frame_max: tuple[tuple[int, int], ...]


def sizes(ask: Ask) -> Sizes:
    """Of all clients together."""
    bodies = list(ask(_BODIES))
    return Sizes(
        tuple(Bar(row["what"], int(row["power"]), row["times"]) for row in ask(_FRAMES)),
        tuple(Bar(row["what"], int(row["power"]), row["times"]) for row in bodies),
        max((row["most"] for row in bodies), default=0),
        tuple((row["frame_max"], row["connections"]) for row in ask(_LIMITS)),
    )
