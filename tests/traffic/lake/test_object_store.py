"""A lake in an object store, as docs/traffic.md says; a server of S3 in this process stands for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from amqp_traffic.lake.folder import open_lake
from amqp_traffic.schemas import TABLES

from tests.cli.command_calls import Result, call

from ..synth.made_captures import make

moto = pytest.importorskip("moto.server", reason="needs moto[server]: pip install .[formats]")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default:::(moto|botocore|werkzeug|flask)")]


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    """A store with one bucket: its host and port."""
    boto3 = pytest.importorskip("boto3", reason="needs boto3: pip install .[formats]")
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    with pytest.MonkeyPatch.context() as patched:
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            patched.setenv(name, "any")
        patched.setenv("AWS_DEFAULT_REGION", "us-east-1")
        client = boto3.client("s3", endpoint_url=f"http://{host}:{port}")
        client.create_bucket(Bucket="bucket")
        client.close()
        yield f"{host}:{port}"
    server.stop()


@pytest.fixture
def capture(tmp_path: Path) -> Path:
    path = tmp_path / "a.pcap"
    path.write_bytes(make(seed=3, size=60_000, connections=4).capture)
    return path


def ingest(capture: Path, place: str | Path) -> Result:
    return call("traffic", "ingest", str(capture), "--out", str(place), "--engine", "local")


def rows_of(place: str) -> dict[str, list[str]]:
    """The rows of each table, as texts in order."""
    lake = open_lake(place)
    return {
        table: sorted(
            repr(row)
            for path in lake.files(table)
            for row in pq.read_table(f"{lake.root}/{path}", filesystem=lake.filesystem, partitioning=None).to_pylist()
        )
        for table in TABLES
    }  # fmt: skip


@pytest.mark.parametrize("by", ["address", "variable"])
def test_a_lake_in_s3(
    by: str, endpoint: str, capture: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ingested twice: the rows of a local lake, once. The audit reads them."""
    place = f"s3://bucket/{by}"
    if by == "address":
        place += f"?endpoint_override={endpoint}&scheme=http"
    else:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{endpoint}")
    code = ingest(capture, tmp_path / "lake").code
    assert [ingest(capture, place).code, ingest(capture, place).code] == [code, code]
    assert (rows := rows_of(place)) == rows_of(str(tmp_path / "lake"))
    assert rows["frames"]
    audits = [call("traffic", "audit", str(lake), "--format", "json") for lake in (place, tmp_path / "lake")]
    assert audits[0].out == audits[1].out


def test_a_bucket_that_does_not_exist(endpoint: str, capture: Path) -> None:
    done = ingest(capture, f"s3://none/lake?endpoint_override={endpoint}&scheme=http")
    assert (done.code, done.out) == (2, [])
    (line,) = done.err
    assert "Bucket 'none' not found" in line


def test_credentials_that_are_refused(endpoint: str, capture: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    responses = pytest.importorskip(
        "moto.core.responses", reason="needs moto[server]: pip install .[formats]"
    )
    monkeypatch.setattr(responses.settings, "INITIAL_NO_AUTH_ACTION_COUNT", 0.0)
    monkeypatch.setattr(responses.ActionAuthenticatorMixin, "request_count", 0)
    done = ingest(capture, f"s3://bucket/other?endpoint_override={endpoint}&scheme=http")
    assert (done.code, done.out) == (2, [])
    (line,) = done.err
    assert "ACCESS_DENIED" in line


def test_a_capture_in_a_store(endpoint: str, tmp_path: Path) -> None:
    """Captures are files."""
    done = ingest(Path("s3://bucket/a.pcap"), tmp_path / "lake")
    assert (done.code, done.out) == (2, [])
    (line,) = done.err
    assert "s3:/bucket/a.pcap: captures must be files: copy it here, or mount the store" in line
    assert not (tmp_path / "lake").exists()
