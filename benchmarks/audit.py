"""The audit and the report beside the ingest of the same capture, in one run, taking turns.

    python -m benchmarks.audit [--large]

Times are of the clock, the median of some rounds: with a Spark on two cores that is warm, and of whole commands as users
call them, from the start of Python to the last line. MB are 10^6 octets of capture file. ``--large`` also audits 1.5 GB, and
makes a page of it. The exit code is 1 when something expected was not reached.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from .ingest import capture, environment

ROUNDS, COMMANDS = 5, 3
MASTER = "local[2]"
PAGE = "report.html"
# At most: seconds of the audit by those of the ingest, seconds of the report of so many octets, octets of the page of 1 GB.
MOST_SHARE, MOST_REPORT, MIXED, MOST_PAGE = 0.6, 6.0, 200e6, 5e6
_FOUND = (0, 1)  # exit codes: nothing, or something


def warm(path: Path, rounds: int) -> dict[str, float]:
    """Seconds in a session that has done all of it before."""
    from amqp_traffic.tasks.spark.session import make_session

    session: Any = make_session(MASTER)
    times: dict[str, list[float]] = {}
    for number in range(rounds + 1):
        with tempfile.TemporaryDirectory() as folder:
            for name, work in _works(session, path, folder).items():
                begin = time.perf_counter()
                work()
                if number:  # the first round warms up
                    times.setdefault(name, []).append(time.perf_counter() - begin)
    return {name: median(taken) for name, taken in times.items()}


def _works(session: Any, path: Path, folder: str) -> dict[str, Callable[[], object]]:
    """What is measured. The audit without Spark starts its processes each time."""
    from amqp_traffic.audit.lake_audit import audit_here, audit_on_spark
    from amqp_traffic.audit.rule import TARGETS
    from amqp_traffic.ingest.inputs import find_inputs
    from amqp_traffic.ingest.job import ReadSettings
    from amqp_traffic.ingest.local import ingest
    from amqp_traffic.ingest.spark_engine import spark_engine
    from amqp_traffic.lake.folder import create_lake

    engine = spark_engine(session, ReadSettings(), _quiet)
    lake = create_lake(f"{folder}/lake")
    return {
        "ingest": lambda: list(ingest(lake, find_inputs([path]), engine, _quiet)),
        "audit": lambda: audit_here(lake, _quiet),
        "audit on Spark": lambda: audit_on_spark(session, lake, _quiet),
        "audit on Spark, all targets": lambda: audit_on_spark(session, lake, _quiet, *TARGETS),
    }


def _quiet(progress: object) -> None:
    """No progress is told."""


def cold(path: Path, folder: Path, rounds: int) -> dict[str, float]:
    """Seconds of whole commands, one after the other, and again."""
    lake = str(folder / "lake")
    audit = ["audit", lake, "--format", "json", "-o", str(folder / "audit.json")]
    commands = {
        "ingest": ["ingest", str(path), "--out", lake],
        "audit": audit,
        "audit on Spark": [*audit, "--master", MASTER],
        "report": ["report", lake, "-o", str(folder / PAGE)],
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            times[name].append(_run(["amqp-codegen", "traffic", *command]))
    return {name: median(taken) for name, taken in times.items()}


def _run(command: list[str]) -> float:
    begin = time.perf_counter()
    done = subprocess.run(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False, env=environment()
    )
    assert done.returncode in _FOUND, done.stderr.decode()
    return time.perf_counter() - begin


def report(path: Path, session: dict[str, float], commands: dict[str, float], page: int) -> list[str]:
    """Print; returns what was not reached."""
    size = path.stat().st_size
    print(f"\n{path.name}: {size / 1e6:,.0f} MB, a page of {page / 1e6:.2f} MB")
    for kind, times in (("warm", session), ("command", commands)):
        for name, seconds in times.items():
            share = f"{seconds / times['ingest']:6.0%} of the ingest" if name != "ingest" else ""
            print(f"  {kind:8} {name:28} {seconds:7.2f} s {size / 1e6 / seconds:7.1f} MB/s {share}".rstrip())
    reached = {
        "the audit, warm": not session or session["audit"] <= MOST_SHARE * session["ingest"],
        "the audit as a command": commands["audit"] <= MOST_SHARE * commands["ingest"],
        "the report": size > MIXED or commands["report"] <= MOST_REPORT,
        "the page": page <= MOST_PAGE * max(1.0, size / 1e9),
    }
    return [f"{path.name}: {what} is not as expected" for what, is_so in reached.items() if not is_so]


def main() -> int:
    missed = []
    with tempfile.TemporaryDirectory() as folder:
        for name, rounds in (("mixed", COMMANDS), ("large", 1))[: 1 + ("--large" in sys.argv)]:
            path = capture(name)
            place = Path(folder, name)
            place.mkdir()
            commands = cold(path, place, rounds)
            session = warm(path, ROUNDS) if name == "mixed" else {}
            missed += report(path, session, commands, (place / PAGE).stat().st_size)
    print("\n".join(["", *missed]))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
