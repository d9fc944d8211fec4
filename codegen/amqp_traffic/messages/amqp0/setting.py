"""The settings that all channels of a 0-x connection share."""

from __future__ import annotations

from dataclasses import dataclass

from ...decode.body_retention import BodyRetention
from ...dialogue.amqp0.methods import MethodTraits, methods_of
from ..sink import Sink


@dataclass(slots=True)
class AssemblySetting:
    """The connection of a channel, and where its rows go.

    Attributes:
        connection: The number of the connection.
        package: The generated package that reads its frames.
        bodies: What is kept of bodies.
    """

    connection: int
    package: str
    sink: Sink
    bodies: BodyRetention

    def method(self, kind: int) -> MethodTraits | None:
        """Return the method with this class id << 16 | method id, if there is one."""
        return methods_of(self.package).get(kind)
