"""Times candidates against each other in one process: interleaved rounds, median of paired ratios.

Absolute times on shared machines say little. In every round each candidate runs once, in turn, so that a
ratio compares neighbours in time; the median over the rounds is what is quoted. What is measured is the time of
the processor, so that other programs disturb less.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

ROUNDS = 11
SECONDS_PER_RUN = 0.02


@dataclass(frozen=True, slots=True)
class Result:
    """What one workload gave.

    Attributes:
        name: The workload.
        microseconds: Candidate to its fastest run, for one repetition.
        ratios: Peer to the median over the rounds of its time divided by ours.
    """

    name: str
    microseconds: Mapping[str, float]
    ratios: Mapping[str, float]


def compare(
    name: str, ours: Callable[[], object], peers: Mapping[str, Callable[[], object]], per_call: int
) -> Result:
    """Times ``ours`` and every peer.

    Args:
        name: The workload.
        ours: Does the work once.
        peers: Name to a callable that does the same work once.
        per_call: How many units one call handles; times are given for one unit.
    """
    candidates = {"ours": ours, **peers}
    repeats = {key: _repeats(run) for key, run in candidates.items()}
    times: dict[str, list[float]] = {key: [] for key in candidates}
    gc.collect()
    gc.disable()
    try:
        for _ in range(ROUNDS):
            for key, run in candidates.items():
                times[key].append(_time(run, repeats[key]))
    finally:
        gc.enable()
    ratios = {
        key: statistics.median(peer / our for peer, our in zip(times[key], times["ours"], strict=True))
        for key in peers
    }
    return Result(name, {key: min(values) / per_call * 1e6 for key, values in times.items()}, ratios)


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


def report(results: list[Result], expected: Mapping[str, Mapping[str, float]]) -> bool:
    """Prints a table of ratios; returns whether every expected one was reached.

    Args:
        results: What was measured.
        expected: Workload to peer to the least ratio.
    """
    reached = True
    width = max(len(peer) for result in results for peer in result.ratios)
    for result in results:
        times = ", ".join(f"{key} {value:.2f} us" for key, value in result.microseconds.items())
        print(f"{result.name}\n    {times}")
        for peer, ratio in result.ratios.items():
            least = expected.get(result.name, {}).get(peer)
            verdict = (
                "" if least is None else f"  (expected {least:.1f}: {'yes' if ratio >= least else 'NO'})"
            )
            reached = reached and (least is None or ratio >= least)
            print(f"    {peer:{width}} {ratio:6.2f} times our time{verdict}")
    return reached
