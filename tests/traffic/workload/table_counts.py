"""What tables and audit say of a captured workload, in the words of the programs that run it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from ..real_captures.lake_rows import Row, ingest, rows_of, traffic


class AuditedWorkload(NamedTuple):
    """A workload that was ingested.

    Attributes:
        connections: The rows of the table connections.
        counts: How often was done what the programs count.
        findings: What the audit says.
    """

    connections: list[Row]
    counts: Counter[str]
    findings: list[dict[str, Any]]


def audited(capture: Path, lake: Path, name: str | None = None) -> AuditedWorkload:
    """Ingest and audit a capture; with ``name`` only the connections that use queues of the workload of this name."""
    done = ingest([capture], lake)
    assert done.code == 0 or name, done.err
    connections, methods = rows_of(lake, "connections"), rows_of(lake, "methods")
    if name:
        users = {row["conn_id"] for row in methods if (row["queue"] or "").startswith(name)}
        connections = [
            row for row in connections if row["connection_name"] == name or row["conn_id"] in users
        ]
    ours = {row["conn_id"] for row in connections}
    messages = [row for row in rows_of(lake, "messages") if row["conn_id"] in ours]
    counts = Counter(name for message in messages for name in _names(message))
    counts["empty"] = sum(row["method"] == "basic.get-empty" and row["conn_id"] in ours for row in methods)
    findings = json.loads("\n".join(traffic("audit", lake, "--format", "json").out))["findings"]
    return AuditedWorkload(connections, counts, [one for one in findings if one["conn_id"] in ours])


_KINDS = {"publish": "publish", "return": "return", "deliver": "deliver", "get-ok": "get"}
_OUTCOMES1 = {"ack": "accept", "nack": "release", "reject": "reject"}


def _names(message: Row) -> list[str]:
    """What a message counts as: what became of it, too."""
    kind, settle = message["kind"], message["settle"]
    if kind == "transfer":
        if message["dir"] == 0:
            return ["send", *(["accepted"] if settle == "ack" else [])]
        return ["receive", *([_OUTCOMES1[settle]] if settle in _OUTCOMES1 else [])]
    names = [_KINDS[kind]]
    if message["confirm"] == "ack":
        names.append("confirm")
    if settle in ("ack", "nack", "reject"):
        names.append(settle)
    return names
