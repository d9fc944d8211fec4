"""How long generating takes: processor time and wall time of whole commands, with nothing to do, little and everything.

    python -m benchmarks.generate

What is wanted is for an idle machine with two cores. A command that takes longer is reported; nothing fails, because
the times of a busy machine say little.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 5
TEMPLATE = "amqp0/assembly.py.jinja"


@dataclass(frozen=True)
class Case:
    """A command, what is done before each round, and what is wanted of it: seconds of the processor, and of the clock."""

    name: str
    arguments: Sequence[str]
    processor: float | None = None
    clock: float | None = None
    before: Callable[[], object] = lambda: None
    rounds: int = ROUNDS


def cases(place: Path) -> list[Case]:
    everything = ["-o", str(place / "all")]
    templates = place / "templates"
    (templates / TEMPLATE).parent.mkdir(parents=True)
    shutil.copy(ROOT / "templates" / TEMPLATE, templates / TEMPLATE)
    one = ["0-9-1", "-o", str(place / "one"), "--templates", str(templates)]

    def change_template() -> None:
        with open(templates / TEMPLATE, "a", encoding="utf-8") as file:
            file.write(f"# {os.urandom(8).hex()}\n")

    def nothing() -> None:
        shutil.rmtree(place / "new", ignore_errors=True)

    new = ["0-9-1", "-o", str(place / "new"), "--no-cache"]
    return [
        Case("all packages of this repository, nothing known", everything, rounds=1),
        Case("again, nothing to do", everything, processor=0.4),
        Case("--check", [*everything, "--check"], processor=0.4),
        Case("0-9-1, another folder, all known", one, rounds=1),
        Case("0-9-1, one template changed", one, processor=1.0, before=change_template),
        Case("0-9-1 from nothing, --no-cache", new, clock=3.0, before=nothing),
        Case("--help", ["--help"], processor=0.15),
    ]


def seconds(arguments: Sequence[str], place: Path) -> tuple[float, float]:
    """The seconds of a call: of the processor, also those of the processes that it starts, and of the clock."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment = {
        **inherited,
        "AMQP_CODEGEN_CACHE": str(place / "cache"),
        "PYTHONPATH": str(ROOT / "codegen"),
        "PYTHONPYCACHEPREFIX": str(place / "bytecode"),
    }
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    command = [sys.executable, "-m", "amqp_codegen", *arguments]
    subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)
    clock, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, clock


def report() -> None:
    """Prints the least times of the rounds of each case."""
    print(f"{'seconds':48} processor   clock")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        for case in cases(place):
            times = []
            for _ in range(case.rounds):
                case.before()
                times.append(seconds(case.arguments, place))
            processor, clock = (min(taken) for taken in zip(*times, strict=True))
            wanted = [
                f"more than the {most} wanted"
                for taken, most in ((processor, case.processor), (clock, case.clock))
                if most is not None and taken > most
            ]
            print(f"{case.name:48} {processor:9.2f} {clock:7.2f}  {', '.join(wanted)}".rstrip(), flush=True)


if __name__ == "__main__":
    report()
