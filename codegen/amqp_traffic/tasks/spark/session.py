"""Spark sessions for the command line and the tests, and the progress of their stages.

A session is started here or on a cluster, or it is the one that the process already has.
"""

from __future__ import annotations

import logging
import os
import re
import shlex
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from threading import Event, Thread, current_thread, main_thread
from typing import IO, Any

from amqp_codegen.support.command_line import say
from amqp_codegen.support.processors import count_processors

from .errors import SPARK_STOPPED, error_text, error_types, known_cause
from .requirements import SparkUnavailable, require_connect, require_java, require_pyarrow, require_pyspark

_NAME = "amqp-codegen traffic"
_LOOPBACK = "127.0.0.1"
# Settings on which the meaning of queries depends.
_EVERYWHERE = {
    "spark.sql.session.timeZone": "UTC",
}
# Java starts, plans and distributes tasks, which are in Python: its optimizing compiler costs as much time as all the
# rest, and pays off after minutes only. With so little memory, pauses of the serial collector do not matter.
_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
_HERE = {
    "spark.driver.extraJavaOptions": _JAVA,
    "spark.driver.memory": "2g",
    "spark.driver.bindAddress": _LOOPBACK,
    "spark.driver.host": _LOOPBACK,
    "spark.log.level": "ERROR",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",  # ``stage_progress`` does it, and clears its line
}
_LONGEST_REASON = 200  # characters
_JAVA_CLASS = re.compile(r"^.*?[\w.]+(?:Exception|Error): ")
# PySpark logs errors of queries with these, besides raising them.
_LOGGERS = ("SQLQueryContextLogger", "DataFrameQueryContextLogger")


def make_session(master: str, settings: Mapping[str, str] | None = None, log: IO[bytes] | None = None) -> Any:
    """Return the session of this process, or a new one.

    Args:
        master: ``local[*]``, or the address of a cluster; ``sc://host:port`` is a Spark Connect server.
        settings: Settings of Spark, which override ours.
        log: A file for the output of Java; without one it is discarded.

    Raises:
        SparkUnavailable: A requirement of Spark is missing, or it does not start.
    """
    pyspark = require_pyspark()
    require_pyarrow()
    wanted = {**_EVERYWHERE, **(settings or {})}
    _silence()
    if is_remote(master):
        require_connect()
        return _started(master, wanted)
    from pyspark import SparkContext

    if SparkContext._active_spark_context is not None:
        return _with_source(_running_session(SparkContext._active_spark_context))
    if master.startswith("local"):
        wanted = {**_local(), **wanted}
        os.environ.setdefault("SPARK_LOCAL_IP", _LOOPBACK)
        # Otherwise Spark uses the first python3 on PATH, which may not have pyarrow.
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        os.environ.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)
    if "PYSPARK_GATEWAY_PORT" not in os.environ:  # otherwise spark-submit has already started Java
        require_java(pyspark)
    return _with_source(_launch(master, wanted, log))


def _with_source(session: Any) -> Any:
    """Register the data source ``amqp`` where Spark does not find it.

    It looks for data sources only if a shell finds the Python of the driver, whose path it passes without quotes.
    """
    python = os.environ.get("PYSPARK_DRIVER_PYTHON") or os.environ.get("PYSPARK_PYTHON", "")
    if python and shlex.quote(python) != python:
        session.dataSource.register(import_module("pyspark_amqp").DefaultSource)  # as Spark finds it: by name
    return session


def _running_session(context: Any) -> Any:
    """Return the session of this process.

    Raises:
        SparkUnavailable: Its context was stopped, by Java or by the cluster.
    """
    from pyspark.sql import SparkSession

    try:
        is_stopped = context._jsc.sc().isStopped()
    except error_types():
        is_stopped = True
    if is_stopped:
        raise SparkUnavailable(
            "the Spark session of this process has stopped; stop it in Python, too, and start again"
        )
    return SparkSession.builder.getOrCreate()


def is_remote(master: str) -> bool:
    """Return whether this master means Spark Connect, whose sessions have no ``sparkContext``."""
    return master.startswith("sc://")


def is_connect(session: Any) -> bool:
    """Return whether this is a session of Spark Connect."""
    return type(session).__module__.startswith("pyspark.sql.connect")


def count_workers(session: Any) -> int:
    """Return how many tasks run side by side."""
    if not is_connect(session):
        return int(session.sparkContext.defaultParallelism)
    # Spark makes as many partitions of a range.
    return int(session.range(1 << 12).selectExpr("spark_partition_id()").distinct().count())


def stop_session(session: Any) -> None:
    """Stop the session and, if it was started here, Java. A process that ends need not do this."""
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
            process.stdin.close()  # makes Java end
            process.wait()


