"""The audit on Spark finds what it finds without."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from amqp_traffic.audit.fleet.queries import QUERIES
from amqp_traffic.audit.lake_audit import audit_lake
from amqp_traffic.audit.rules.rule import TARGETS
from amqp_traffic.lake.folder import Lake
from amqp_traffic.tasks.runner import InProcess

from ..audit.fleet_lake import fleet_lake

_FLEET = QUERIES.keys()


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Lake:
    return fleet_lake(tmp_path_factory.mktemp("audit"))


def test_it_finds_the_same(spark: Any, lake: Lake) -> None:
    from amqp_traffic.audit.lake_audit import audit_on_spark

    found = audit_on_spark(spark, lake, lambda text: None, *TARGETS)
    assert found == audit_lake(lake, InProcess(), TARGETS, 3)
    assert {each.rule_id for each in found} >= _FLEET
    assert list(Path(lake.root, "_staging").iterdir()) == []
