"""The outcome of an audit: all findings of a lake, with the names of the capture files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pyarrow.parquet as pq

from ..lake.folder import Lake
from ..storage import capture_of
from .finding import AuditFinding
from .rules.rule import AuditSeverity


@dataclass(frozen=True, slots=True)
class AuditOutcome:
    """All findings of a lake.

    Attributes:
        findings: Sorted.
        files: The names of capture files, by capture and number.
        target: The target of a migration, if one was given.
    """

    findings: Sequence[AuditFinding]
    files: Mapping[tuple[str, int], str]
    target: str | None = None

    def count(self, severity: AuditSeverity) -> int:
        """Return the number of findings of a severity."""
        return sum(finding.severity == severity.value for finding in self.findings)

    def has(self, least: AuditSeverity) -> bool:
        """Return whether there is a finding of this severity or a worse one."""
        return any(AuditSeverity(finding.severity).rank >= least.rank for finding in self.findings)

    def file_of(self, finding: AuditFinding) -> str | None:
        """Return the name of the file in which the frame of a finding begins."""
        return None if finding.file_no is None else self.files.get((finding.capture_id, finding.file_no))


def capture_files(lake: Lake) -> dict[tuple[str, int], str]:
    """Return the names of the files of all captures of a lake, by capture and number."""
    files = {}
    for path in lake.files("captures"):
        with lake.filesystem.open_input_file(f"{lake.root}/{path}") as stream:
            rows = pq.ParquetFile(stream).read(["file", "file_no"]).to_pylist()
        capture_id = capture_of(path.split("/")[-2]) or ""
        files.update({(capture_id, row["file_no"]): row["file"] for row in rows})
    return files
