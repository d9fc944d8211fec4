"""Spark that has stopped, or cannot reach a place: one line and exit code 2, never a stack of Java."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

from amqp_traffic.lake.folder import Lake
from amqp_traffic.lake.spark_catalog import register_for
from amqp_traffic.lake.spark_query import QueryError, query_errors
from amqp_traffic.tasks.runner import TaskFailed
from amqp_traffic.tasks.spark.errors import SPARK_STOPPED, known_cause, one_line

from tests.commands import run_command

from .captures import HOT, write_capture
from .lakes import frame, make_lake
from .test_local_cluster import spark_home

ROOT = Path(__file__).resolve().parents[3]
# The context is stopped by Java, as when a cluster ends the application; then come commands in the same process.
AFTER_THE_END = """
import sys
from amqp_codegen.cli.main import cli
from amqp_traffic.cli import sql
from amqp_traffic.tasks.spark import session as sessions
from click.testing import CliRunner

session = sessions.make_session("local[1]")
lake, capture, out = sys.argv[1:]
session.sparkContext._jsc.sc().stop()

def run(*words):
    done = CliRunner().invoke(cli, ["traffic", *words])
    fault = done.exception if not isinstance(done.exception, SystemExit) else None
    print(done.exit_code, repr(fault), repr(done.stdout), done.stderr.strip())

