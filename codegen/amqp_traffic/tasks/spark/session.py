"""A Spark session for the command line, and for the tests: started here, on a cluster, or the one that there is.

How far the stages of Spark are, in one line.
"""

from __future__ import annotations

import logging
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from threading import Event, Thread
from typing import IO, Any

from .requirements import SparkUnavailable, require_connect, require_java, require_pyarrow, require_pyspark

_NAME = "amqp-codegen traffic"
_LOOPBACK = "127.0.0.1"
# Besides: spark.sql.* that decide what queries mean.
_EVERYWHERE = {
    "spark.sql.session.timeZone": "UTC",
}
# Most of what Java does here is starting, planning and handing out tasks, which are in Python: its second compiler works
# for minutes ahead, and costs as much time as all the rest. Pauses of the simple collector do not matter with so little.
_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
_HERE = {
    "spark.driver.extraJavaOptions": _JAVA,
    "spark.driver.memory": "2g",
    "spark.driver.bindAddress": _LOOPBACK,
    "spark.driver.host": _LOOPBACK,
    "spark.log.level": "ERROR",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",  # ``progress`` does it, and leaves nothing behind
}
_REASON = 200
_JAVA_CLASS = re.compile(r"^.*?[\w.]+(?:Exception|Error): ")
# PySpark prints errors of queries with these, besides raising them.
_LOGGERS = ("SQLQueryContextLogger", "DataFrameQueryContextLogger")


def make_session(master: str, settings: Mapping[str, str] | None = None, log: IO[bytes] | None = None) -> Any:
    """A session; that which this process has already, if it has one.

    Args:
        master: ``local[*]``, or what a cluster is reached by; ``sc://host:port`` is a Spark Connect server.
        settings: Of Spark, besides ours or instead of them.
        log: A file for what Java writes; kept from the terminal if there is none.

    Raises:
        SparkUnavailable: Something that Spark needs is missing, or it does not start.
    """
    pyspark = require_pyspark()
    require_pyarrow()
    wanted = {**_EVERYWHERE, **(settings or {})}
    _silence()
    if is_remote(master):
        require_connect()
        return _started(master, wanted)
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    if SparkContext._active_spark_context is not None:
        return SparkSession.builder.getOrCreate()
    if master.startswith("local"):
        wanted = {**_local(), **wanted}
        os.environ.setdefault("SPARK_LOCAL_IP", _LOOPBACK)
        # Else Spark takes the python3 that it finds first, which has no pyarrow.
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        os.environ.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)
    if "PYSPARK_GATEWAY_PORT" not in os.environ:  # else spark-submit has started Java already
        require_java(pyspark)
    return _launch(master, wanted, log)


def is_remote(master: str) -> bool:
    """Whether a session of this master is one of Spark Connect, which has no ``sparkContext``."""
    return master.startswith("sc://")


def is_connect(session: Any) -> bool:
    """Whether this is a session of Spark Connect."""
    return type(session).__module__.startswith("pyspark.sql.connect")


def stop_session(session: Any) -> None:
    """Ends the session and, if it was started here, Java; a process that ends need not do this."""
    if is_connect(session):
        session.stop()
        return
    from pyspark import SparkContext

    session.stop()
    gateway, SparkContext._gateway, SparkContext._jvm = SparkContext._gateway, None, None
    if gateway is not None:
        gateway.shutdown()
        process = getattr(gateway, "proc", None)
        if process is not None:
            process.stdin.close()  # which tells Java to end
            process.wait()


def _local() -> dict[str, str]:
    """What is set where this machine is the whole cluster."""
    return {
        **_HERE,
        "spark.sql.shuffle.partitions": str(max(4, os.cpu_count() or 1)),
        # Only made if somebody makes a table; never in the user's folder.
        "spark.sql.warehouse.dir": os.path.join(
            tempfile.gettempdir(), f"amqp-codegen-warehouse-{os.getpid()}"
        ),
    }


def _launch(master: str, wanted: Mapping[str, str], log: IO[bytes] | None) -> Any:
    """Starts Java with its output in a file, and Spark in it."""
    from pyspark import SparkConf, SparkContext
    from pyspark.errors import PySparkException
    from pyspark.java_gateway import launch_gateway
    from pyspark.sql import SparkSession

    conf = SparkConf(loadDefaults=False).setMaster(master).setAppName(_NAME).setAll(list(wanted.items()))
    # Java's file stays open when ours is closed.
    with tempfile.TemporaryFile() as unread:
        sink = log or unread
        try:
            gateway = launch_gateway(conf, {"stdout": sink, "stderr": sink})
            SparkContext(conf=conf, gateway=gateway)
        except (PySparkException, OSError, _java_error()) as error:
            sink.seek(0)
            text = sink.read().decode(errors="replace") if sink.readable() else ""
            raise SparkUnavailable(
                f"Spark does not start with --master {master}: {_reason(text, error)}"
            ) from None
    return SparkSession.builder.getOrCreate()


def _silence() -> None:
    from pyspark.logger import PySparkLogger

    for name in _LOGGERS:
        PySparkLogger.getLogger(name).setLevel(logging.CRITICAL + 1)


def _java_error() -> type[Exception]:
    from py4j.protocol import Py4JError

    found: type[Exception] = Py4JError
    return found


def _started(master: str, wanted: Mapping[str, str]) -> Any:
    """A session of Spark Connect."""
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.remote(master)
    for name, value in wanted.items():
        builder = builder.config(name, value)
    try:
        return builder.getOrCreate()
    except PySparkException as error:
        raise SparkUnavailable(f"there is no Spark Connect at {master}: {_reason('', error)}") from None


def _reason(text: str, error: Exception) -> str:
    """The line that says most: the last exception in what Java wrote, else what Python has."""
    lines = [line.strip() for line in text.splitlines() if "Exception" in line or "rror:" in line]
    found = _JAVA_CLASS.sub("", lines[-1]) if lines else str(error).strip().partition("\n")[0]
    return found if len(found) <= _REASON else f"{found[:_REASON]}..."


_SECONDS_BETWEEN_LINES = 0.1  # seconds


@contextmanager
def stage_progress(session: Any, show: Callable[[str], None]) -> Iterator[None]:
    """Shows how far the stages at work are, as long as the block takes; in classic and in Connect sessions.

    Args:
        session: The session.
        show: Is given a line; called by another thread.
    """
    if is_connect(session):
        # Called with what the version of Spark has to say: more arguments are to be expected.
        def handler(stages: Iterable[Any], *others: Any, **more: Any) -> None:
            _show(show, [(each.stage_id, each.num_completed_tasks, each.num_tasks) for each in stages])

        session.registerProgressHandler(handler)
        try:
            yield
        finally:
            session.removeProgressHandler(handler)
        return
    over = Event()
    watcher = Thread(target=_watch, args=(session.sparkContext.statusTracker(), show, over), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()


def _watch(tracker: Any, show: Callable[[str], None], over: Event) -> None:
    while not over.wait(_SECONDS_BETWEEN_LINES):
        infos = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
        _show(
            show,
            [(info.stageId, info.numCompletedTasks, info.numTasks) for info in infos if info is not None],
        )


def _show(show: Callable[[str], None], stages: Iterable[tuple[int, int, int]]) -> None:
    """The stages that are not done."""
    text = ", ".join(
        f"stage {stage}: {done} of {tasks}" for stage, done, tasks in sorted(stages) if done < tasks
    )
    if text:
        show(text)
