"""One ingest in a process of its own: its processor time and the most memory that the process had."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from math import log
from pathlib import Path

C, PYTHON = "C", "Python"


@dataclass(frozen=True, slots=True)
class Taken:
    """Seconds of the processor, and MB (10^6 octets) of memory."""

    seconds: float
    memory: float


def measure(path: Path, engine: str, hash_seed: str | None = None) -> Taken:
    """Ingest a capture by an engine; with ``hash_seed``, hashes of texts are as in a Python that Spark starts."""
    environment = {**os.environ, "AMQP_PURE": "1" if engine == PYTHON else ""}
    if hash_seed is not None:
        environment["PYTHONHASHSEED"] = hash_seed
    command = [sys.executable, "-m", "benchmarks.hostile.measuring", engine, str(path)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment)
    return Taken(**json.loads(done.stdout))


def exponent(sizes: list[int], seconds: list[float], least: float) -> float | None:
    """Fit the power of the size with which times grow, by least squares of the logarithms.

    None if there are fewer than two times that are long enough to say something.
    """
    points = [(log(size), log(taken)) for size, taken in zip(sizes, seconds, strict=True) if taken >= least]
    if len(points) < 2:
        return None
    middle_x, middle_y = (sum(values) / len(points) for values in zip(*points, strict=True))
    spread = sum((x - middle_x) ** 2 for x, _ in points)
    return sum((x - middle_x) * (y - middle_y) for x, y in points) / spread


def _ingest(engine: str, path: Path) -> Taken:
    """Ingest here."""
    from amqp_traffic.capture.native_module import native_module
    from amqp_traffic.ingest.inputs import find_inputs
    from amqp_traffic.ingest.job import ReadSettings
    from amqp_traffic.ingest.local import ingest, local_engine
    from amqp_traffic.lake.folder import create_lake

    if (native_module() is None) != (engine == PYTHON):
        sys.exit("error: amqp_native_ingest is missing; `make native` builds it")
    with tempfile.TemporaryDirectory() as folder:
        lake, inputs = create_lake(f"{folder}/lake"), find_inputs([path])
        begin = time.process_time()
        for _ in ingest(lake, inputs, local_engine(ReadSettings(), workers=1), lambda octets: None):
            pass
        seconds = time.process_time() - begin
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6
    return Taken(seconds, memory)


if __name__ == "__main__":
    found = _ingest(sys.argv[1], Path(sys.argv[2]))
    print(json.dumps({"seconds": found.seconds, "memory": found.memory}))
