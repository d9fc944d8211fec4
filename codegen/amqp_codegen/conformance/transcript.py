"""What was sent and received during a trial."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Literal

Direction = Literal["sent", "received", "event"]

# A transcript keeps this many entries from its start and from its end; more would drown its reader.
_KEPT_AT_EACH_END = 150
# And this many octets of each entry.
_KEPT_OCTETS = 1024


@dataclass(frozen=True, slots=True)
class Exchange:
    """One frame, or one event such as the end of a socket.

    Attributes:
        direction: ``sent`` or ``received``; ``event`` for what is no frame.
        seconds: When, from the start of the trial.
        connection: Which of the trial's connections, from 1.
        channel: The number of the channel; None where there is none.
        name: Short: the method, ``heartbeat``, ``protocol header``, ...
        text: The same in full, for people.
        octets: What was on the wire, as far as it is kept; secrets are blanked out.
        size: How many octets were on the wire.
    """

    direction: Direction
    seconds: float
    connection: int
    channel: int | None
    name: str
    text: str
    octets: bytes = b""
    size: int = 0


class Transcript:
    """Takes down what happens, with the time since the trial began."""

    def __init__(self) -> None:
        self._begin = time.monotonic()
        self._entries: list[Exchange] = []

    @property
    def elapsed(self) -> float:
        """Seconds since the trial began."""
        return time.monotonic() - self._begin

    def add(
        self,
        direction: Direction,
        connection: int,
        channel: int | None,
        name: str,
        text: str,
        octets: bytes = b"",
    ) -> None:
        """Takes down one entry."""
        kept = octets[:_KEPT_OCTETS]
        entry = Exchange(direction, self.elapsed, connection, channel, name, text, kept, len(octets))
        self._entries.append(entry)

    def evidence(self) -> tuple[Exchange, ...]:
        """The entries; of very many only those at the start and at the end, with a word on what is left out."""
        entries = self._entries
        left_out = len(entries) - 2 * _KEPT_AT_EACH_END
        if left_out <= 0:
            return tuple(entries)
        first, last = entries[:_KEPT_AT_EACH_END], entries[-_KEPT_AT_EACH_END:]
        gap = Exchange("event", first[-1].seconds, 0, None, "left out", f"{left_out} entries are left out")
        return (*first, gap, *last)
