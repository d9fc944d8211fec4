"""The log of octets left out of a stream: one row of the quarantine for each skipped run up to the next frame."""

from __future__ import annotations

from dataclasses import dataclass

from ..capture.ledgers import FramingLedger
from ..capture.quarantine import Quarantine, Quarantined, Reason
from ..capture.stream_data import Direction
from .formats import Place


@dataclass(slots=True)
class _Skipped:
    """A run of skipped octets."""

    reason: Reason
    offset: int
    place: Place
    length: int = 0


class SkipLog:
    """Counts what is left out of one direction of a connection, and reports it to the quarantine.

    Attributes:
        ledger: Its ``skipped`` counts the octets.
        quarantine: Collects the rows.
        connection: The number of the connection, for the quarantine.
        direction: The direction of the stream.
    """

    __slots__ = ("_run", "connection", "direction", "ledger", "quarantine")

    def __init__(
        self, ledger: FramingLedger, quarantine: Quarantine, connection: int, direction: Direction
    ) -> None:
        self.quarantine = quarantine
        self.connection = connection
        self.direction = direction
        self.ledger = ledger
        self._run: _Skipped | None = None

    @property
    def is_open(self) -> bool:
        """Whether a run of skipped octets is open."""
        return self._run is not None

    def open(self, reason: Reason, offset: int, place: Place) -> None:
        """Open a run at this offset, unless one is open."""
        if self._run is None:
            self._run = _Skipped(reason, offset, place)

    def skip(self, octets: int) -> None:
        """Count octets that are not in a frame."""
        self.ledger.skipped += octets
        if self._run is not None:
            self._run.length += octets

    def close(self) -> None:
        """Close the run, and report it if it has octets."""
        run, self._run = self._run, None
        if run is not None and run.length:
            self.add(run.reason, run.offset, run.length, run.place)

    def add(self, reason: Reason, offset: int, length: int, place: Place, detail: str = "") -> None:
        """Report a run to the quarantine."""
        where = self.connection, self.direction, offset
        self.quarantine.add(Quarantined(reason, length, *place, *where, detail))
