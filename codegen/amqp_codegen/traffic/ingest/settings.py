"""What a user can choose about reading captures."""

from __future__ import annotations

from dataclasses import dataclass

from ..core.bodies import NO_BODIES, Bodies
from ..core.connections import AMQP_PORTS


@dataclass(frozen=True, slots=True)
class ReadSettings:
    """How captures are read, whatever engine does it.

    Attributes:
        server_ports: Who has one of these is the server, where no SYN was captured.
        bodies: What is kept of bodies.
    """

    server_ports: tuple[int, ...] = AMQP_PORTS
    bodies: Bodies = NO_BODIES
