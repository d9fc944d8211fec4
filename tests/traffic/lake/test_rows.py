"""Rows by the names of their columns."""

from __future__ import annotations

import pytest
from amqp_traffic.rows import column_index, row_of

COLUMNS = (("a", "int8"), ("b", "int8"), ("c", "int8"), ("d", "int8"))


def test_index() -> None:
    assert [column_index(COLUMNS, name) for name in "dab"] == [3, 0, 1]
    with pytest.raises(ValueError, match="not in list"):
        column_index(COLUMNS, "e")


def test_by_name() -> None:
    make = row_of(COLUMNS)
    assert make({"c": 3, "a": 1}) == (1, None, 3, None)
    assert make({}) == (None,) * 4
    with pytest.raises(ValueError, match="no columns: e"):
        make({"a": 1, "e": 2})
