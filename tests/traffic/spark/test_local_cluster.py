"""A small cluster: executors are processes with folders of their own, and decode with generated packages; with ours, too."""

from __future__ import annotations

import os
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from amqp_traffic.lake.folder import open_lake
from amqp_traffic.schemas import TABLES
from amqp_traffic.tasks.spark.requirements import SparkUnavailable, require_java, require_pyspark

from tests.cli.command_calls import call
from tests.commands import run_command

from ..ingest.lake_tables import assert_same_tables, ingested, read_tables
from .captures import MIX, write_capture

ROOT = Path(__file__).resolve().parents[3]
MASTER = "local-cluster[2,1,1024]"
# The command, with several shares of a small capture.
INGEST = """
from amqp_codegen.cli.main import main
from amqp_traffic.ingest.spark_engine import spark_engine
spark_engine.__defaults__ = (50_000,)
main()
"""
OVERLAY = """
<amqp major="0" minor="9" revision="1" overlay="amqp0-9-1.xml">
  <class name="queue"><method name="declare">
    <field name="haste" domain="bit" overlay="add" after="no-wait" reason="ours wants it" source="our manual"/>
  </method></class>
</amqp>
"""


def spark_home(folder: Path) -> Path:
    """A home for Spark in which executors may have their folders."""
    found = find_spec("pyspark")
    assert found is not None and found.origin is not None
    folder.mkdir()
    for name in ("bin", "jars", "python"):
        source = Path(found.origin).parent / name
        if source.exists():
            (folder / name).symlink_to(source)
    return folder


@pytest.mark.full
@pytest.mark.parametrize("words", [(), ("--shuffle",)], ids=["read", "shuffled"])
def test_executors_decode_with_a_package_of_ours(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As docs/traffic.md says: the package in an archive that is sent along, paths that are relative."""
    try:
        require_java(require_pyspark())
    except SparkUnavailable as reason:
        pytest.skip(f"needs Java: {reason}")
    monkeypatch.chdir(tmp_path)
    Path("ours.xml").write_text(OVERLAY)
    package = ("--package", "amqp_0_9_1_rabbitmq", "--emit", "codecs,columns")
    made = call("0-9-1-rabbitmq", "--overlay", "ours.xml", *package, "-o", "own")
    assert made.code == 0, made.err
    shutil.make_archive("own", "zip", "own", "amqp_0_9_1_rabbitmq")
    Path("ingest.py").write_text(INGEST)
    path = write_capture(Path("a.pcap"), seed=7, **MIX)
    home = spark_home(tmp_path / "spark")
    done = run_command(
        [
            *(str(home / "bin" / "spark-submit"), "--master", MASTER, "--files", "own.zip"),
            *("--conf", "spark.executorEnv.AMQP_CODEGEN_PACKAGES=own.zip"),
            *(
                "ingest.py",
                "traffic",
                "ingest",
                str(path),
                "--out",
                "lake",
                "--master",
                MASTER,
                *words,
            ),
        ],
        env={
            **os.environ,
            "AMQP_CODEGEN_PACKAGES": "own.zip",
            "PYTHONPATH": str(ROOT / "codegen"),
            "PYSPARK_PYTHON": sys.executable,
            "SPARK_HOME": str(home),
            "SPARK_LOCAL_IP": "127.0.0.1",
        },
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found, expected = read_tables(Path("lake")), ingested([path], tmp_path / "local")
    assert_same_tables(found, expected.tables, [table for table in TABLES if table != "methods"])
    assert len(found["methods"]) == len(expected["methods"])
    # The executors are whoever wrote this column.
    files = open_lake("lake").files("methods")
    assert files
    assert all("haste" in pq.read_schema(Path("lake") / path).names for path in files)
    assert len(list((home / "work").glob("app-*/*"))) >= 2
