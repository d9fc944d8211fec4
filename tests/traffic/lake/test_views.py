"""Views as data: what there are, and that their columns are those of the tables. That they run is tested with Spark."""

from __future__ import annotations

import re

import pytest
from amqp_traffic.lake.specification import built_in
from amqp_traffic.lake.specification.columns import SPEC_TABLES
from amqp_traffic.lake.specification.version_views import COMPARISONS
from amqp_traffic.lake.views import all_views, method_views, performative_views
from amqp_traffic.schemas import PACKAGES0, TABLES, table_columns

VIEWS = {view.name: view for view in all_views()}


def test_every_name_is_one_thing() -> None:
    names = [*TABLES, *SPEC_TABLES, *(view.name for view in all_views())]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z][a-z0-9_]*", name) for name in names)


def test_every_method_and_performative_has_a_view() -> None:
    rows = built_in.built_in_rows()["spec_methods"]
    names = {row["name"].replace(".", "_").replace("-", "_") for row in rows if row["kind"] == "method"}
    assert {view.name for view in method_views()} == {f"v_{name}" for name in names}
    names = {row["name"].replace("-", "_") for row in rows if row["kind"] != "method"}
    assert {view.name for view in performative_views()} == {f"v1_{name}" for name in names}


@pytest.mark.parametrize(
    ("views", "table"), [(method_views, "methods"), (performative_views, "performatives")]
)
def test_their_columns_are_some_of_the_table(views, table: str) -> None:
    known = [name for name, _ in table_columns(table)]
    for view in views():
        own = [name for name in view.columns if name not in ("date", "capture_id")]
        assert set(own) <= set(known)
        assert len(set(own)) == len(own)
        assert own[:6] == known[:6]


def test_a_view_has_the_arguments_of_all_versions() -> None:
    declare = VIEWS["v_queue_declare"]
    assert declare.columns == (
        "date", "capture_id", "conn_id", "dir", "frame_no", "stream_off", "ns", "channel",
        "queue", "passive", "durable", "exclusive", "auto_delete", "no_wait", "arguments", "misfits",
        "ticket", "nowait", "raw", "violations",
    )  # fmt: skip
    assert declare.sql.endswith("FROM methods WHERE `method` = 'queue.declare'")
    assert "payload_size" in VIEWS["v1_transfer"].columns
    assert "payload_size" not in VIEWS["v1_open"].columns
    assert len(PACKAGES0) == 5


def test_views_are_over_tables_alone() -> None:
    for view in all_views():
        words = set(re.findall(r"\w+", view.sql))
        assert words & {*TABLES, *SPEC_TABLES}
        assert not words & (VIEWS.keys() - {view.name}), view.name


@pytest.mark.parametrize("comparison", COMPARISONS, ids=lambda comparison: comparison.view)
def test_comparisons_are_of_columns_that_there_are(comparison) -> None:
    columns = {name for name, _ in SPEC_TABLES[comparison.table]}
    assert {*comparison.keys, *comparison.compared} <= columns
    rows = [row for row in built_in.built_in_rows()[comparison.table] if not row["version"].startswith("1.0")]
    keys = [(row["version"], *(row.get(name) for name in comparison.keys)) for row in rows]
    assert len(set(keys)) == len(keys)


def test_every_table_of_the_specifications_can_be_compared() -> None:
    assert {comparison.table for comparison in COMPARISONS} == SPEC_TABLES.keys() - {"spec_versions"}
