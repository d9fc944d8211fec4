"""The queries in docs/traffic-tables.md can be asked."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

from amqp_traffic.lake.spark_catalog import register_for
from amqp_traffic.lake.spark_query import ask

from .lakes import TEN, frame, make_lake

TEXT = (Path(__file__).resolve().parents[3] / "docs" / "traffic-tables.md").read_text(encoding="utf-8")
QUERIES = [
    query
    for block in re.findall(r"^```sql\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    for query in block.split(";")
    if query.strip()
]


def test_every_query_of_the_document(spark: Any, tmp_path: Path) -> None:
    declare = frame(
        1, method="queue.declare", queue="q", durable=False, exclusive=False, passive=False, arguments=TEN
    )
    rows = {"methods": [declare], "connections": [{"conn_id": "c1", "product": "pika", "version": "1"}]}
    lake = make_lake(tmp_path, {"a": rows}, specifications=True)
    answers = []
    for query in QUERIES:
        register_for(spark, lake, query)
        answers.append(list(ask(spark, query).rows))
    assert len(answers) >= 6
    assert answers[0] == [("pika", "1", None, "q", 1)]
    assert answers[1:4] == [[], [], []]
    assert answers[4] and answers[5]
