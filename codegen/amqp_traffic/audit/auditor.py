"""The audit of one connection, with the auditor of its protocol family."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import partial
from typing import Protocol

from ..schemas import PACKAGES1
from .amqp0.auditor import Auditor as Auditor0
from .amqp0.octets import first_octets as octets0
from .amqp1.auditor import Auditor as Auditor1
from .amqp1.setting import first_octets as octets1
from .connection_frames import AuditConnection, AuditFrame
from .finding import AuditFinding
from .finding_log import FindingLog
from .frame_order import with_doubts


class ConnectionAuditor(Protocol):
    """The state of a connection that is audited."""

    def feed(self, frame: AuditFrame) -> None:
        """Take the next frame."""

    def finish(self) -> None:
        """Judge the end of the connection."""


def audit_connection(
    connection: AuditConnection, frames: Iterable[AuditFrame], targets: Collection[str] = ()
) -> list[AuditFinding]:
    """Audit one connection and return its findings, sorted.

    ``frames`` are in order; ``targets`` are those of a migration, of ``rule.TARGETS``.
    """
    auditor: ConnectionAuditor
    if connection.package in PACKAGES1:
        notes = FindingLog(connection, targets, octets1)
        auditor = Auditor1(connection, notes)
    else:
        notes = FindingLog(connection, targets, partial(octets0, package=connection.package))
        auditor = Auditor0(connection, notes, targets)
    for frame in with_doubts(frames, notes.doubtful):
        auditor.feed(frame)
    auditor.finish()
    return notes.findings()
