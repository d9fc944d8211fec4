"""Assembly of the events of all connections, each on its own."""

from __future__ import annotations

from collections.abc import Iterable

from ..decode.body_retention import BodyRetention
from ..decode.events import PACKAGE, EventTuple, named_event
from ..frames.amqp1.frame_format import PACKAGE as PACKAGE1
from .amqp0.assembly import Assembly as Assembly0
from .amqp1.assembly import Assembly as Assembly1
from .output import ConnectionFacts, ExchangeRow, MessageRow, Sink


class Assemblies:
    """The state of all connections. It can be pickled."""

    def __init__(self, *, bodies: BodyRetention) -> None:
        self._bodies = bodies
        self._sink = Sink()
        self._assemblies: dict[int, Assembly0 | Assembly1] = {}

    def add(self, events: Iterable[EventTuple]) -> None:
        """Take events with final frame numbers and offsets, in the order of each connection: first the package."""
        assemblies = self._assemblies
        for event in map(named_event, events):
            if event.kind == PACKAGE:
                self._read_by(event.connection, event.row)
            else:
                assemblies[event.connection].add(event)

    def finish(self, connection: int) -> ConnectionFacts:
        """End a connection: write the rows of what is still open, and return the facts."""
        assembly = self._assemblies.pop(connection, None)
        return ConnectionFacts() if assembly is None else assembly.finish()

    def take(self) -> tuple[list[MessageRow], list[ExchangeRow]]:
        """Remove and return the rows of messages and exchanges so far, as ``Sink.take`` does."""
        return self._sink.take()

    def _read_by(self, connection: int, package: str) -> None:
        """Read rows of a connection from here on as those of this generated package."""
        assembly = self._assemblies.get(connection)
        if assembly is None:
            kind = Assembly1 if package == PACKAGE1 else Assembly0
            assembly = self._assemblies[connection] = kind(connection, self._sink, self._bodies)
        if isinstance(assembly, Assembly0):
            assembly.read_by(package)
