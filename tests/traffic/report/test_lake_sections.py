"""The sections of a report agree with the tables that an ingest wrote, without Spark."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

import pyarrow as pa
import pyarrow.parquet as pq
from amqp_traffic.lake.folder import Lake, LakeError, open_lake
from amqp_traffic.report.contents import ReportContents, gather_contents
from amqp_traffic.report.lake_rows import summed
from amqp_traffic.report.measures import _percentiles

from tests.cli.command_calls import call

_ON_SPARK = "amqp_traffic.tasks.spark"
CONNECTIONS = 24


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Lake:
    folder = tmp_path_factory.mktemp("report")
    capture, place = folder / "x.pcap", folder / "lake"
    for words in (
        ["synth", "--seed", "4", "--out", str(capture), "--size", "300KB", "--connections", str(CONNECTIONS)],
        ["ingest", str(capture), "--out", str(place), "--engine", "local"],
    ):
        call("traffic", *words)
    return open_lake(str(place))


@pytest.fixture(scope="module")
def contents(lake: Lake) -> ReportContents:
    return gather_contents(lake, None)


def rows(lake: Lake, table: str) -> list[dict[str, object]]:
    return [row for path in lake.files(table) for row in pq.read_table(f"{lake.root}/{path}").to_pylist()]


def test_messages(lake: Lake, contents: ReportContents) -> None:
    sent = [row for row in rows(lake, "messages") if row["kind"] != "return" and row["source"] == "wire"]
    together, by_client = contents.activities.together, contents.activities.by_client.values()
    assert together.total("publish") == sum(row["dir"] == 0 for row in sent) > 0
    assert together.total("deliver") == sum(row["dir"] == 1 for row in sent) > 0
    settled = [row for row in sent if row["settle_ns"] is not None or row["confirm_ns"] is not None]
    assert together.total("ack") + together.total("confirm") == len(settled) > 0
    for event in ("publish", "deliver", "ack", "confirm", "return"):
        assert sum(item.total(event) for item in by_client) == together.total(event)


def test_connections(lake: Lake, contents: ReportContents) -> None:
    assert sum(client.connections for client in contents.clients) == contents.span.connections == CONNECTIONS
    assert sum(len(connection) for connection in contents.connections.values()) == CONNECTIONS
    own = rows(lake, "connections")
    assert contents.activities.together.total("open") == sum(row["start_mode"] == "syn" for row in own)
    assert sum(client.bytes_sent for client in contents.clients) == sum(row["client_bytes_wire"] or 0 for row in own)  # type: ignore[misc]
    frames = [client.frames for client in contents.clients]
    assert frames == sorted(frames, reverse=True) and sum(frames) > 0


def test_octets_and_sizes(lake: Lake, contents: ReportContents) -> None:
    assert all(octets.difference == 0 < octets.wire for octets in contents.ledger.octets)
    assert sum(frame.times for frame in contents.sizes.frames) == sum(row["type"] >= 0 for row in rows(lake, "frames"))  # type: ignore[operator]
    sizes = [row["body_size"] for row in rows(lake, "messages") if row["body_size"] is not None]
    assert sum(body.times for body in contents.sizes.bodies) == len(sizes)
    assert contents.sizes.largest == max(sizes)  # type: ignore[type-var]
    assert sum(item.times for item in contents.quarantine) == len(rows(lake, "quarantine"))


def test_waits_links_and_topology(lake: Lake, contents: ReportContents) -> None:
    waits = [value for of in contents.latencies.values() for value in of.values()]
    assert waits and all(0 <= wait.p50 <= wait.p95 <= wait.p99 <= wait.most for wait in waits)
    transfers = sum(row["kind"] == "transfer" for row in rows(lake, "messages"))
    assert sum(link.messages for link in contents.links) == transfers > 0
    assert contents.topology.edges


def test_percentiles_are_those_of_the_classes() -> None:
    """The longest of a class stands for it: one wait is exact."""
    assert _percentiles([(3, 1, 77)]) == _percentiles([(3, 1, 77)])
    assert (_percentiles([(3, 1, 77)]).p50, _percentiles([(3, 1, 77)]).most) == (77, 77)
    many = _percentiles([(1, 50, 10), (2, 45, 20), (3, 4, 30), (9, 1, 900)])
    assert (many.times, many.p50, many.p95, many.p99, many.most) == (100, 10, 20, 30, 900)


def test_sums_of_sums() -> None:
    parts = [
        pa.table({"key": ["a", "b", None], "times": [1, 2, 3]}),
        pa.table({"key": ["b", None, "b"], "times": [4, 5, 6]}),
    ]
    found = summed(parts, ["key"], {"times": "sum"}).to_pylist()
    assert {row["key"]: row["times"] for row in found} == {"a": 1, "b": 12, None: 8}
    assert summed([], ["key"], {"times": "sum"}).num_columns == 0


def test_a_damaged_table_is_named(lake: Lake, tmp_path: Path) -> None:
    copied = tmp_path / "lake"
    shutil.copytree(lake.root, copied)
    [path] = (copied / "messages").rglob("*.parquet")
    octets = path.read_bytes()
    path.write_bytes(octets[:40] + bytes(len(octets) // 2) + octets[40 + len(octets) // 2 :])
    with pytest.raises(LakeError, match=r"messages/.*ingest its capture again"):
        gather_contents(open_lake(str(copied)), None)


def test_no_spark_is_loaded(lake: Lake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("vl_convert", reason="needs vl-convert-python")
    for name in ("pyspark", *(name for name in sys.modules if name.startswith(("pyspark.", _ON_SPARK)))):
        monkeypatch.setitem(sys.modules, name, None)
    page = tmp_path / "report.html"
    assert call("traffic", "report", lake.root, "-o", page).code == 0
    assert "What is wrong" in page.read_text()
