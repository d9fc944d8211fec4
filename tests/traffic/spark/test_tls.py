"""Tasks on Spark decrypt TLS: the key log goes with them, and is not in what Spark prints of a plan."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyspark", reason="needs PySpark")
pytest.importorskip("cryptography", reason="needs cryptography: the extra tls")

from amqp_traffic.ingest.inputs import find_inputs
from amqp_traffic.ingest.job import ReadSettings
from amqp_traffic.ingest.local import ingest
from amqp_traffic.ingest.spark_engine import spark_engine
from amqp_traffic.lake.folder import create_lake
from amqp_traffic.streams.tls.key_log import KeyLog

from ..ingest.lake_tables import ingested, read_tables
from ..made_tls import MadeTls, made_wrap
from ..synth.made_captures import make
from ..wrapped_captures import Wrap, wrapped


def test_keys_go_with_tasks(spark: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines: list[str] = []
    seeds = iter(range(99))

    def make_wrap() -> Wrap:
        return made_wrap(MadeTls("1.3", 0x1301, next(seeds), key_log=lines))

    path, keys = tmp_path / "a.pcap", tmp_path / "keys"
    path.write_bytes(wrapped(make(seed=36, size=100_000, connections=6).capture, make_wrap))
    keys.write_text("".join(f"{line}\n" for line in lines))
    expected = ingested([path], tmp_path / "expected", settings=ReadSettings(key_log=KeyLog(keys)))
    assert len(expected["frames"]) > 100
    for shuffle in (False, True):
        settings, place = ReadSettings(key_log=KeyLog(keys)), tmp_path / f"lake-{shuffle}"
        engine = spark_engine(spark, settings, lambda text: None, 20_000, shuffle=shuffle)
        list(ingest(create_lake(str(place)), find_inputs([path]), engine, lambda octets: None))
        assert len(read_tables(place)["frames"]) == len(expected["frames"])
    frames = spark.read.format("amqp").option("keyLog", str(keys)).load(str(path))
    assert frames.count() == len(expected["frames"])
    frames.explain(True)
    printed = capsys.readouterr().out
    assert "amqp" in printed and not any(line.split()[2] in printed for line in lines)
