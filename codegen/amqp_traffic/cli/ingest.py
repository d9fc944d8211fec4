"""``amqp-codegen traffic ingest``: write captures to tables."""

from __future__ import annotations

import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click
from amqp_codegen.model.problem import Problem
from amqp_codegen.support.command_line import (
    HintedChoice,
    Progress,
    print_problems,
    progress_line,
    refuse_input,
    say,
    server_port_option,
    verbose_option,
)
from amqp_codegen.support.extras import refuse_without
from amqp_codegen.support.wording import counted
from click.core import ParameterSource

from .keylog import keylog_option, read_key_log
from .refusal import refusing

if TYPE_CHECKING:
    from ..ingest.inputs import CaptureInput
    from ..ingest.job import CaptureResult, ReadSettings
    from ..ingest.local import Engine
    from ..ingest.ring.follow import Watch

_STANDARD_INPUT = Path("-")
_FINE, _PARTIAL, _INTERNAL = 0, 2, 3
# What was left out of TLS, and what to do.
_TLS_REASONS = {
    "tls": "there are no keys for some TLS, which --keylog FILE gives",
    "tls-keys": "the key log has keys of connections, which do not fit",
}
_OPTIONS_NOT_FOR_FOLLOW = ("engine", "master", "shuffle", "one_capture")


@click.command("ingest")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("--out", "place", required=True, metavar="LAKE", help="The folder or URI of the tables.")
@click.option(
    "--engine",
    default="spark",
    type=HintedChoice(["spark", "local"]),
    help="spark: tasks on Spark; local: processes of this machine, without Spark.",
    show_default=True,
)
@click.option("--master", default="local[*]", metavar="URL", help="The Spark to run on.", show_default=True)
@click.option(
    "--shuffle",
    is_flag=True,
    help="Read each file in one task, and let Spark send its packets to the tasks that decode them; for storage on which "
    "reading is slow. The default for compressed captures and more than 64 tasks.",
)
@keylog_option
@server_port_option
@click.option(
    "--bodies",
    default="none",
    metavar="none|head:N|all",
    help="What to keep of message bodies: nothing, the first N octets, or all.",
    show_default=True,
)
@click.option("--one-capture", is_flag=True, help="Treat all files as one capture, in the order given.")
@click.option(
    "--follow",
    "folder",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Read a dumpcap ring that is still being written, instead of PATHS; one process, without Spark. SIGINT and "
    "SIGTERM end it; the next call continues.",
)
@click.option(
    "--idle",
    type=click.FloatRange(min=0),
    metavar="SECONDS",
    help="With --follow: end if nothing new was written for this time.",
)
@verbose_option
def command(
    paths: tuple[Path, ...],
    place: str,
    engine: str,
    master: str,
    shuffle: bool,
    keylog: Path | None,
    server_ports: tuple[int, ...],
    bodies: str,
    one_capture: bool,
    folder: Path | None,
    idle: float | None,
    verbose: bool,
) -> None:
    """Read captures of AMQP traffic and write them to tables.

    PATHS are files, or folders of files: pcap and pcapng, compressed or not, raw streams, logs of rabbitmq_tracing;
    - is standard input. The files of a dumpcap ring are one capture. Rows that LAKE already holds for a capture are replaced.

    \b
    amqp-codegen traffic ingest monday.pcapng.gz --out lake
    amqp-codegen traffic ingest ring/ --out s3://bucket/lake --master spark://host:7077
    amqp-codegen traffic ingest --follow ring/ --out lake

    Exit codes: 0 everything is in the tables; 2 the call is wrong, something is not in the tables (see the table
    quarantine), or no capture has a frame of AMQP; 3 the octets do not add up, which is a bug of this program; the lake is unchanged.
    """  # noqa: D301 -- click wants the character itself: these lines stay as they are
    needs_spark = folder is None and engine != "local"
    refuse_without("traffic ingest", "traffic", "pyarrow", *(["pyspark"] if needs_spark else []))
    _check_call(paths, folder, idle)
    if shuffle and not needs_spark:
        raise click.UsageError("--shuffle goes with --engine spark")
    from ..lake.folder import check_place

    rules = {"CaptureError": "capture", "LakeError": "lake", "TaskFailed": "spark" if needs_spark else "task"}
    with refusing(rules), _checking_ledgers():
        settings = _settings(server_ports, bodies, keylog)
        if folder is not None:
            sys.exit(_follow(folder, place, settings, idle, verbose))
        with _with_standard_input(paths) as files, progress_line(verbose) as progress:
            captures = _inputs(files, one_capture)
            check_place(place)
            start = partial(_engine, engine, settings, master, shuffle, progress)
            results = _ingest(captures, place, start, progress)
            for capture, result in zip(captures, results, strict=True):
                if not result.found:
                    _tell_contents(capture, settings)
    is_empty = not any(result.found for result in results)
    sys.exit(_PARTIAL if is_empty or any(result.partial for result in results) else _FINE)


def _check_call(paths: tuple[Path, ...], folder: Path | None, idle: float | None) -> None:
    """Refuse options that exclude each other."""
    if folder is None and not paths:
        raise click.UsageError("name captures to read, or a ring to --follow")
    if folder is None and idle is not None:
        raise click.UsageError("--idle goes with --follow")
    if folder is not None:
        if paths:
            raise click.UsageError("--follow is given instead of PATHS; name one of them")
        source = click.get_current_context().get_parameter_source
        names = [name for name in _OPTIONS_NOT_FOR_FOLLOW if source(name) is ParameterSource.COMMANDLINE]
        given = [f"--{name.replace('_', '-')}" for name in names]
        if given:
            raise click.UsageError(f"--follow does not go with {', '.join(given)}")


