"""Audits the connections of a share, each by itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..tasks.runner import Row
from .auditor import audit_connection
from .finding import AuditFinding
from .read_connections import read_connections


@dataclass(frozen=True, slots=True)
class AuditShare:
    """Audits some of the connections. It is a ``Consumer``.

    Attributes:
        targets: What one wants to move to.
    """

    targets: tuple[str, ...] = ()

    def __call__(self, bucket: int, slices: Iterator[Row]) -> list[AuditFinding]:
        """Audit the connections that are in slices."""
        found: list[AuditFinding] = []
        for connection, frames in read_connections(slices):
            found += audit_connection(connection, frames, self.targets)
        return found
