"""Asks a lake for what only shows across messages, connections and clients: ``audit.fleet_queries`` on Spark."""

from __future__ import annotations

from typing import Any

from ..audit.catalogue import RULES
from ..audit.finding import MOST_BYTES, Finding, client_label, finding_id
from ..audit.fleet_queries import FLEET_COLUMNS, QUERIES
from ..audit.octets0 import octets0
from ..audit.trail import TrailFrame
from ..audit.trail_columns import FRAME_COLUMNS
from ..tables.lake import Lake
from ..tables.schemas import PACKAGE1
from .catalog import register_for

_CONNECTION = ("start_ns", "protocol", "package", "product", "version", "user", "client_ip", "client_port")

_PARTITIONS = "spark.sql.shuffle.partitions"
# Groups of connections and channels are small; each partition of each query costs a task.
_FEW = 16


def audit_fleet(session: Any, lake: Lake) -> list[Finding]:
    """What is found across connections, with the first frame of each; in no order.

    Args:
        session: The session. It gets the tables of the lake as temporary views.
        lake: The lake.
    """
    columns = ", ".join(FLEET_COLUMNS)
    found = " UNION ALL ".join(f"SELECT {columns} FROM ({query})" for query in QUERIES.values())
    frame = ", ".join(f"f.{name} AS f_{name}" for name in FRAME_COLUMNS)
    connection = ", ".join(f"c.`{name}` AS c_{name}" for name in _CONNECTION)
    query = f"""
SELECT /*+ BROADCAST(x) */ x.*, {frame}, {connection}
FROM ({found}) x
LEFT JOIN connections c ON c.capture_id = x.capture_id AND c.conn_id = x.conn_id
LEFT JOIN frames f ON f.capture_id = x.capture_id AND f.conn_id = x.conn_id AND f.frame_no = x.frame_no
"""
    before = session.conf.get(_PARTITIONS)
    session.conf.set(_PARTITIONS, str(_FEW))
    try:
        register_for(session, lake, query)
        rows = session.sql(query).collect()
    finally:
        session.conf.set(_PARTITIONS, before)
    return [_finding(row.asDict()) for row in rows]


def _finding(row: dict[str, Any]) -> Finding:
    rule, frame_no = RULES[row["rule_id"]], row["frame_no"]
    frame = {name: row[f"f_{name}"] for name in FRAME_COLUMNS}
    facts = {name: row[f"c_{name}"] for name in _CONNECTION}
    key = row["capture_id"], row["conn_id"], row["channel"], frame_no
    octets = b""
    if frame["type"] is not None and facts["package"] != PACKAGE1:
        octets = octets0(
            TrailFrame(frame_no, *(frame[name] for name in FRAME_COLUMNS)), facts["package"] or ""
        )
    return Finding(
        finding_id(rule.id, *key),
        rule.id,
        rule.severity.value,
        facts["protocol"],
        rule.source,
        row["capture_id"],
        row["conn_id"],
        client_label(facts),
        row["channel"],
        frame["dir"],
        frame_no,
        frame["stream_off"],
        frame["file_no"],
        frame["pkt_no"],
        frame["pkt_off"],
        frame["ns"],
        row["occurrences"],
        row["evidence"] or "",
        octets[:MOST_BYTES].hex() or None,
        facts["start_ns"],
    )
