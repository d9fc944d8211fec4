"""How long packages take to import, compared with pamqp: a process for each import, both sides with their bytecode."""

from __future__ import annotations

import compileall
import importlib.util
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

GENERATED = Path(__file__).resolve().parent.parent / "generated"
ROUNDS = 15
# What one imports to decode and encode frames.
PEER = ("pamqp", "pamqp.commands, pamqp.frame, pamqp.header, pamqp.body, pamqp.heartbeat")
OURS = {"amqp_0_9_1_rabbitmq": 1.3, "amqp_1_0": None}  # and what is allowed, in times of the peer

_PROGRAM = """
import sys, time
sys.path.insert(0, {folder!r})
start = time.process_time_ns()
import {modules}
print(time.process_time_ns() - start)
"""


def milliseconds(folder: Path, modules: str) -> float:
    """The processor time of an import, in a process that has imported nothing else."""
    program = _PROGRAM.format(folder=str(folder), modules=modules)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    # -S: no site-packages, whose .pth files import modules too.
    done = subprocess.run(
        [sys.executable, "-S", "-c", program], capture_output=True, text=True, check=True, env=environment
    )
    return int(done.stdout) / 1e6


def copied(name: str, folder: Path) -> None:
    """Copies a package, and compiles it to bytecode."""
    source = GENERATED / name
    if not source.is_dir():
        spec = importlib.util.find_spec(name)
        if spec is None or spec.submodule_search_locations is None:
            sys.exit(f"{name} is not installed")
        source = Path(spec.submodule_search_locations[0])
    shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    compileall.compile_dir(folder / name, quiet=1)


def measured(rounds: int = ROUNDS) -> dict[str, tuple[float, float]]:
    """Package to the median of its milliseconds, and of what these are in times of the peer."""
    modules = {PEER[0]: PEER[1], **{name: name for name in OURS}}
    times: dict[str, list[float]] = {name: [] for name in modules}
    with tempfile.TemporaryDirectory() as place:
        for name in modules:
            copied(name, Path(place))
        for number in range(rounds + 1):
            for name, imported in modules.items():
                taken = milliseconds(Path(place), imported)
                if number:  # the first one warms the caches of files
                    times[name].append(taken)
    return {
        name: (
            statistics.median(taken),
            statistics.median(own / peer for own, peer in zip(taken, times[PEER[0]], strict=True)),
        )
        for name, taken in times.items()
    }


def report() -> bool:
    """Prints the figures; returns whether each package keeps to what is allowed."""
    kept = True
    for name, (taken, ratio) in measured().items():
        most = OURS.get(name)
        kept &= most is None or ratio <= most
        allowed = f" (at most {most})" if most else ""
        print(f"import {name:<22}{taken:8.1f} ms {ratio:8.2f} times {PEER[0]}{allowed}")
    return kept


if __name__ == "__main__":
    sys.exit(not report())
