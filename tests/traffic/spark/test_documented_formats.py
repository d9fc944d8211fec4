"""The programs in docs/traffic.md that write tables of the data source to other formats are run as they stand."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

from .captures import HOT, write_capture

TEXT = (Path(__file__).resolve().parents[3] / "docs" / "traffic.md").read_text(encoding="utf-8")


@pytest.fixture
def counts(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """A capture where the programs expect it; returns the number of rows of each table that they write."""
    monkeypatch.chdir(tmp_path)
    capture = write_capture(tmp_path / "monday.pcapng", seed=3, **{**HOT, "size": 60_000, "form": "pcapng"})
    read = spark.read.format("amqp")
    return {
        table: read.option("table", table).load(str(capture)).count() for table in ("frames", "connections")
    }


def run(name: str, spark: Any) -> None:
    found = re.search(rf"^```python {name}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    assert found, name
    # Java, which starts the readers, may have been started in another folder.
    program = found[1].replace('"monday.pcapng"', repr(str(Path("monday.pcapng").absolute())))
    exec(compile(program, name, "exec"), {"spark": spark})


def test_a_catalog(spark: Any, counts: dict[str, int]) -> None:
    spark.sql("DROP TABLE IF EXISTS connections_of_monday")
    run("to_catalog.py", spark)
    try:
        assert spark.table("connections_of_monday").count() == counts["connections"] > 0
    finally:
        spark.sql("DROP TABLE IF EXISTS connections_of_monday")


def test_delta(spark: Any, counts: dict[str, int]) -> None:
    deltalake = pytest.importorskip("deltalake", reason="needs deltalake: pip install .[formats]")
    run("to_delta.py", spark)
    table = deltalake.DeltaTable("delta/frames")
    assert table.to_pyarrow_table().num_rows == counts["frames"] > 0


def test_iceberg(spark: Any, counts: dict[str, int]) -> None:
    catalogs = pytest.importorskip("pyiceberg.catalog.sql", reason="needs pyiceberg: pip install .[formats]")
    run("to_iceberg.py", spark)
    catalog = catalogs.SqlCatalog(
        "traffic", uri="sqlite:///iceberg/catalog.db", warehouse="file://" + str(Path("iceberg").absolute())
    )
    assert catalog.load_table("traffic.frames").scan().to_arrow().num_rows == counts["frames"] > 0
