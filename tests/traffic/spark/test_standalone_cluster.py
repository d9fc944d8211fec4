"""A standalone cluster whose executors have the package only by what docs/traffic.md says: the wheel, sent along as a zip.

The cluster has no worker at first, so that the command says that it waits. Workers have different addresses, else Spark
starts no second attempt of a task.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

from amqp_traffic.tasks.spark.requirements import SparkUnavailable, require_java, require_pyspark

from tests.cli.command_calls import call
from tests.patience import PATIENCE

from ..ingest.lake_tables import assert_same_tables, ingested, read_tables
from ..waiting import wait_until
from .captures import MIX, write_capture

ROOT = Path(__file__).resolve().parents[3]

# A task of which two attempts are at work at once: the first waits until the second has written its files, too.
ATTEMPTS = f"""
PATIENCE = {PATIENCE}
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

@dataclass(frozen=True)
class Twice:
    task: Any
    folder: str

    def __call__(self):
        result = self.task()
        Path(self.folder, uuid4().hex).touch()
        give_up = time.monotonic() + PATIENCE
        while len(list(Path(self.folder).iterdir())) < 2 and time.monotonic() < give_up:
            time.sleep(0.1)
        return result
"""
DRIVER = """
import sys
from amqp_codegen.cli.main import cli
from amqp_traffic.ingest.sharing.shares import ReadShare
from amqp_traffic.ingest.spark_engine import spark_engine
from amqp_traffic.tasks.spark import session
from amqp_traffic.tasks.spark.runner import SparkRunner
from attempts import Twice

spark_engine.__defaults__ = (50_000,)  # several shares of a small capture
session._SECONDS_WITHOUT_EXECUTOR = 2.0
run = SparkRunner.run
capture, folder, master = sys.argv[1:]

def run_twice(runner, stage, tasks):
    first, *others = tasks
    return run(runner, stage, [Twice(first, folder) if isinstance(first, ReadShare) else first, *others])

SparkRunner.run = run_twice
cluster = ("--master", master)
for words in (
    ("ingest", capture, "--out", "read", *cluster),
    ("ingest", capture, "--out", "shuffled", "--shuffle", *cluster),
    ("audit", "read", "--format", "json", "-o", "audit.json", *cluster),
):
    try:
        cli(["traffic", *words])
    except SystemExit as end:
        print("ended", words[0], end.code)
"""
JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
SETTINGS = {
    "spark.driver.extraJavaOptions": JAVA,
    "spark.executor.extraJavaOptions": JAVA,
    "spark.sql.shuffle.partitions": "4",
    "spark.log.level": "ERROR",
    "spark.executor.memory": "512m",
    "spark.speculation": "true",
    "spark.speculation.interval": "100ms",
    "spark.speculation.minTaskRuntime": "100ms",
    "spark.speculation.quantile": "0.1",
}


@contextmanager
def daemon(log: Path, kind: str, says: str, *words: str) -> Iterator[str]:
    """A part of the cluster; yields what of its log matches."""
    spec = find_spec("pyspark")
    assert spec is not None and spec.origin is not None
    home = Path(spec.origin).parent
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment |= {"SPARK_HOME": str(home), "SPARK_DAEMON_MEMORY": "256m", "SPARK_DAEMON_JAVA_OPTS": JAVA}
    with log.open("wb") as output:
        process = subprocess.Popen(
            [str(home / "bin" / "spark-class"), f"org.apache.spark.deploy.{kind}", "--port", "0", *words],
            env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output, text=True,
        )  # fmt: skip
    try:
        wait_until(
            lambda: bool(re.search(says, log.read_text(errors="replace"))), f"{kind} says {says}", process
        )
        match = re.search(says, log.read_text(errors="replace"))
        assert match is not None
        yield match[0]
    finally:
        process.terminate()
        process.wait(PATIENCE)


def bare_python(folder: Path) -> Path:
    """A Python that has pyarrow, but neither this project nor what else it requires."""
    venv.create(folder, symlinks=True)
    spec = find_spec("pyarrow")
    assert spec is not None and spec.origin is not None
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "pyarrow").symlink_to(Path(spec.origin).parent)
    return folder / "bin" / "python"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """The wheel, as a zip: Spark ignores other names."""
    pytest.importorskip("hatchling", reason="needs hatchling")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "dist")]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    return Path(shutil.copy(wheel, tmp_path / "amqp_codegen.zip"))


@pytest.mark.full
def test_a_cluster_with_nothing_but_the_wheel(tmp_path: Path, package: Path) -> None:
    try:
        require_java(require_pyspark())
    except SparkUnavailable as reason:
        pytest.skip(f"needs Java: {reason}")
    (tmp_path / "attempts.py").write_text(ATTEMPTS)
    (tmp_path / "driver.py").write_text(DRIVER)
    (tmp_path / "done").mkdir()
    capture = write_capture(tmp_path / "a.pcap", seed=7, **MIX)
    with ExitStack() as cluster:
        words = ("--host", "127.0.0.1", "--webui-port", "0")
        master = cluster.enter_context(
            daemon(tmp_path / "master.log", "master.Master", r"spark://127.0.0.1:\d+", *words)
        )
        settings = [word for setting in SETTINGS.items() for word in ("--conf", "=".join(setting))]
        python = bare_python(tmp_path / "bare")
        submit = Path(sys.executable).parent / "spark-submit"
        driver = cluster.enter_context(
            subprocess.Popen(
                [submit, "--master", master, *settings, "--py-files", f"{package},attempts.py", "driver.py",
                 str(capture), str(tmp_path / "done"), master],
                cwd=tmp_path,
                env={**os.environ, "PYTHONPATH": "", "PYSPARK_PYTHON": str(python),
                     "PYSPARK_DRIVER_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"},
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            )
        )  # fmt: skip
        cluster.callback(driver.kill)
        assert driver.stdout is not None
        assert any(line.startswith("no executor has taken a task for 2 seconds") for line in driver.stdout)
        for host in ("127.0.0.1", "127.0.0.2"):
            place = ("--host", host, "--webui-port", "0", "--work-dir", str(tmp_path / "work"))
            size = ("--cores", "1", "--memory", "600m")
            log = tmp_path / f"{host}.log"
            cluster.enter_context(
                daemon(log, "worker.Worker", "Successfully registered", *place, *size, master)
            )
        out, _ = driver.communicate(timeout=PATIENCE)
    assert (driver.returncode, [line for line in out.splitlines() if line.startswith("ended")]) == (
        0, ["ended ingest 2", "ended ingest 2", "ended audit 0"]
    ), out[-3000:]  # fmt: skip
    assert len(list((tmp_path / "done").iterdir())) == 2
    expected = ingested([capture], tmp_path / "local")
    for lake in ("read", "shuffled"):
        assert_same_tables(read_tables(tmp_path / lake), expected.tables)
    here = call(
        "traffic", "audit", str(tmp_path / "read"), "--format", "json", "-o", str(tmp_path / "here.json")
    )
    assert (here.code, (tmp_path / "here.json").read_text()) == (0, (tmp_path / "audit.json").read_text())
