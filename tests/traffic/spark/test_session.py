"""Sessions: quiet, of our own settings, and what is said when they do not start."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from amqp_traffic.tasks.spark.session import is_connect, is_remote, make_session

ROOT = Path(__file__).resolve().parents[3]
START = """
import sys
from amqp_traffic.tasks.spark.requirements import SparkUnavailable
from amqp_traffic.tasks.spark.session import make_session, stop_session

try:
    session = make_session(sys.argv[1])
except SparkUnavailable as error:
    print(error)
else:
    print(session.range(3).count(), session.conf.get("spark.sql.session.timeZone"))
    stop_session(session)
"""


def start(master: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", START, master],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT / "codegen"), **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_a_process_has_one_session(spark: Any) -> None:
    again = make_session("local[7]", {"spark.sql.shuffle.partitions": "77"})
    assert again.sparkContext is spark.sparkContext
    assert again.conf.get("spark.sql.shuffle.partitions") == "4"
    assert not is_connect(spark)


def test_settings(spark: Any) -> None:
    assert spark.conf.get("spark.sql.session.timeZone") == "UTC"
    conf = dict(spark.sparkContext.getConf().getAll())
    assert conf["spark.driver.memory"] == "2g"
    assert conf["spark.ui.enabled"] == conf["spark.ui.showConsoleProgress"] == "false"
    assert conf["spark.driver.host"] == "127.0.0.1"
    assert spark.sparkContext.pythonExec == os.environ["PYSPARK_PYTHON"]


def test_workers_run_the_same_python(spark: Any) -> None:
    if "PYSPARK_PYTHON" in os.environ and os.environ["PYSPARK_PYTHON"] != sys.executable:
        pytest.skip("another Python is named")

    def found(_: int) -> tuple[str, str]:
        import pyarrow

        return sys.executable, pyarrow.__version__

    import pyarrow

    assert spark.sparkContext.parallelize([0], 1).map(found).collect() == [
        (sys.executable, pyarrow.__version__)
    ]


def test_masters() -> None:
    assert is_remote("sc://localhost:15002")
    assert not any(map(is_remote, ("local[*]", "spark://node:7077", "yarn", "local-cluster[2,1,1024]")))


@pytest.mark.slow
def test_nothing_is_printed_but_what_is_asked_for(spark: Any, tmp_path: Path) -> None:
    done = start("local[1]", tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "3 UTC\n", "")
    assert os.listdir(tmp_path) == []


@pytest.mark.slow
def test_a_master_that_there_is_not(spark: Any, tmp_path: Path) -> None:
    done = start("moon[3]", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    [line] = done.stdout.splitlines()
    assert line.startswith(
        "Spark does not start with --master moon[3]: Master must either be yarn or start with"
    )
    assert len(line) < 400
