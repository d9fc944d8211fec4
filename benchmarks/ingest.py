"""Captures to Parquet: in C and in Python, without Spark and with it, beside tshark, in one run, taking turns.

    python -m benchmarks.ingest [--large]

Times are of the clock, on a warm Spark, the best of some rounds; MB are 10^6 octets of capture file. ``local`` is one process,
``python`` the same without ``amqp_native`` and ``amqp_native_ingest``. tshark reassembles segments out of order, as ours does, and
writes to nowhere. ``--large`` also reads 1.5 GB: on one core and on two, cold, and tells how much memory a process takes, and how
long it takes to show a connection. The exit code is 1 when something expected was not reached.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

ROUNDS = 2
FOLDER = Path("build/captures")
SYNTH: dict[str, list[str]] = {
    "mixed": [
        *("--seed=1", "--size=180MB", "--connections=500", "--mss=1448", "--cut=0.02", "--body-size=6KiB"),
        "--mix=0-9-1-rabbitmq=12,0-9-1,0-8,1.0",
    ],
    "hot": ["--seed=2", "--size=155MB", "--connections=1", "--mix=0-9-1-rabbitmq", "--body-size=2200B"],
    "lossy": [
        *("--seed=4", "--size=60MB", "--connections=160", "--mss=1448", "--cut=0.02", "--body-size=6KiB"),
        *("--mix=0-9-1-rabbitmq=12,0-9-1,0-8,1.0", "--drop=0.01"),
    ],
    "1.0": ["--seed=5", "--size=60MB", "--connections=100", "--mss=1448", "--body-size=2KiB", "--mix=1.0"],
    "large": [
        *("--seed=3", "--size=1500MB", "--connections=4000", "--mss=1448", "--cut=0.02", "--body-size=6KiB"),
        "--mix=0-9-1-rabbitmq=12,0-9-1,0-8,1.0",
    ],
}
FIELDS = [
    "frame.number",
    "frame.time_epoch",
    "tcp.stream",
    "amqp.type",
    "amqp.channel",
    "amqp.length",
    "amqp.method.class",
    "amqp.method.method",
    "amqp.method.arguments.exchange",
    "amqp.method.arguments.routing_key",
    "amqp.method.arguments.delivery_tag",
    "amqp.header.body-size",
]
TSHARK = ("tshark", "-n", "-o", "tcp.reassemble_out_of_order:TRUE", "-o", "tcp.desegment_tcp_streams:TRUE")
TSHARK_FORMS = {
    "tshark -T fields": ("-Y", "amqp", "-T", "fields", *(part for field in FIELDS for part in ("-e", field))),
    "tshark -T json": ("-Y", "amqp", "-T", "json", "-J", "amqp"),
}
# How many times as fast as Python, and as tshark, one process is to be at least.
LEAST_OF_PYTHON = {"mixed": 8.0, "hot": 8.0, "lossy": 4.0, "1.0": 6.0}
LEAST_OF_TSHARK = {"mixed": 20.0, "hot": 20.0}
# Of 1.5 GB: times as fast on two cores, octets of memory, seconds from a cold start, seconds to show a connection.
LEAST_SPEED_UP, MOST_MEMORY, MOST_COLD, MOST_SHOW = 1.7, 300e6, 12.0, 3.0
_SHOWN = 3900  # the number of a connection of the large capture
_READY = "ready"


@dataclass(frozen=True)
class Measured:
    """Seconds by who did it, the best of all rounds."""

    size: int
    seconds: dict[str, float]

    def rate(self, who: str) -> float:
        return self.size / 1e6 / self.seconds[who]


def capture(name: str) -> Path:
    """A capture, made if it is not there yet."""
    path = FOLDER / f"{name}.pcapng"
    if not path.exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        command = ["amqp-codegen", "traffic", "synth", "--format=pcapng", f"--out={path}", *SYNTH[name]]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment())
    return path


def environment() -> dict[str, str]:
    """Where commands are found that are installed beside this Python."""
    return {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}


class Child:
    """A process that ingests captures, with its own Spark or without."""

    def __init__(self, engine: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.ingest", "--child", engine],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "AMQP_PURE": "1" if engine == "python" else ""},
        )
        assert self._line() == _READY

    def ingest(self, path: Path) -> float:
        """Seconds."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{path}\n")
        self._process.stdin.flush()
        return float(self._line())

    def memory(self) -> int:
        """The anonymous memory of the process, or of a Python worker of its Spark, in octets."""
        workers = [pid for pid in _descendants(self._process.pid) if _is_worker(pid)]
        return max(map(_anonymous, workers or [self._process.pid]))

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def _descendants(pid: int) -> Iterator[int]:
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, task.read_text().split()):
            yield child
            yield from _descendants(child)


def _is_worker(pid: int) -> bool:
    try:
        return b"pyspark.daemon" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def _anonymous(pid: int) -> int:
    """The kernel does not tell the peak of it."""
    try:
        fields = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
        return int(fields["RssAnon"].split()[0]) * 1024
    except (OSError, KeyError):
        return 0


