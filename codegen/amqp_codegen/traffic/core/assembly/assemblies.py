"""Puts the events of all connections together, each connection on its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..bodies import Bodies
from ..event import Event
from ..framing1 import PACKAGE as PACKAGE1
from .assembly0 import Assembly0
from .facts import Facts
from .sink import ExchangeRow, MessageRow, Sink


class Assemblies:
    """The state of all connections; it can be pickled."""

    def __init__(self, *, bodies: Bodies) -> None:
        """Begin without connections.

        Args:
            bodies: What is kept of bodies.
        """
        self._bodies = bodies
        self._sink = Sink()
        self._assemblies: dict[int, Assembly0] = {}

    def add(self, events: Iterable[Event], package_of: Callable[[int], str]) -> None:
        """Take events, those of each connection in their order.

        Args:
            events: The events; frame numbers and offsets are final.
            package_of: Gives the generated package of a connection by its number.
        """
        assemblies = self._assemblies
        for event in events:
            assembly = assemblies.get(event[0])
            if assembly is None:
                assembly = assemblies[event[0]] = self._begin(event[0], package_of(event[0]))
            assembly.add(event)

    def finish(self, connection: int) -> Facts:
        """Nothing more comes of a connection: put what is open, and say what was learned."""
        assembly = self._assemblies.pop(connection, None)
        return Facts() if assembly is None else assembly.finish()

    def take(self) -> tuple[list[MessageRow], list[ExchangeRow]]:
        """Rows of messages and exchanges that have gathered, as in ``Sink``; begin again without."""
        return self._sink.take()

    def _begin(self, connection: int, package: str) -> Assembly0:
        if package == PACKAGE1:
            raise NotImplementedError
        return Assembly0(connection, self._sink, self._bodies)
