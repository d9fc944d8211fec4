"""The same in a session of Spark Connect, in a process of its own: a process has sessions of one kind only.

It needs pandas and gRPC; `make test-connect` has an environment with them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="the extra traffic is not installed")

from amqp_codegen.traffic.spark.java import require_java
from amqp_codegen.traffic.spark.requirements import SparkUnavailable, require_connect, require_pyspark

from .lakes import TEN, frame, make_lake

ROOT = Path(__file__).resolve().parents[3]
ASK = """
import json, os, sys
from pyspark.sql import SparkSession
from amqp_codegen.traffic.spark.catalog import register_for
from amqp_codegen.traffic.spark.progress import stage_progress
from amqp_codegen.traffic.spark.query import QueryError, ask
from amqp_codegen.traffic.spark.session import is_connect, make_session, stop_session
from amqp_codegen.traffic.tables.lake import open_lake

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


@pytest.mark.slow
def test_a_lake_in_a_session_of_connect(tmp_path: Path) -> None:
    try:
        pyspark = require_pyspark()
        require_connect()
        require_java(pyspark)
    except SparkUnavailable as reason:
        pytest.skip(str(reason))
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
    done = subprocess.run(
        [sys.executable, "-c", ASK, lake.place, *queries],
        cwd=tmp_path,
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
        timeout=400,
        check=False,
    )
    assert done.returncode == 0 and done.stdout, done.stderr[-2000:]
    connect, declared, values, classes, messages, error, progress = json.loads(done.stdout.splitlines()[-1])
    assert connect and progress
    assert declared == [["a", "2026-11-21", "q", {"x-max-length": 10}]]
    assert values == [["00ff", "2026-07-01T00:00:00Z", [1]]]
    assert classes == [["confirm"]]
    assert messages == [[0]]
    assert error[0].startswith(
        "A column, variable, or function parameter with name `nothing` cannot be resolved"
    )
    assert error[1] == "UNRESOLVED_COLUMN.WITH_SUGGESTION"
