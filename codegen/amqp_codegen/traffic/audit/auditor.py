"""Audits connections, whatever they speak."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import partial
from typing import Protocol

from ..tables.schemas import PACKAGE1
from .amqp0.auditor0 import Auditor0
from .amqp0.octets0 import octets0
from .amqp1.auditor1 import Auditor1
from .amqp1.octets1 import octets1
from .finding import Finding
from .notes import Notes
from .trail import TrailConnection, TrailFrame


class Auditor(Protocol):
    """The state of a connection that is audited."""

    def feed(self, frame: TrailFrame) -> None:
        """Take the next frame."""

    def finish(self) -> None:
        """Nothing more comes."""


def audit_connection(
    connection: TrailConnection, frames: Iterable[TrailFrame], targets: Collection[str] = ()
) -> list[Finding]:
    """Audit one connection.

    Args:
        connection: The connection.
        frames: Its frames, in order.
        targets: What one wants to move to, of ``rule.TARGETS``.

    Returns:
        What was found, sorted.
    """
    auditor: Auditor
    if connection.package == PACKAGE1:
        notes = Notes(connection, targets, octets1)
        auditor = Auditor1(connection, notes)
    else:
        notes = Notes(connection, targets, partial(octets0, package=connection.package))
        auditor = Auditor0(connection, notes, targets)
    for frame in frames:
        auditor.feed(frame)
    auditor.finish()
    return notes.findings()
