"""Tasks that Spark carries: no file holds them, and each executor gets its own alone."""

from __future__ import annotations

import pickle
from functools import partial
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")
pytest.importorskip("pyspark", reason="needs PySpark")

from amqp_traffic.audit.lake_audit import audit_on_spark
from amqp_traffic.ingest.spark_source import AmqpSource
from amqp_traffic.tasks.spark import carried_tasks

from ..audit.audited_methods import ready
from ..explain.explained_lakes import capture, findings_of, lake_of
from ..messages.method_script import client

TASKS = [partial(divmod, 7, 2), partial(divmod, 9, 2)]


def test_the_source_runs_the_tasks_that_it_is_given() -> None:
    """As in Spark Connect, where the options are all that a task is told."""
    reader = AmqpSource({carried_tasks.TASKS: carried_tasks.pack_tasks(TASKS)}).reader(None)
    partitions = reader.partitions()
    elsewhere = pickle.loads(pickle.dumps(reader))
    assert elsewhere.partitions() == []
    results = [next(iter(elsewhere.read(partition))).to_pylist() for partition in partitions]
    assert [[(row["number"], pickle.loads(row["result"])) for row in rows] for rows in results] == [
        [(0, (3, 1))],
        [(1, (4, 1))],
    ]


def test_an_audit_on_spark_writes_nothing_into_the_lake(spark: Any, tmp_path: Path) -> None:
    lake = lake_of(tmp_path, capture(tmp_path, ready(client("basic.ack", delivery_tag=1))))
    root = Path(lake.root)
    for path in root.rglob("*"):
        path.chmod(0o555 if path.is_dir() else 0o444)
    before = {path: path.stat().st_mtime_ns for path in (root, *root.rglob("*"))}
    found = audit_on_spark(spark, lake, lambda text: None)
    assert [item.row() for item in found] == [item.row() for item in findings_of(lake)]
    assert {path: path.stat().st_mtime_ns for path in (root, *root.rglob("*"))} == before
    for path in root.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
