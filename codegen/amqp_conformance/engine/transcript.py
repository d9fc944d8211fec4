"""The record of what was sent and received during a trial."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass
from typing import Literal

from .redaction import REACH, Redactor

Direction = Literal["sent", "received", "event"]

# A transcript keeps this many entries from its start and from its end; nobody reads more.
_KEPT_AT_EACH_END = 150
_KEPT_OCTETS = 1024


@dataclass(frozen=True, slots=True)
class Exchange:
    """One frame, or one event such as the end of a socket.

    Attributes:
        direction: ``sent`` or ``received``; ``event`` for what is not a frame.
        seconds: The time since the start of the trial.
        connection: Which of the trial's connections, from 1.
        channel: The number of the channel; None if there is none.
        name: Short: the method, ``heartbeat``, ``protocol header``, ...
        text: The long form, for people.
        octets: The octets on the wire, as far as kept; secrets are blanked out.
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
    """Records what happens, with the time since the trial began.

    Args:
        redactor: Replaces our password in all that is recorded.
    """

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        self._begin = time.monotonic()
        self._first: list[Exchange] = []
        self._last: deque[Exchange] = deque(maxlen=_KEPT_AT_EACH_END)
        self._left_out = 0

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
        """Record one entry."""
        # What is cut off may be the rest of a password: half of one is a secret, too.
        kept = self._redactor.octets(octets[: _KEPT_OCTETS + REACH])[:_KEPT_OCTETS]
        name, text = self._redactor.text(name), self._redactor.text(text)
        entry = Exchange(direction, self.elapsed, connection, channel, name, text, kept, len(octets))
        if len(self._first) < _KEPT_AT_EACH_END:
            self._first.append(entry)
            return
        self._left_out += len(self._last) == _KEPT_AT_EACH_END
        self._last.append(entry)

    def evidence(self) -> tuple[Exchange, ...]:
        """Return the entries; of very many only those at the start and at the end, and how many are left out."""
        if not self._left_out:
            return (*self._first, *self._last)
        text = f"{self._left_out} entries are left out"
        gap = Exchange("event", self._first[-1].seconds, 0, None, "left out", text)
        return (*self._first, gap, *self._last)