@contextmanager
def _with_standard_input(paths: tuple[Path, ...]) -> Iterator[tuple[Path, ...]]:
    """Yield the paths with a file instead of ``-``, as long as that is read: engines read files more than once."""
    if _STANDARD_INPUT not in paths:
        yield paths
        return
    with TemporaryDirectory(prefix="amqp-codegen-") as folder:
        file = Path(folder, "stdin")
        with file.open("wb") as stream:
            shutil.copyfileobj(sys.stdin.buffer, stream)
        yield tuple(file if path == _STANDARD_INPUT else path for path in paths)


@contextmanager
def _checking_ledgers() -> Iterator[None]:
    """End the program if octets do not add up: a bug of ours."""
    from ..capture.ledgers import LedgerError

    try:
        yield
    except LedgerError as error:
        print_problems([Problem("ledger", f"{error}; nothing was written. Please report this")])
        sys.exit(_INTERNAL)


def _inputs(paths: tuple[Path, ...], one_capture: bool) -> list[CaptureInput]:
    from ..ingest.inputs import check_formats, find_inputs

    captures = find_inputs(paths, one_capture=one_capture)
    for message in check_formats(captures):
        say(message, error=True)
    return captures


def _settings(server_ports: tuple[int, ...], bodies: str, keylog: Path | None) -> ReadSettings:
    from ..decode.body_retention import parse_body_retention
    from ..ingest.job import ReadSettings
    from ..streams.connections import AMQP_PORTS

    key_log = read_key_log("traffic ingest", keylog)
    try:
        return ReadSettings(server_ports or AMQP_PORTS, parse_body_retention(bodies), key_log)
    except ValueError as error:
        refuse_input("bodies", f"--bodies: {error}")


def _ingest(
    captures: list[CaptureInput], place: str, start: Callable[[], Engine], progress: Progress
) -> list[CaptureResult]:
    """Start the engine, then make the lake: if an engine does not start, nothing is left behind."""
    from ..ingest.local import ingest
    from ..lake.folder import create_lake
    from ..lake.specification.built_in import write_specifications

    total = sum(capture.size for capture in captures)
    engine = start()
    lake = create_lake(place)
    lake.recover()
    progress.stage(f"reading {counted(len(captures), 'capture')}, {total / 1e6:,.1f} MB")
    results = []
    for result in ingest(lake, captures, engine, _progress(progress, total)):
        results.append(result)
        progress.erase()
        _tell(result)
    progress.stage("writing the specifications")
    write_specifications(lake)
    return results


def _follow(folder: Path, place: str, settings: ReadSettings, idle: float | None, verbose: bool) -> int:
    """Follow a ring until a signal comes or it is idle for too long; return the exit code."""
    from ..ingest.ring.follow import Following, Watch
    from ..ingest.ring.ring import list_ring
    from ..lake.folder import create_lake
    from ..lake.specification.built_in import write_specifications

    list_ring(folder)  # reports a bad ring before the lake is created
    lake = create_lake(place)
    watch = Watch(idle)
    with progress_line(verbose) as show, _stopping(watch):
        write_specifications(lake)
        show.stage(f"following {folder}")
        result = Following(lake, folder, settings, watch, say, _progress(show)).run()
    if result is not None:
        _tell(result)
    if watch.stopped or result is None:
        return _FINE
    return _PARTIAL if result.partial else _FINE


@contextmanager
def _stopping(watch: Watch) -> Iterator[None]:
    """Stop in order on the first SIGINT or SIGTERM, at once on the second."""

    def stop(number: int, frame: object) -> None:
        watch.stop()
        restore()

    def restore() -> None:
        for signal_number, handler in before.items():
            signal.signal(signal_number, handler)

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        restore()


def _engine(name: str, settings: ReadSettings, master: str, shuffle: bool, progress: Progress) -> Engine:
    from ..ingest.local import local_engine

    if name == "local":
        return local_engine(settings, progress)
    from ..tasks.spark.session import make_session

    progress.stage("starting Spark")
    session = make_session(master)
    from ..ingest.spark_engine import spark_engine

    return spark_engine(session, settings, progress, shuffle=shuffle)


def _progress(show: Callable[[str], None], total: int | None = None) -> Callable[[int], None]:
    """Return a function that shows how many octets have been read."""
    of_all = "" if total is None else f" of {total / 1e6:,.0f}"
    done = 0

    def tell(octets: int) -> None:
        nonlocal done
        done += octets
        show(f"{done / 1e6:,.0f}{of_all} MB")

    return tell


def _tell_contents(capture: CaptureInput, settings: ReadSettings) -> None:
    """Say what is in a capture in which there is no frame of AMQP."""
    from ..frames.contents import describe_files

    contents = describe_files(capture.files, settings.server_ports)
    say(f"{capture.capture_id}: no frame of AMQP: {contents}", error=True)


def _tell(result: CaptureResult) -> None:
    """Print one line about a capture, and one about what was left out of it."""
    octets, packets = counted(result.octets, "octet"), counted(result.packets, "packet")
    say(f"{result.capture_id}: {counted(result.files, 'file')}, {octets}, {packets}")
    if result.left_out:
        reasons = ", ".join(f"{reason} {count:,}" for reason, count in result.left_out.items())
        say(f"{result.capture_id}: left out: {reasons}")
    for reason, meaning in _TLS_REASONS.items():
        if reason in result.left_out:
            say(f"{result.capture_id}: {reason}: {meaning}; see docs/traffic-tls.md")
