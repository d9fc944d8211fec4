"""What is left out of a stream: octets that are skipped for one reason, up to the next frame, are one row."""

from __future__ import annotations

from dataclasses import dataclass

from ..capture.ledgers import FramingLedger
from ..capture.quarantine import Quarantine, Quarantined, Reason
from ..capture.stream_data import Direction
from .formats import Place


@dataclass(slots=True)
class _Skipped:
    """Octets that are skipped."""

    reason: Reason
    offset: int
    place: Place
    length: int = 0


class SkipLog:
    """Counts what is left out of one direction of a connection, and tells the quarantine.

    Attributes:
        ledger: ``skipped`` is added to.
        quarantine: What is left out goes here.
        connection: The number of the connection, for the quarantine.
        direction: Which way the stream goes.
    """

    __slots__ = ("_run", "connection", "direction", "ledger", "quarantine")

    def __init__(
        self, ledger: FramingLedger, quarantine: Quarantine, connection: int, direction: Direction
    ) -> None:
        """Begin with a stream.

        Args:
            ledger: See above.
            quarantine: See above.
            connection: See above.
            direction: See above.
        """
        self.quarantine = quarantine
        self.connection = connection
        self.direction = direction
        self.ledger = ledger
        self._run: _Skipped | None = None

    @property
    def is_open(self) -> bool:
        """Whether there is a reason to skip octets."""
        return self._run is not None

    def open(self, reason: Reason, offset: int, place: Place) -> None:
        """From this offset on octets may be skipped; unless there is a reason already, this is it."""
        if self._run is None:
            self._run = _Skipped(reason, offset, place)

    def skip(self, octets: int) -> None:
        """So many octets are in no frame."""
        self.ledger.skipped += octets
        if self._run is not None:
            self._run.length += octets

    def close(self) -> None:
        """A frame comes, or the end."""
        run, self._run = self._run, None
        if run is not None and run.length:
            self.add(run.reason, run.offset, run.length, run.place)

    def add(self, reason: Reason, offset: int, length: int, place: Place) -> None:
        """Tell the quarantine."""
        self.quarantine.add(Quarantined(reason, length, *place, self.connection, self.direction, offset))

    def renumber(self, by: int) -> None:
        """So many packets come before those that were counted."""
        if self._run is not None:
            no, at, ns = self._run.place
            self._run.place = no + by, at, ns
