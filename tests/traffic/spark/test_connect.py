"""The same in a session of Spark Connect, in a process of its own: a process has sessions of one kind only.

It needs pandas and gRPC; `make test-connect` has an environment with them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

from amqp_traffic.tasks.spark.requirements import (
    SparkUnavailable,
    require_connect,
    require_java,
    require_pyspark,
)

from tests.patience import PATIENCE

from ..ingest.lake_tables import assert_same_tables, ingested, read_tables
from .captures import MIX, write_capture
from .lakes import TEN, frame, make_lake

ROOT = Path(__file__).resolve().parents[3]
ASK = """
import json, os, sys
from pyspark.sql import SparkSession
from amqp_traffic.lake.spark_catalog import register_for
from amqp_traffic.tasks.spark.session import stage_progress
from amqp_traffic.lake.spark_query import QueryError, ask
from amqp_traffic.tasks.spark.session import is_connect, make_session, stop_session
from amqp_traffic.lake.folder import open_lake

place, *queries = sys.argv[1:]
SparkSession.builder.remote("local[1]").getOrCreate()  # a server in this process
session = make_session("sc://localhost")
lake, shown, found = open_lake(place), [], [is_connect(session)]
with stage_progress(session, shown.append):
    for query in queries:
        register_for(session, lake, query)
        try:
            found.append(list(ask(session, query).rows))
        except QueryError as error:
            found.append([str(error), error.condition])
print(json.dumps([*found, all(text.startswith("stage ") for text in shown)]))
stop_session(session)
"""


READ = """
import json, sys
from click.testing import CliRunner
from pyspark.sql import SparkSession
from amqp_codegen.cli.main import cli
from amqp_traffic.ingest.spark_engine import spark_engine

capture, lake, *words = sys.argv[1:]
SparkSession.builder.remote("local[2]").getOrCreate()  # a server in this process
spark_engine.__defaults__ = (100_000,)  # several shares of a small capture
words = ["traffic", "ingest", capture, "--out", lake, "--master", "sc://localhost", *words]
result = CliRunner().invoke(cli, words)
done = result.exit_code, result.output, repr(result.exception)
session = SparkSession.active()
found = session.read.format("amqp").option("table", "methods").load(capture)
print(json.dumps([type(session).__module__, done, found.columns, found.count()]))
session.stop()
"""


@pytest.fixture(autouse=True)
def _connect() -> None:
    for name, require in (
        ("PySpark", require_pyspark),
        ("Spark Connect", require_connect),
        ("Java", lambda: require_java(require_pyspark())),
    ):
        try:
            require()
        except SparkUnavailable as reason:
            pytest.skip(f"needs {name}: {reason}")


def run(program: str, folder: Path, *arguments: str) -> list[Any]:
    """Run a program; what it prints last."""
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(ROOT / "codegen"), os.environ.get("PYTHONPATH", "")]),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "PYSPARK_PYTHON": sys.executable,
            "SPARK_TESTING": "1",  # the server takes any free port
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0 and done.stdout, done.stderr[-2000:]
    found: list[Any] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.mark.slow
def test_a_lake_in_a_session_of_connect(tmp_path: Path) -> None:
    lake = make_lake(
        tmp_path / "lake",
        {"a": {"methods": [frame(1, method="queue.declare", queue="q", arguments=TEN, raw=b"\x00\xff")]}},
        specifications=True,
    )
    queries = [
        "select capture_id, date, queue, arguments from v_queue_declare",
        "select raw, timestamp'2026-07-01 00:00:00', parse_json('[1]') from methods",
        "select name from spec_diff_classes where old_version = '0-9-1' and change = 'added' and new_version like '%rabbitmq'",
        "select count(*) from messages",
        "select nothing from frames",
    ]
    connect, declared, values, classes, messages, error, progress = run(ASK, tmp_path, lake.place, *queries)
    assert connect and progress
    assert declared == [["a", "2026-11-21", "q", {"x-max-length": 10}]]
    assert values == [["00ff", "2026-07-01T00:00:00Z", [1]]]
    assert sorted(classes) == [["access"], ["confirm"]]
    assert messages == [[0]]
    assert error[0].startswith(
        "A column, variable, or function parameter with name `nothing` cannot be resolved"
    )
    assert error[1] == "UNRESOLVED_COLUMN.WITH_SUGGESTION"


@pytest.mark.slow
@pytest.mark.parametrize(("words", "shares"), [((), 2), (("--shuffle",), 8)], ids=["read", "shuffled"])
def test_captures_in_a_session_of_connect(words: tuple[str, ...], shares: int, tmp_path: Path) -> None:
    """``ingest``, and the data source."""
    path = write_capture(tmp_path / "a.pcap", seed=6, **{**MIX, "size": 1_100_000, "drop": 0.002})
    expected = ingested([path], tmp_path / "lake")
    (result,) = expected.results
    lake = tmp_path / "connect"
    kind, (code, output, error), columns, methods = run(READ, tmp_path, str(path), str(lake), *words)
    assert "connect" in kind
    assert code == 2, (output, error)  # something is lost
    assert output.startswith(f"{result.capture_id}: 1 file, ")
    assert len({path.name.split("-")[2] for path in lake.rglob("part-share-*")}) == shares
    assert_same_tables(read_tables(lake), expected.tables)
    assert columns[0] == "capture_id"
    assert methods == len(expected["methods"])
