"""Small lakes, written with pyarrow as an ingestion would."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from amqp_traffic.lake.arrow_types import arrow_schema
from amqp_traffic.lake.folder import Lake, create_lake
from amqp_traffic.lake.specification.built_in import write_specifications
from amqp_traffic.schemas import table_columns

from ..lake.staged import staged

DAY = date(2026, 11, 21)
# A VARIANT of {"x-max-length": 10}, as the generated packages write it: value and metadata.
TEN = {
    "metadata": b"\x01\x01\x00\x0cx-max-length",
    "value": b"\x02\x01\x00\x00\x02\x0c\x0a",
}

Rows = Mapping[str, Sequence[Mapping[str, Any]]]


def make_lake(place: Path, captures: Mapping[str, Rows], specifications: bool = False) -> Lake:
    """A lake with rows of captures: by capture, by table; columns that are not named are null."""
    lake = create_lake(str(place))
    add_captures(lake, captures)
    if specifications:
        write_specifications(lake)
    return lake


def add_captures(lake: Lake, captures: Mapping[str, Rows]) -> None:
    run = lake.new_run()
    for capture, tables in captures.items():
        for table, rows in tables.items():
            folder = Path(lake.staged_folder(run, table, DAY, capture))
            folder.mkdir(parents=True)
            schema = arrow_schema(table_columns(table))
            pq.write_table(pa.Table.from_pylist(list(rows), schema), folder / "part-0.parquet")
    lake.commit(run, list(captures), staged(lake, run))


def frame(number: int, **columns: Any) -> dict[str, Any]:
    """The key of a frame, and whatever else."""
    return {
        "conn_id": "c1",
        "dir": 0,
        "frame_no": number,
        "stream_off": 100 * number,
        "ns": number,
        **columns,
    }
