"""Audits the connections of a share, each by itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..ingest.runner import Row
from .auditor import audit_connection
from .finding import Finding
from .trails import read_trails


@dataclass(frozen=True, slots=True)
class AuditShare:
    """Audits some of the connections. It is a ``Consumer``.

    Attributes:
        targets: What one wants to move to.
    """

    targets: tuple[str, ...] = ()

    def __call__(self, bucket: int, slices: Iterator[Row]) -> list[Finding]:
        """Audit the connections that are in slices."""
        found: list[Finding] = []
        for connection, frames in read_trails(slices):
            found += audit_connection(connection, frames, self.targets)
        return found
