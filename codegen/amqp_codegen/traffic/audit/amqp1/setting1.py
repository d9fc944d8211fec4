"""What all parts of an audit of a connection of AMQP 1.0 know of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..notes import Notes
from ..trail import TrailConnection

SIDES = ("client", "server")

_NUMBERS = 1 << 32
_HALF = 1 << 31
# From here on, a window or credit is no limit: numbers are compared across half of all that there are.
UNLIMITED = _HALF - 1


def ahead(number: int, of: int) -> int:
    """How far a number is after another one; negative if it is before it. They count round (RFC 1982)."""
    return (number - of + _HALF) % _NUMBERS - _HALF


def after(number: int, step: int) -> int:
    """The number that is so many after another one."""
    return (number + step) % _NUMBERS


@dataclass(slots=True)
class Setting1:
    """A connection that is audited.

    Attributes:
        connection: The connection.
        notes: Takes what is found.
        is_lossy: Whether frames of it are missing so far, also before the first. What a side does then may be about
            something that was not captured, unless it is about a session that has begun since.
        frame_max: By direction, the largest frame that this side takes; None before its ``open``.
        channel_max: By direction, the highest channel of that side; None before its ``open``.
        samples: By direction and offset, the beginning of payloads that could not be decoded.
    """

    connection: TrailConnection
    notes: Notes
    is_lossy: bool = False
    frame_max: list[int | None] = field(default_factory=lambda: [None, None])
    channel_max: list[int | None] = field(default_factory=lambda: [None, None])
    samples: dict[tuple[int, int], bytes] = field(init=False)

    def __post_init__(self) -> None:
        """Find what the quarantine has of frames that could not be decoded."""
        self.is_lossy = not self.connection.is_from_start
        self.samples = {
            (row["dir"], row["stream_off"]): row["sample"]
            for row in self.connection.quarantined
            if row.get("sample") is not None
        }
