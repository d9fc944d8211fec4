"""What all channels of a 0-x connection share."""

from __future__ import annotations

from dataclasses import dataclass

from ..bodies import Bodies
from .methods0 import Method0, methods_of
from .sink import Sink


@dataclass(slots=True)
class Setting0:
    """What they share.

    Attributes:
        connection: The number of the connection.
        package: The generated package that reads what comes.
        sink: Takes rows.
        bodies: What is kept of bodies.
    """

    connection: int
    package: str
    sink: Sink
    bodies: Bodies

    def method(self, kind: int) -> Method0 | None:
        """The method with that class id << 16 | method id, if there is one."""
        return methods_of(self.package).get(kind)
