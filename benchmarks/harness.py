"""Times candidates against each other in one process: interleaved rounds, the least of all rounds.

Absolute times on shared machines say little, and a machine can be slow for seconds. In every round each candidate of
each workload runs once, in turn, so that its runs are spread over the whole measurement; the least of their times is the
one with the fewest disturbances. What is measured is the time of the processor, so that other programs disturb less.
"""

from __future__ import annotations

import gc
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from tests.native.twins import pure_twin

ROUNDS = 25
SECONDS_PER_RUN = 0.01

# The generated package with the core in C, and the same package without it.
NATIVE, PURE = "native", "pure"

# Candidate to peer to the least ratio: the time of the peer divided by that of the candidate.
Wanted = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Workload:
    """The same work, done by several candidates.

    Attributes:
        family: The family of protocols.
        name: What is done.
        units: How many messages, tables or values one call handles; times are given for one of them.
        candidates: Name to a callable that does the work once.
        wanted: What is wanted of our candidates.
        strings: ``repeated`` when all units have the same texts, ``new`` when each has others.
    """

    family: str
    name: str
    units: int
    candidates: Mapping[str, Callable[[], object]]
    wanted: Wanted = field(default_factory=dict)
    strings: str = "repeated"


@dataclass(frozen=True, slots=True)
class Result:
    """What one workload gave.

    Attributes:
        workload: The workload.
        microseconds: Candidate to its fastest run, for one unit.
    """

    workload: Workload
    microseconds: Mapping[str, float]

    def ratio(self, candidate: str, peer: str) -> float:
        """How many times as long the peer takes."""
        return self.microseconds[peer] / self.microseconds[candidate]


@dataclass(frozen=True, slots=True)
class _Run:
    """What one candidate does in one round.

    Attributes:
        workload: The number of the workload.
        candidate: The name of the candidate.
        work: Does the work once.
        repeats: How often it is done.
    """

    workload: int
    candidate: str
    work: Callable[[], object]
    repeats: int


def own_packages(package: str) -> dict[str, Any]:
    """A generated package as candidates: with the core in C, where that is installed, and without it."""
    module = import_module(package)
    return {**({NATIVE: module} if module.ACCELERATED else {}), PURE: pure_twin(package)}


def each(work: Callable[[Any], object], items: Sequence[Any]) -> Callable[[], object]:
    """A candidate that works on every item and keeps nothing, with a loop that hardly counts."""
    return lambda: deque(map(work, items), maxlen=0)


def measure(workloads: Sequence[Workload]) -> list[Result]:
    """Times every candidate of every workload."""
    runs = [
        _Run(number, name, work, _repeats(work))
        for number, workload in enumerate(workloads)
        for name, work in workload.candidates.items()
    ]
    least: list[dict[str, float]] = [
        dict.fromkeys(workload.candidates, float("inf")) for workload in workloads
    ]
    gc.disable()
    try:
        for number in range(ROUNDS):
            gc.collect()
            for run in runs if number % 2 else reversed(runs):
                times = least[run.workload]
                times[run.candidate] = min(times[run.candidate], _time(run.work, run.repeats))
    finally:
        gc.enable()
    return [
        Result(workload, {name: seconds / workload.units * 1e6 for name, seconds in times.items()})
        for workload, times in zip(workloads, least, strict=True)
    ]


def _time(run: Callable[[], object], repeats: int) -> float:
    start = time.process_time()
    for _ in range(repeats):
        run()
    return (time.process_time() - start) / repeats


def _repeats(run: Callable[[], object]) -> int:
    """How often to repeat so that one run takes long enough to be timed."""
    run()
    once = _time(run, 3)
    return max(1, int(SECONDS_PER_RUN / once)) if once else 1000
