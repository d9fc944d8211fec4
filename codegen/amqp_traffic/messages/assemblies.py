"""Assembly of the events of all connections, each on its own."""

from __future__ import annotations

from collections.abc import Iterable

from ..capture.faults import FATAL, describe_fault
from ..capture.quarantine import Quarantine, Quarantined, Reason
from ..decode.body_retention import BodyRetention
from ..decode.events import PACKAGE, Event, EventTuple, named_event
from ..schemas import PACKAGES1
from .amqp0.assembly import Assembly as Assembly0
from .amqp1.assembly import Assembly as Assembly1
from .output import ConnectionFacts, ExchangeRow, MessageRow, Sink


class _GivenUp:
    """The assembly of a connection that makes no rows any more."""

    def add(self, event: Event) -> None:
        """Ignore it."""

    def finish(self) -> ConnectionFacts:
        """Return no facts."""
        return ConnectionFacts()


class Assemblies:
    """The state of all connections, which may be part of a checkpoint."""

    def __init__(self, *, bodies: BodyRetention, quarantine: Quarantine | None = None) -> None:
        self._bodies = bodies
        self._quarantine = Quarantine() if quarantine is None else quarantine
        self._sink = Sink(self._quarantine)
        self._assemblies: dict[int, Assembly0 | Assembly1 | _GivenUp] = {}

    def add(self, events: Iterable[EventTuple]) -> None:
        """Take events with final frame numbers and offsets, in the order of each connection: first the package."""
        assemblies = self._assemblies
        for event in map(named_event, events):
            if event.kind == PACKAGE:
                self._read_by(event.connection, event.row)
                continue
            try:
                assemblies[event.connection].add(event)
            except FATAL:
                raise
            except Exception as error:  # nothing in a connection may cost others their rows
                self._give_up(event, error)

    def finish(self, connection: int) -> ConnectionFacts:
        """End a connection: write the rows of what is still open, and return the facts."""
        assembly = self._assemblies.pop(connection, None)
        if assembly is None:
            return ConnectionFacts()
        try:
            return assembly.finish()
        except FATAL:
            raise
        except Exception as error:
            item = Quarantined(Reason.DECODE_ERROR, 0, connection=connection, detail=describe_fault(error))
            self._quarantine.add(item)
            return ConnectionFacts()

    def take(self) -> tuple[list[MessageRow], list[ExchangeRow]]:
        """Remove and return the rows of messages and exchanges so far, as ``Sink.take`` does."""
        return self._sink.take()

    def _give_up(self, event: Event, error: Exception) -> None:
        """Make no more rows of a connection, as this event raised an error."""
        self._assemblies[event.connection] = _GivenUp()
        place = event.connection, event.direction, event.offset
        self._quarantine.add(
            Quarantined(Reason.DECODE_ERROR, event.size, 0, 0, event.ns, *place, describe_fault(error))
        )

    def _read_by(self, connection: int, package: str) -> None:
        """Read rows of a connection from here on as those of this generated package."""
        assembly = self._assemblies.get(connection)
        if assembly is None:
            kind = Assembly1 if package in PACKAGES1 else Assembly0
            assembly = self._assemblies[connection] = kind(connection, self._sink, self._bodies)
        if isinstance(assembly, Assembly0):
            assembly.read_by(package)
