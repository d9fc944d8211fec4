"""``spark.read.format("amqp")``: found by Spark itself, and the same rows as in a lake."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

from amqp_traffic.decode.body_retention import parse_body_retention
from amqp_traffic.ingest.job import ReadSettings
from amqp_traffic.schemas import TABLES, table_columns

from tests.patience import PATIENCE

from ..ingest.lake_tables import Ingested, ingested
from .captures import MIX, write_capture, write_ring


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ring of two files, and a capture."""
    folder = tmp_path_factory.mktemp("captures")
    write_ring(folder, seed=4, **{**MIX, "size": 150_000})
    write_capture(folder / "other.pcapng", seed=5, size=60_000, connections=4, form="pcapng", drop=0.02)
    return folder


@pytest.fixture(scope="module")
def lake(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Ingested:
    return ingested([folder], tmp_path_factory.mktemp("lake") / "lake")


def rows_of(frame: Any) -> Counter[str]:
    return Counter(str(_plain(row.asDict(recursive=True))) for row in frame.collect())


def expected(lake: Ingested, table: str) -> Counter[str]:
    """The rows of the lake as the source gives them: with the name of the capture in front, without the date."""
    return Counter(
        str(
            {"capture_id": row["capture_id"], **{name: _plain(row[name]) for name, _ in table_columns(table)}}
        )
        for row in lake[table]
    )


def _plain(value: Any) -> Any:
    """What Spark and Arrow have in common: variants as octets, moments without a time zone, maps as pairs."""
    if isinstance(value, dict) and not {"capture_id"} & value.keys():
        return value if value.keys() == {"value", "metadata"} else sorted(value.items())
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, list):
        return sorted(value) if value and isinstance(value[0], tuple) else value
    if isinstance(value, bytearray):
        return bytes(value)
    if hasattr(value, "tzinfo"):
        return value.timestamp()
    if type(value).__name__ == "VariantVal":
        return {"value": bytes(value.value), "metadata": bytes(value.metadata)}
    return value


@pytest.mark.parametrize("table", TABLES)
def test_rows(table: str, spark: Any, folder: Path, lake: Ingested) -> None:
    """Nothing was registered by anybody; a folder with two captures."""
    found = spark.read.format("amqp").option("table", table).load(str(folder))
    assert found.columns == ["capture_id", *(name for name, _ in table_columns(table))]
    rows = rows_of(found)
    assert rows
    assert rows == expected(lake, table)


@pytest.mark.parametrize("partitions", [1, 3])
def test_partitions(partitions: int, spark: Any, folder: Path, lake: Ingested) -> None:
    """However many tasks there are: frames, and what is not of any connection."""
    read = spark.read.format("amqp").option("partitions", str(partitions))
    frames = read.option("table", "frames").load(str(folder))
    assert frames.rdd.getNumPartitions() == 2 * partitions
    assert rows_of(frames) == expected(lake, "frames")
    for table in ("captures", "quarantine"):
        assert rows_of(read.option("table", table).load(str(folder))) == expected(lake, table)


def test_several_paths(spark: Any, folder: Path, lake: Ingested) -> None:
    paths = sorted(map(str, folder.iterdir()))
    assert len(paths) == 3
    assert rows_of(spark.read.format("amqp").load(paths)) == expected(lake, "frames")


def test_options(spark: Any, folder: Path, tmp_path: Path) -> None:
    """Options of the command ``ingest``, too."""
    path = folder / "other.pcapng"
    settings = ReadSettings((1234, 5672), parse_body_retention("head:5"))
    messages = ingested([path], tmp_path / "lake", settings=settings)
    read = spark.read.format("amqp").options(table="messages", bodies="head:5", serverPorts="1234, 5672")
    assert rows_of(read.load(str(path))) == expected(messages, "messages")
    assert any(row["body_head"] for row in messages["messages"])


def test_sql(spark: Any, folder: Path, lake: Ingested) -> None:
    spark.sql(f"CREATE TEMPORARY VIEW of_amqp USING amqp OPTIONS (path '{folder}', table 'methods')")
    try:
        found = spark.sql("select method, count(*) from of_amqp group by method").collect()
        assert dict(found) == Counter(row["method"] for row in lake["methods"])
    finally:
        spark.catalog.dropTempView("of_amqp")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"table": "tables"}, "there is no table 'tables'; there are captures, connections, frames"),
        ({"bodies": "some"}, "the option bodies: "),
        ({"serverPorts": "5672,amqp"}, "the option serverPorts wants numbers up to 65535, not 'amqp'"),
        ({"serverPorts": "99999"}, "serverPorts wants numbers up to 65535"),
        ({"partitions": "many"}, "the option partitions wants numbers"),
        ({"partitions": "-1"}, "the option partitions wants numbers"),
        ({}, "there is no such file"),
    ],
    ids=str,
)
def test_what_is_wrong(options: dict[str, str], message: str, spark: Any, tmp_path: Path) -> None:
    from pyspark.errors import PySparkException

    with pytest.raises(PySparkException) as caught:
        spark.read.format("amqp").options(**options).load(str(tmp_path / "nothing.pcap")).collect()
    assert message in str(caught.value)


def test_no_path(spark: Any) -> None:
    from pyspark.errors import PySparkException

    with pytest.raises(PySparkException, match="wants the path of a capture"):
        spark.read.format("amqp").load().collect()


def test_there_is_no_stream(spark: Any, folder: Path, tmp_path: Path) -> None:
    from pyspark.errors import StreamingQueryException

    stream = spark.readStream.format("amqp").load(str(folder))
    writer = stream.writeStream.format("noop").option("checkpointLocation", str(tmp_path / "checkpoint"))
    with pytest.raises(StreamingQueryException) as caught:
        writer.start().awaitTermination(PATIENCE)
    [line] = {line for line in str(caught.value).splitlines() if line.startswith("ValueError: ")}
    assert line.startswith(
        "ValueError: format amqp has no readStream; amqp-codegen traffic ingest --follow DIR --out LAKE"
    )