def _local() -> dict[str, str]:
    """Return the settings for a cluster of this machine alone."""
    return {
        **_HERE,
        "spark.sql.shuffle.partitions": str(max(4, count_processors())),
        # Created with the first managed table only; never in the user's folder.
        "spark.sql.warehouse.dir": os.path.join(
            tempfile.gettempdir(), f"amqp-codegen-warehouse-{os.getpid()}"
        ),
    }


def _launch(master: str, wanted: Mapping[str, str], log: IO[bytes] | None) -> Any:
    """Start Java with its output in a file, and Spark in it."""
    from pyspark import SparkConf, SparkContext
    from pyspark.java_gateway import launch_gateway
    from pyspark.sql import SparkSession

    faults: tuple[type[Exception], ...] = (OSError, *error_types())
    conf = SparkConf(loadDefaults=False).setMaster(master).setAppName(_NAME).setAll(list(wanted.items()))
    # Java keeps its file open when ours is closed.
    with tempfile.TemporaryFile() as unread:
        sink = log or unread
        try:
            gateway = launch_gateway(conf, {"stdout": sink, "stderr": sink})
            with _same_interrupt():
                SparkContext(conf=conf, gateway=gateway)
            return SparkSession.builder.getOrCreate()
        except faults as error:
            if known_cause(error_text(error)) == SPARK_STOPPED:  # between the two lines above
                raise SparkUnavailable(SPARK_STOPPED) from None
            sink.seek(0)
            text = sink.read().decode(errors="replace") if sink.readable() else ""
            raise SparkUnavailable(
                f"Spark does not start with --master {master}: {_reason(text, error)}"
            ) from None


@contextmanager
def _same_interrupt() -> Iterator[None]:
    """Keep the handler of SIGINT. That of PySpark calls Java in the midst of another call, which fails."""
    handler = signal.getsignal(signal.SIGINT)
    yield
    if current_thread() is main_thread():
        signal.signal(signal.SIGINT, handler)


def _silence() -> None:
    from pyspark.logger import PySparkLogger

    for name in _LOGGERS:
        PySparkLogger.getLogger(name).setLevel(logging.CRITICAL + 1)
    # The bridge to Java logs tracebacks, besides raising errors and when it is interrupted; some by the root logger.
    logging.getLogger("py4j").setLevel(logging.CRITICAL + 1)
    logging.getLogger().addFilter(_is_not_of_bridge)


def _is_not_of_bridge(record: logging.LogRecord) -> bool:
    return not str(record.msg).endswith("while sending command.")


def _started(master: str, wanted: Mapping[str, str]) -> Any:
    """Return a session of Spark Connect."""
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
    """Return the most telling line: the last exception in the output of Java, else the Python error."""
    lines = [line.strip() for line in text.splitlines() if "Exception" in line or "rror:" in line]
    reason = _JAVA_CLASS.sub("", lines[-1]) if lines else str(error).strip().partition("\n")[0]
    return reason if len(reason) <= _LONGEST_REASON else f"{reason[:_LONGEST_REASON]}..."


_SECONDS_BETWEEN_LINES = 0.1
# Spark waits for executors for ever. After as long as this it tells its log.
_SECONDS_WITHOUT_EXECUTOR = 15.0


@contextmanager
def stage_progress(session: Any, show: Callable[[str], None]) -> Iterator[None]:
    """Show the progress of active stages during the block, in classic and Connect sessions.

    If no executor takes a task, a line on standard error says so.

    ``show`` is called with a line, by another thread.
    """
    if is_connect(session):
        # The arguments depend on the version of Spark.
        def handler(stages: Iterable[Any], *others: Any, **more: Any) -> None:
            _show(show, [(stage.stage_id, stage.num_completed_tasks, stage.num_tasks) for stage in stages])

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
    waiting_since, told = time.monotonic(), False
    while not over.wait(_SECONDS_BETWEEN_LINES):
        try:
            active = map(tracker.getStageInfo, tracker.getActiveStageIds())
            infos = [info for info in active if info is not None]
        except error_types():  # Spark has stopped; the job tells
            return
        _show(show, [(info.stageId, info.numCompletedTasks, info.numTasks) for info in infos])
        if not infos or any(info.numActiveTasks for info in infos):
            waiting_since = time.monotonic()
        elif not told and time.monotonic() - waiting_since >= _SECONDS_WITHOUT_EXECUTOR:
            told = True
            show("")  # erases the line of a terminal
            say(
                f"no executor has taken a task for {_SECONDS_WITHOUT_EXECUTOR:.0f} seconds, and Spark goes on waiting:"
                ' see whether the cluster has workers with free cores and memory; "On a cluster" in docs/traffic.md',
                error=True,
            )


def _show(show: Callable[[str], None], stages: Iterable[tuple[int, int, int]]) -> None:
    """Show the stages that are not done."""
    text = ", ".join(
        f"stage {stage}: {done} of {tasks}" for stage, done, tasks in sorted(stages) if done < tasks
    )
    if text:
        show(text)
