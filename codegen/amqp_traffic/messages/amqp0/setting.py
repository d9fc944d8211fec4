"""What all channels of a 0-x connection share."""

from __future__ import annotations

from dataclasses import dataclass

from ...decode.body_retention import BodyRetention
from ...dialogue.amqp0.methods import MethodTraits, methods_of
from ..sink import Sink


@dataclass(slots=True)
class AssemblySetting:
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
    bodies: BodyRetention

    def method(self, kind: int) -> MethodTraits | None:
        """The method with that class id << 16 | method id, if there is one."""
        return methods_of(self.package).get(kind)
