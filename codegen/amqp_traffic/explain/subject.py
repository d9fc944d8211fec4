"""What a lake knows about the subject of a finding: its connection, and the files of the capture.

Rows are read from the tables of the lake without Spark.
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
    """The finding cannot be explained; the message says why in one line.

    Attributes:
        rule: A short name for the reason, in kebab case.
    """

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(message)
        self.rule = rule


Condition = tuple[str, str, Any]


def read_rows(
    lake: Lake, table: str, capture_id: str, columns: Sequence[str], conditions: Sequence[Condition] = ()
) -> pa.Table | None:
    """Read rows of one capture from a table, in no order.

    ``conditions`` are about the rows, such as ``("conn_id", "=", "5a0c1f0e2b9d4c77")``.

    Returns:
        The rows; None if the lake has no such table for this capture.
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
    """Read rows like ``read_rows``; return them as dicts by column."""
    rows = read_rows(lake, table, capture_id, columns, conditions)
    return [] if rows is None else list(rows.to_pylist())


_CONNECTION = (
    "conn_id",
    "client_ip",
    "client_port",
    "server_ip",
    "server_port",
    "proxy_ip",
    "proxy_port",
    "transport",
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
# Connections that agree in these columns count as one client, as in the audit's rules about clients.
_SAME_CLIENT = ("client_ip", "product", "version", "user", "vhost")


@dataclass(frozen=True, slots=True)
class FindingSubject:
    """A finding with what the lake knows about it.

    Attributes:
        connection: A row of ``connections``.
        files: Rows of ``captures``, in the order of the files.
    """

    finding: AuditFinding
    connection: Mapping[str, Any]
    files: tuple[Mapping[str, Any], ...]

    @property
    def file_name(self) -> str | None:
        """The name of the file that has the finding; None if the finding has no place in a file."""
        number = self.finding.file_no
        return next((file["file"] for file in self.files if file["file_no"] == number), None)


def subject_of(lake: Lake, finding: AuditFinding) -> FindingSubject:
    """Read what a lake knows about a finding.

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
    """Return all connections of the capture, in the order in which they began."""
    rows = rows_as_dicts(lake, "connections", subject.finding.capture_id, _CONNECTION)
    return sorted(rows, key=lambda row: (row["start_ns"], row["conn_id"]))


def connections_of_client(lake: Lake, subject: FindingSubject) -> list[dict[str, Any]]:
    """Return the connections of the same client in the capture, in the order in which they began."""
    return [
        row
        for row in connections_of_capture(lake, subject)
        if row["package"] and all(row[name] == subject.connection[name] for name in _SAME_CLIENT)
    ]


def versions_of_product(lake: Lake, subject: FindingSubject) -> list[dict[str, Any]]:
    """Return the first connection of each version of the same client library, and in ``connections`` their number."""
    firsts: dict[str, dict[str, Any]] = {}
    for row in connections_of_capture(lake, subject):
        if row["product"] == subject.connection["product"] and row["version"]:
            first = firsts.setdefault(row["version"], {**row, "connections": 0})
            first["connections"] += 1
    return [firsts[version] for version in sorted(firsts)]
