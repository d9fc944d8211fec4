"""Captures for the tests of Spark, what the local engine makes of them, and the command line in this process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from amqp_codegen.cli.main import cli
from click.testing import CliRunner

from ..pcap_records import records, with_records
from ..synth.made_captures import make

MIX: dict[str, Any] = {"mix": {"0-9-1-rabbitmq": 3, "0-8": 1, "1.0": 2}, "connections": 8, "size": 400_000}
HOT: dict[str, Any] = {"mix": {"0-9-1-rabbitmq": 1}, "connections": 1, "size": 1_200_000}


def write_ring(folder: Path, **fields: Any) -> list[Path]:
    """A capture in two files."""
    capture = make(**fields).capture
    all_records = list(records(capture))
    middle = len(all_records) // 2
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"cap_{number:05}_2026112118{number:02}00.pcap" for number in (1, 2)]
    for path, part in zip(paths, (all_records[:middle], all_records[middle:]), strict=True):
        path.write_bytes(with_records(capture, part))
    return paths


def write_capture(path: Path, **fields: Any) -> Path:
    """A capture in one file."""
    path.write_bytes(make(**fields).capture)
    return path


def call_ingest(*words: str | Path) -> tuple[int, str, str]:
    """``traffic ingest`` in this process, in the session that it has: exit code, standard output, standard error."""
    result = CliRunner().invoke(cli, ["traffic", "ingest", *map(str, words)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.stdout, result.stderr
