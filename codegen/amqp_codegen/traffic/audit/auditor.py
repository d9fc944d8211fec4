"""Audits connections, whatever they speak."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Protocol

from ..tables.schemas import PACKAGE1
from .auditor0 import Auditor0
from .auditor1 import Auditor1
from .finding import Finding
from .notes import Notes
from .octets0 import octets0
from .octets1 import octets1
from .trail import TrailConnection, TrailFrame


class Auditor(Protocol):
    """The state of a connection that is audited."""

    def feed(self, frame: TrailFrame) -> None:
        """Take the next frame."""

    def finish(self) -> None:
        """Nothing more comes."""


def audit_connection(
    connection: TrailConnection, frames: Iterable[TrailFrame], target: str | None = None
) -> list[Finding]:
    """Audit one connection.

    Args:
        connection: The connection.
        frames: Its frames, in order.
        target: What one wants to move to, of ``rule.TARGETS``.

    Returns:
        What was found, sorted.
    """
    auditor: Auditor
    if connection.package == PACKAGE1:
        notes = Notes(connection, target, octets1)
        auditor = Auditor1(connection, notes)
    else:
        notes = Notes(connection, target, partial(octets0, package=connection.package))
        auditor = Auditor0(connection, notes, target)
    for frame in frames:
        auditor.feed(frame)
    auditor.finish()
    return notes.findings()
