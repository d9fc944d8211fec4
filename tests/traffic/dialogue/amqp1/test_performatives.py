"""The names of columns are those that the generated package gives its rows."""

from __future__ import annotations

import pytest
from amqp_1_0.columns import PerformativeColumns
from amqp_traffic.dialogue.amqp1 import performatives

RECORDS = ("Open", "Begin", "Attach", "Flow", "Transfer", "Disposition", "Detach", "Close")


@pytest.mark.parametrize("name", RECORDS)
def test_records_have_the_columns_of_the_generated_package(name: str) -> None:
    columns = PerformativeColumns().gathered[name.lower()].kind.columns
    assert getattr(performatives, f"{name}Fields")._fields == tuple(column for column, _ in columns)


def test_a_record_takes_columns_by_name() -> None:
    detach = performatives.from_fields(performatives.DetachFields, {"handle": 3, "other": 1})
    assert detach == (3, None, None, None, None)
