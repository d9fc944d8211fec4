"""The audit on Spark finds what it finds without."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from amqp_traffic.audit.fleet.queries import QUERIES
from amqp_traffic.audit.lake_audit import audit_lake
from amqp_traffic.audit.rule import TARGETS
from amqp_traffic.tasks.runner import InProcess

from ..audit.cases_fleet import CASES
from ..explain.explained_lakes import capture, lake_of


def test_it_finds_the_same(spark: Any, tmp_path: Path) -> None:
    from amqp_traffic.audit.lake_audit import audit_on_spark

    rules = list(CASES)
    captures = [
        capture(
            tmp_path, *(talk for rule in rules[first::3] for talk in CASES[rule].wrong), name=f"{first}.pcap"
        )
        for first in range(3)
    ]
    lake = lake_of(tmp_path, *captures)
    found = audit_on_spark(spark, lake, lambda text: None, *TARGETS)
    assert found == audit_lake(lake, InProcess(), TARGETS, 3)
    assert {item.rule_id for item in found} >= QUERIES.keys()
    assert list(Path(lake.root, "_staging").iterdir()) == []
