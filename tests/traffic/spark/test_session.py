"""Sessions: quiet, of our own settings, and what is said when they do not start."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest
from amqp_traffic.lake.folder import create_lake
from amqp_traffic.tasks.spark.session import is_connect, is_remote, make_session

from tests.cli.command_calls import process

from .conftest import SHUFFLE_PARTITIONS


def test_a_process_has_one_session(spark: Any) -> None:
    again = make_session("local[7]", {"spark.sql.shuffle.partitions": "77"})
    assert again.sparkContext is spark.sparkContext
    assert again.conf.get("spark.sql.shuffle.partitions") == SHUFFLE_PARTITIONS
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


def test_a_master_that_there_is_not(spark: Any, tmp_path: Path) -> None:
    create_lake(str(tmp_path / "lake"))
    done = process("traffic", "sql", "lake", "select 1", "--master", "moon[3]", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    [line] = done.stderr.splitlines()
    assert line.startswith(
        "error: Spark does not start with --master moon[3]: Master must either be yarn or start with"
    )
    assert len(line) < 400
