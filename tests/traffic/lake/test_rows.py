"""Rows by the names of their columns."""

from __future__ import annotations

import pytest
from amqp_traffic.rows import column_index, row_maker, row_of
from amqp_traffic.schemas import MESSAGES

COLUMNS = (("a", "int8"), ("b", "int8"), ("c", "int8"), ("d", "int8"))


def test_index() -> None:
    assert [column_index(COLUMNS, name) for name in "dab"] == [3, 0, 1]
    with pytest.raises(ValueError, match="not in list"):
        column_index(COLUMNS, "e")


@pytest.mark.parametrize("names", ["", "a", "ca", "dcba"])
def test_what_is_not_named_is_none(names: str) -> None:
    make = row_maker(COLUMNS, *names)
    assert make(names) == tuple(name if name in names else None for name in "abcd")


def test_what_is_named_counts() -> None:
    make = row_maker(MESSAGES, "kind", "dir")
    for values in ((), ("publish",), ("publish", 0, 1)):
        with pytest.raises(ValueError, match="for 2 columns"):
            make(values)


@pytest.mark.parametrize("names", ["e", "ab ", "aba"])
def test_wrong_names(names: str) -> None:
    with pytest.raises(ValueError, match="no column, or there twice"):
        row_maker(COLUMNS, *names)


def test_by_name() -> None:
    make = row_of(COLUMNS)
    assert make({"c": 3, "a": 1}) == (1, None, 3, None)
    assert make({}) == (None,) * 4
    with pytest.raises(ValueError, match="no columns: e"):
        make({"a": 1, "e": 2})
