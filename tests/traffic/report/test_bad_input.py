"""What is wrong is told in one line, and nothing is written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")
pytest.importorskip("vl_convert", reason="needs vl-convert-python")

from amqp_codegen.cli.main import cli
from amqp_traffic.lake.folder import create_lake
from click.testing import CliRunner


def refused(lake: Path, output: Path) -> str:
    """The line."""
    result = CliRunner().invoke(cli, ["traffic", "report", str(lake), "-o", str(output)])
    assert (result.exit_code, result.stdout) == (2, "")
    assert not output.exists()
    lines = result.stderr.splitlines()
    assert len(lines) == 1
    return lines[0]


def test_no_lake(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    assert "is not a lake" in refused(tmp_path / "folder", tmp_path / "report.html")
    assert "there is no lake" in refused(tmp_path / "nothing", tmp_path / "report.html")


def test_another_format(tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    create_lake(str(lake))
    mark = lake / "_lake.json"
    mark.write_text(json.dumps({**json.loads(mark.read_text()), "format": 99}))
    assert "format 99" in refused(lake, tmp_path / "report.html")


def test_an_empty_lake(tmp_path: Path) -> None:
    create_lake(str(tmp_path / "lake"))
    assert "no traffic in this lake" in refused(tmp_path / "lake", tmp_path / "report.html")


def test_no_folder_for_the_page(tmp_path: Path) -> None:
    create_lake(str(tmp_path / "lake"))
    assert "no-such-folder" in refused(tmp_path / "lake", tmp_path / "missing" / "report.html")
