"""The tables of the specifications in a lake: written once, and when they are not alike."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

import pyarrow as pa
import pyarrow.parquet as pq
from amqp_traffic.lake.arrow_types import arrow_schema
from amqp_traffic.lake.folder import create_lake
from amqp_traffic.lake.specification import built_in
from amqp_traffic.lake.specification.built_in import write_specifications
from amqp_traffic.lake.specification.columns import SPEC_TABLES


def test_specifications_in_a_lake(tmp_path: Path) -> None:
    lake = create_lake(str(tmp_path))
    assert write_specifications(lake) == list(SPEC_TABLES)
    for table, rows in built_in.built_in_rows().items():
        [path] = lake.files(table)
        assert path == f"{table}/part-0.parquet"
        found = pq.read_table(tmp_path / path)
        assert found.schema.equals(arrow_schema(SPEC_TABLES[table]))
        assert found.num_rows == len(rows)
        for wanted, row in zip(rows, found.to_pylist(), strict=True):
            assert {name: value for name, value in row.items() if value is not None} == {
                name: value for name, value in wanted.items() if value is not None
            }

    # A second time nothing is written; what is missing, damaged or of another version is.
    times = {path: path.stat().st_mtime_ns for path in tmp_path.glob("spec_*/*")}
    assert write_specifications(lake) == []
    assert {path: path.stat().st_mtime_ns for path in tmp_path.glob("spec_*/*")} == times
    (tmp_path / "spec_rules" / "part-0.parquet").unlink()
    (tmp_path / "spec_types" / "part-0.parquet").write_bytes(b"PAR1")
    # What somebody else wrote there has no note of ours.
    fields = tmp_path / "spec_fields" / "part-0.parquet"
    pq.write_table(pq.read_table(fields).replace_schema_metadata(None), fields)
    assert write_specifications(lake) == ["spec_fields", "spec_types", "spec_rules"]
    assert write_specifications(lake) == []
    assert all(len(lake.files(table)) == 1 for table in SPEC_TABLES)


def test_other_specifications_are_written_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lake = create_lake(str(tmp_path))
    write_specifications(lake)
    before = (tmp_path / "spec_rules" / "part-0.parquet").read_bytes()
    monkeypatch.setattr(built_in, "__version__", "0.0")
    assert write_specifications(lake) == list(SPEC_TABLES)
    after = (tmp_path / "spec_rules" / "part-0.parquet").read_bytes()
    assert after != before
    assert pq.read_table(pa.BufferReader(after)).equals(pq.read_table(pa.BufferReader(before)))
    assert write_specifications(lake) == []


def test_they_are_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lake = create_lake(str(tmp_path))
    write_specifications(lake)
    monkeypatch.setattr(built_in, "built_in_rows", None)
    assert write_specifications(lake) == []
