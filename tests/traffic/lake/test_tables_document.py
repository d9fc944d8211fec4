"""docs/traffic-tables.md names every table with all of its columns and their types, and every view."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from amqp_traffic.lake.spark_catalog import spark_type
from amqp_traffic.lake.specification.columns import SPEC_TABLES
from amqp_traffic.lake.specification.version_views import COMPARISONS
from amqp_traffic.lake.views import HANDY_VIEWS, all_views
from amqp_traffic.schemas import TABLES, Columns, table_columns

ROOT = Path(__file__).resolve().parents[3]
TEXT = (ROOT / "docs" / "traffic-tables.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^##+ ([^\n]+)\n(.*?)(?=^##|\Z)", TEXT, re.MULTILINE | re.DOTALL))
ALL: dict[str, Columns] = {table: table_columns(table) for table in TABLES} | SPEC_TABLES


@pytest.mark.parametrize("table", ALL)
def test_every_column_is_there(table: str) -> None:
    text = SECTIONS[table]
    if table in SPEC_TABLES:
        text += SECTIONS["Tables of the specifications"]
    told = dict(re.findall(r"^\| `(\w+)` \| ([\w<>,]+) \| \S.* \|$", text, re.MULTILINE))
    for kind, names in re.findall(r"^\| ([\w<>]+) \| ((?:`\w+`(?:, )?)+) \|$", text, re.MULTILINE):
        told |= dict.fromkeys(re.findall(r"`(\w+)`", names), kind)
    wanted = {name: spark_type(kind) for name, kind in ALL[table]}
    assert {name: told.get(name) for name in wanted} == wanted
    if table in TABLES:
        assert told.keys() == wanted.keys()


def test_every_view_is_there() -> None:
    for view in HANDY_VIEWS:
        assert f"| `{view.name}` | " in SECTIONS["Views"]
    for comparison in COMPARISONS:
        keys, compared = (
            ", ".join(f"`{name}`" for name in names) for names in (comparison.keys, comparison.compared)
        )
        assert f"| `{comparison.view}` | {keys} | {compared} |" in SECTIONS["Views that compare versions"]
    known = {view.name for view in all_views()}
    assert set(re.findall(r"\b(?:v1?|spec_diff)_[a-z_]+", TEXT)) <= known