def child(engine: str) -> None:
    """Ingest what standard input names."""
    from amqp_traffic.ingest.inputs import find_inputs
    from amqp_traffic.ingest.job import ReadSettings
    from amqp_traffic.ingest.local import ingest, local_engine
    from amqp_traffic.lake.folder import create_lake

    settings = ReadSettings()
    if engine in ("local", "python"):
        read = local_engine(settings, workers=1)
    elif engine == "local, two":
        read = local_engine(settings, workers=2)
    else:
        from amqp_traffic.tasks.spark.session import make_session

        session = make_session(engine)
        from amqp_traffic.ingest.spark_engine import spark_engine

        read = spark_engine(session, settings, lambda text: None)
    print(_READY, flush=True)
    for line in sys.stdin:
        with tempfile.TemporaryDirectory() as folder:
            lake, inputs = create_lake(f"{folder}/lake"), find_inputs([Path(line.strip())])
            begin = time.perf_counter()
            for _ in ingest(lake, inputs, read, lambda octets: None):
                pass
            print(time.perf_counter() - begin, flush=True)


@contextmanager
def children(*engines: str) -> Iterator[dict[str, Child]]:
    with ExitStack() as stack:
        found = {}
        for engine in engines:
            found[engine] = Child(engine)
            stack.callback(found[engine].close)
        yield found


def tshark(path: Path, form: tuple[str, ...]) -> float:
    begin = time.perf_counter()
    subprocess.run(
        [*TSHARK, "-r", path, *form], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    return time.perf_counter() - begin


def measure(path: Path, workers: dict[str, Child], rounds: int) -> Measured:
    """Everybody in turn, and again."""
    contestants: dict[str, Callable[[], float]] = {
        name: lambda worker=worker: worker.ingest(path) for name, worker in workers.items()  # type: ignore[misc]
    }
    if shutil.which("tshark"):
        contestants |= {
            name: lambda form=form: tshark(path, form) for name, form in TSHARK_FORMS.items()  # type: ignore[misc]
        }
    seconds = dict.fromkeys(contestants, float("inf"))
    for _ in range(rounds):
        for name, run in contestants.items():
            seconds[name] = min(seconds[name], run())
    return Measured(path.stat().st_size, seconds)


def report(name: str, measured: Measured) -> list[str]:
    """Print; returns what was not reached."""
    print(f"\n{name}: {measured.size / 1e6:,.0f} MB")
    for who, seconds in measured.seconds.items():
        print(f"  {who:18} {seconds:7.2f} s {measured.rate(who):7.1f} MB/s")
    missed = []
    for other, least in (("python", LEAST_OF_PYTHON), ("tshark -T fields", LEAST_OF_TSHARK)):
        if other in measured.seconds:
            ratio = measured.seconds[other] / measured.seconds["local"]
            print(f"  local is {ratio:.1f} times as fast as {other}")
            if ratio < least.get(name, 0.0):
                missed.append(f"{name}: {ratio:.1f} times as fast as {other}, {least[name]:.0f} expected")
    return missed


def main() -> int:
    if "--child" in sys.argv:
        child(sys.argv[-1])
        return 0
    missed = []
    with children("local", "local, two", "python", "local[2]", "local[1]") as workers:
        for worker in workers.values():
            worker.ingest(capture("1.0"))  # warm
        for name in LEAST_OF_PYTHON:
            missed += report(name, measure(capture(name), workers, ROUNDS))
        if "--large" in sys.argv:
            missed += large(workers)
    print("\n".join(["", *missed]))
    return 1 if missed else 0


def large(workers: dict[str, Child]) -> list[str]:
    """1.5 GB: cores, memory, all of it from a cold start, and one connection of it."""
    path = capture("large")
    seconds = {name: worker.ingest(path) for name, worker in workers.items() if name != "python"}
    memory = max(workers[name].memory() for name in ("local", "local[2]"))
    with tempfile.TemporaryDirectory() as folder:
        cold = _timed("ingest", str(path), "--out", f"{folder}/lake", "--master", "local[2]")
    show = _timed("show", "--connection", str(_SHOWN), str(path))
    print(f"\nlarge: {path.stat().st_size / 1e6:,.0f} MB")
    for name, taken in seconds.items():
        print(f"  {name:18} {taken:7.2f} s {path.stat().st_size / 1e6 / taken:7.1f} MB/s")
    missed = []
    for what, ratio in (
        ("local", seconds["local"] / seconds["local, two"]),
        ("Spark", seconds["local[1]"] / seconds["local[2]"]),
    ):
        print(f"  {what}: two cores are {ratio:.2f} times as fast as one")
        if ratio < LEAST_SPEED_UP:
            missed.append(f"large, {what}: {ratio:.2f} times as fast on two cores, {LEAST_SPEED_UP} expected")
    print(f"  a process has {memory / 1e6:,.0f} MB; cold {cold:.1f} s; a connection is shown in {show:.1f} s")
    for what, found, most in (
        ("memory", memory, MOST_MEMORY),
        ("cold start", cold, MOST_COLD),
        ("show", show, MOST_SHOW),
    ):
        if found > most:
            missed.append(f"large, {what}: {found:,.1f}, at most {most:,.0f} expected")
    return missed


def _timed(*arguments: str) -> float:
    """The seconds that a command of traffic takes."""
    begin = time.perf_counter()
    command = ["amqp-codegen", "traffic", *arguments]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment())
    return time.perf_counter() - begin


if __name__ == "__main__":
    sys.exit(main())