run("sql", lake, "select count(*) from frames")
# As if it stopped after the command has taken it.
sessions._running_session = lambda context: session
run("sql", lake, "select count(*) from frames")
run("audit", lake, "--master", "local[1]")
run("ingest", capture, "--out", out, "--master", "local[1]")
sessions.stop_session(session)
"""


@pytest.mark.slow
def test_a_stopped_context(tmp_path: Path, spark: Any) -> None:
    lake = make_lake(
        tmp_path / "lake", {"a": {"frames": [frame(1, type=1)], "captures": [{"file": "a", "file_no": 0}]}}
    )
    capture = write_capture(tmp_path / "a.pcap", seed=3, **{**HOT, "size": 20_000})
    # Spark would not look for data sources, and not notice, if the path of the driver's Python had a blank.
    variables = {"PYTHONPATH": f"{ROOT / 'codegen'}:{ROOT / 'generated'}", "PYSPARK_DRIVER_PYTHON": "python3"}
    done = run_command(
        [sys.executable, "-c", AFTER_THE_END, lake.place, str(capture), str(tmp_path / "out")],
        env={**os.environ, **variables},
    )
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0].startswith("2 None '' error: the Spark session of this process has stopped"), lines[0]
    assert lines[1] == f"2 None '' error: {SPARK_STOPPED} [sql]"
    assert lines[2] == f"2 None '' error: {SPARK_STOPPED} [spark]"
    assert lines[3] == f"2 None '' error: {SPARK_STOPPED} [spark]"
    assert len(lines) == 4


@pytest.mark.slow
def test_executors_that_cannot_start(tmp_path: Path, spark: Any) -> None:
    """There is no Java for them: the cluster tries a few times, then ends the application."""
    lake = make_lake(
        tmp_path / "lake", {"a": {"frames": [frame(1, type=1)], "captures": [{"file": "a", "file_no": 0}]}}
    )
    program = "from amqp_codegen.cli.main import main; main()"
    query, master = "select count(*) from frames", ("--master", "local-cluster[1,1,1024]")
    done = run_command(
        [sys.executable, "-c", program, "traffic", "sql", lake.place, query, *master],
        env={
            **os.environ,
            "PYTHONPATH": f"{ROOT / 'codegen'}:{ROOT / 'generated'}",
            "PYSPARK_SUBMIT_ARGS": "--conf spark.executorEnv.JAVA_HOME=/nonexistent pyspark-shell",
            "SPARK_HOME": str(spark_home(tmp_path / "home")),
            "SPARK_LOCAL_IP": "127.0.0.1",
        },
    )
    assert (done.returncode, done.stdout) == (2, "")
    [line] = done.stderr.splitlines()
    assert line.startswith(f"error: {SPARK_STOPPED} [")


def test_a_place_that_spark_has_no_jar_for(spark: Any, tmp_path: Path) -> None:
    local = make_lake(tmp_path / "lake", {"a": {"frames": [frame(1, type=1)]}})
    lake = Lake("s3://bucket/lake?endpoint_override=localhost:1&scheme=http", local.filesystem, local.root)
    with pytest.raises(QueryError) as caught, query_errors():
        register_for(spark, lake, "select count(*) from frames")
    line = str(caught.value)
    assert line.startswith("Spark cannot reach this place: it has no S3AFileSystem; give it the jar")
    assert "\n" not in line and "\tat " not in line


JAVA = "java.lang.IllegalStateException: {}\n\tat org.apache.spark.SparkContext.assertNotStopped(SparkContext.scala:122)\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Cannot call methods on a stopped SparkContext.\nThis stopped SparkContext was created at:", SPARK_STOPPED),
        ("Job aborted due to stage failure: Master removed our application: FAILED", SPARK_STOPPED),
        ("Job 0 cancelled because SparkContext was shut down", SPARK_STOPPED),
        ("No FileSystem for scheme \"gs\"", "Spark cannot reach this place: it has no file system for gs://; give it"),
        ("Class org.apache.hadoop.fs.s3a.S3AFileSystem not found", "Spark cannot reach this place: it has no S3AFileSystem"),
        ("software.amazon.awssdk.core.exception.SdkClientException: Unable to load credentials", "Spark may not read"),
        ("getFileStatus on s3a://b/x: AccessDenied: (Service: S3, Status Code: 403)", "Spark may not read this place"),
    ],
)  # fmt: skip
def test_known_causes(text: str, told: str) -> None:
    pytest.importorskip("pyspark", reason="needs PySpark")
    line, condition = one_line(RuntimeError(JAVA.format(text)))
    assert line.startswith(told) and "\n" not in line and condition == ""


def test_other_errors_have_no_known_cause() -> None:
    assert known_cause("java.net.ConnectException: Connection refused") is None


def test_jobs_of_a_lost_cluster_fail_in_one_line(spark: Any) -> None:
    from amqp_traffic.tasks.spark.runner import told_in_a_line
    from py4j.protocol import Py4JError

    for text in ("Cannot call methods on a stopped SparkContext.", "something that nobody has seen"):
        with pytest.raises(TaskFailed) as caught, told_in_a_line():
            raise Py4JError(JAVA.format(text))
        assert "\n" not in str(caught.value) and "SparkContext.scala" not in str(caught.value)
    with pytest.raises(TaskFailed, match="Spark has stopped"), told_in_a_line():
        raise ConnectionRefusedError(111, "Connection refused")


def test_a_fault_of_a_task_shows_python_only(spark: Any) -> None:
    from amqp_traffic.tasks.spark.runner import told_in_a_line

    with pytest.raises(RuntimeError) as caught, told_in_a_line():
        spark.sparkContext.parallelize([0], 1).map(lambda number: 1 // number).collect()
    text = str(caught.value)
    assert text.startswith("Traceback (most recent call last):") and text.endswith(
        "ZeroDivisionError: integer division or modulo by zero"
    )
    assert "\tat org.apache" not in text


def test_a_module_that_executors_lack(spark: Any) -> None:
    from amqp_traffic.tasks.spark.runner import told_in_a_line

    with pytest.raises(TaskFailed) as caught, told_in_a_line():
        spark.sparkContext.parallelize(["no_such_module"], 1).map(__import__).collect()
    assert str(caught.value) == (
        "an executor has no module named 'no_such_module'; see \"On a cluster\" in docs/traffic.md"
    )


def test_an_interrupt_stays_one(spark: Any) -> None:
    """After it, calls of the bridge to Java fail, and their error comes out."""
    from amqp_traffic.tasks.spark.runner import told_in_a_line
    from py4j.protocol import Py4JError

    for turn in (told_in_a_line, query_errors):
        with pytest.raises(KeyboardInterrupt), turn():
            try:
                raise KeyboardInterrupt
            finally:
                raise Py4JError("An error occurred while calling o16.sc")
