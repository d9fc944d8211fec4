"""What a lake knows about the connection of a finding, and about the files it was captured in.

Why something cannot be explained.

Rows of one capture or connection from the tables of a lake, without Spark.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ..audit.finding import AuditFinding
from ..lake.folder import Lake


class CannotExplain(Exception):
    """Says in one line why not.

    Attributes:
        rule: A short name for that, in kebab case.
    """

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(message)
        self.rule = rule


Condition = tuple[str, str, Any]


def read_rows(
    lake: Lake, table: str, capture_id: str, columns: Sequence[str], conditions: Sequence[Condition] = ()
) -> pa.Table | None:
    """Some rows of a table of a capture, in no order.

    Args:
        lake: The lake.
        table: The table.
        capture_id: The capture.
        columns: Which columns.
        conditions: What is true of the rows, such as ``("conn_id", "=", "5a0c1f0e2b9d4c77")``.

    Returns:
        The rows; None if the lake has no such table of this capture.
    """
    parts = [
        pq.read_table(
            f"{lake.root}/{path}",
            columns=list(columns),
            filesystem=lake.filesystem,
            filters=list(conditions) or None,
            partitioning=None,
        )
        for path in lake.files(table, capture_id)
    ]
    return pa.concat_tables(parts) if parts else None


def rows_as_dicts(
    lake: Lake, table: str, capture_id: str, columns: Sequence[str], conditions: Sequence[Condition] = ()
) -> list[dict[str, Any]]:
    """The same, as dicts by column."""
    rows = read_rows(lake, table, capture_id, columns, conditions)
    return [] if rows is None else list(rows.to_pylist())


_CONNECTION = (
    "conn_id",
    "client_ip",
    "client_port",
    "server_ip",
    "server_port",
    "role_by",
    "start_ns",
    "end_ns",
    "start_mode",
    "end_mode",
    "protocol",
    "package",
    "product",
    "version",
    "platform",
    "connection_name",
    "user",
    "vhost",
    "server_product",
    "server_version",
    "close_code",
    "close_condition",
    "close_text",
    "close_by",
    "client_frames",
    "server_frames",
)
_FILE = ("file", "file_no", "format", "packets", "size")
# Whose connections are of the same client: as the rules about clients of the audit have it.
_SAME_CLIENT = ("client_ip", "product", "version", "user", "vhost")


@dataclass(frozen=True, slots=True)
class FindingSubject:
    """A finding with what the lake knows about it.

    Attributes:
        finding: The finding.
        connection: Columns of ``connections``.
        files: Columns of ``captures``, in the order of the files.
    """

    finding: AuditFinding
    connection: Mapping[str, Any]
    files: tuple[Mapping[str, Any], ...]

    @property
    def file_name(self) -> str | None:
        """The name of the file that the finding is in, if it is in one."""
        number = self.finding.file_no
        return next((each["file"] for each in self.files if each["file_no"] == number), None)


def subject_of(lake: Lake, finding: AuditFinding) -> FindingSubject:
    """What a lake knows about a finding.

    Raises:
        CannotExplain: The finding is about another lake.
    """
    rows = rows_as_dicts(
        lake, "connections", finding.capture_id, _CONNECTION, [("conn_id", "=", finding.conn_id)]
    )
    if not rows:
        raise CannotExplain(
            "other-lake",
            f"finding {finding.finding_id} is about connection {finding.conn_id} of {finding.capture_id},"
            f" which is not in {lake.place}",
        )
    files = rows_as_dicts(lake, "captures", finding.capture_id, _FILE)
    return FindingSubject(finding, rows[0], tuple(sorted(files, key=lambda row: row["file_no"])))


def connections_of_capture(lake: Lake, subject: FindingSubject) -> list[dict[str, Any]]:
    """All connections of the capture, in the order in which they began."""
    rows = rows_as_dicts(lake, "connections", subject.finding.capture_id, _CONNECTION)
    return sorted(rows, key=lambda row: (row["start_ns"], row["conn_id"]))


def connections_of_client(lake: Lake, subject: FindingSubject) -> list[dict[str, Any]]:
    """All connections of the same client in the capture, in the order in which they began."""
    return [
        row
        for row in connections_of_capture(lake, subject)
        if row["package"] and all(row[name] == subject.connection[name] for name in _SAME_CLIENT)
    ]


def versions_of_product(lake: Lake, subject: FindingSubject) -> list[dict[str, Any]]:
    """The first connection of each version of the same client library, with ``connections``: how many there are."""
    found: dict[str, dict[str, Any]] = {}
    for row in connections_of_capture(lake, subject):
        if row["product"] == subject.connection["product"] and row["version"]:
            first = found.setdefault(row["version"], {**row, "connections": 0})
            first["connections"] += 1
    return [found[version] for version in sorted(found)]
