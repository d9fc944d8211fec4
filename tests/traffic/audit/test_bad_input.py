"""What cannot be audited or reported is told in one line, at once, and nothing is changed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

import pyarrow.parquet as pq
from amqp_codegen.cli.main import cli
from amqp_traffic.ingest.inputs import CaptureInput
from amqp_traffic.ingest.job import ReadSettings
from amqp_traffic.ingest.local import ingest, local_engine
from amqp_traffic.lake.folder import Lake, create_lake, open_traffic
from click.testing import CliRunner

from .audited_methods import capture_of, ready

_MARK = "_lake.json"


@pytest.fixture(params=["audit", "report"])
def command(request: pytest.FixtureRequest) -> str:
    if request.param == "report":
        pytest.importorskip("vl_convert", reason="needs vl-convert-python")
    return str(request.param)


def _files(folder: Path) -> Iterator[tuple[Path, bytes]]:
    return ((path, path.read_bytes()) for path in sorted(folder.rglob("*")) if path.is_file())


def _refused(command: str, lake: Path) -> str:
    """The line."""
    output = lake.parent / "output"
    before = list(_files(lake))
    result = CliRunner().invoke(cli, ["traffic", command, str(lake), "-o", str(output)])
    assert (result.exit_code, result.stdout) == (2, "")
    assert not output.exists()
    assert list(_files(lake)) == before
    (line,) = result.stderr.splitlines()
    return line


def _ingested(folder: Path) -> Lake:
    file = folder / "a.pcap"
    file.write_bytes(capture_of(ready()))
    lake = create_lake(str(folder / "lake"))
    list(ingest(lake, [CaptureInput("a", (file,))], local_engine(ReadSettings()), lambda octets: None))
    return lake


def test_no_lake(command: str, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "holiday.jpg").write_bytes(b"x")
    assert "is not a lake" in _refused(command, folder)
    assert "there is no lake" in _refused(command, tmp_path / "nothing")
    assert "is not a lake" in _refused(command, folder / "holiday.jpg")
    (folder / _MARK).write_text("[]")
    assert "is not a lake" in _refused(command, folder)


@pytest.mark.parametrize("number", [0, 99])
def test_a_lake_of_another_format(command: str, tmp_path: Path, number: int) -> None:
    mark = Path(_ingested(tmp_path).root, _MARK)
    mark.write_text(json.dumps({**json.loads(mark.read_text()), "format": number}))
    assert f"format {number}" in _refused(command, mark.parent)


@pytest.mark.parametrize(
    ("table", "column"), [("frames", "err"), ("connections", "package"), ("methods", "queue")]
)
def test_tables_of_an_older_version(command: str, tmp_path: Path, table: str, column: str) -> None:
    """They had fewer columns."""
    lake = _ingested(tmp_path)
    (path,) = lake.files(table)
    pq.write_table(pq.ParquetFile(f"{lake.root}/{path}").read().drop_columns([column]), f"{lake.root}/{path}")
    assert f"{path} has no column {column}" in _refused(command, Path(lake.root))


def test_what_was_ingested_just_now_is_fine(tmp_path: Path) -> None:
    lake = _ingested(tmp_path)
    assert open_traffic(lake.place).root == lake.root


def test_an_empty_lake(command: str, tmp_path: Path) -> None:
    lake = create_lake(str(tmp_path / "lake"))
    assert "no traffic in this lake; amqp-codegen traffic ingest" in _refused(command, Path(lake.root))


def test_an_ingest_that_was_interrupted(command: str, tmp_path: Path) -> None:
    """Before anything was committed."""
    lake = create_lake(str(tmp_path / "lake"))
    left = Path(lake.staging(lake.new_run()), "frames", "date=2026-11-21", "capture_id=a", "part-0.parquet")
    left.parent.mkdir(parents=True)
    left.write_bytes(b"PAR1")
    assert "no traffic in this lake; an ingest was interrupted" in _refused(command, Path(lake.root))


def test_a_file_that_is_cut_off(command: str, tmp_path: Path) -> None:
    lake = _ingested(tmp_path)
    (path,) = lake.files("frames")
    file = Path(lake.root, path)
    file.write_bytes(file.read_bytes()[:-20])
    assert f"{path} is not a table" in _refused(command, Path(lake.root))
