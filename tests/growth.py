"""How work grows with the input: the exponent of a fitted power, of lines executed or of processor time.

Lines of Python are the same at every run, on a busy machine, too; but what a function of C does is not in them. Time has
all, and is the best of a few tries.
"""

from __future__ import annotations

import gc
import math
import sys
import time
import tracemalloc
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

# Linear, and a little more for what is fitted; the square would be 2.
LARGEST_EXPONENT = 1.1
DOUBLINGS = 3
# What takes less than this on the largest input is fast enough, and too short to measure.
FLOOR = 0.02
# On a busy machine it takes many until each size had a quiet moment; on a quiet one the first are enough.
MOST_ROUNDS = 100

Make = Callable[[int], Any]
Call = Callable[[Any], Any]


def sizes(first: int) -> list[int]:
    return [first << doubling for doubling in range(DOUBLINGS + 1)]


def exponent(points: Sequence[tuple[float, float]]) -> float:
    """Return the slope of the line that is fitted to the logarithms: 1 for linear, 2 for quadratic work."""
    logs = [(math.log(size), math.log(work)) for size, work in points]
    middle_x, middle_y = (sum(column) / len(logs) for column in zip(*logs, strict=True))
    above = sum((x - middle_x) * (y - middle_y) for x, y in logs)
    return above / sum((x - middle_x) ** 2 for x, _ in logs)


def lines(call: Call, value: Any) -> int:
    """Return how many lines of Python a call executes, and how many functions of C it calls."""
    count = 0

    def trace(_frame: Any, event: str, _argument: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    def profile(_frame: Any, event: str, _argument: Any) -> None:
        nonlocal count
        count += event == "c_call"

    before = sys.gettrace(), sys.getprofile()
    sys.setprofile(profile)
    sys.settrace(trace)
    try:
        call(value)
    finally:
        sys.settrace(before[0])
        sys.setprofile(before[1])
    return count


def line_exponent(make: Make, call: Call, first: int) -> float:
    """Return the exponent of the lines that an input of 1 does not take."""
    call(make(sizes(first)[-1]))  # what is made once, and kept
    constant = lines(call, make(1))
    return exponent([(size - 1, max(lines(call, make(size)) - constant, 1)) for size in sizes(first)])


def seconds(call: Call, value: Any) -> float:
    start = time.process_time()
    call(value)
    return time.process_time() - start


def time_exponent(make: Make, call: Call, first: int) -> float:
    """Return the exponent of time: of the best of rounds, which go on until it is small enough, or there were many.

    The largest input should fit into a processor's cache with all that is made of it: beyond, the same work takes longer.
    """
    inputs = [make(size) for size in sizes(first)]
    best = [math.inf] * len(inputs)
    found = math.inf
    gc.collect()
    gc.disable()
    try:
        for _ in range(MOST_ROUNDS):
            best = [min(known, seconds(call, value)) for known, value in zip(best, inputs, strict=True)]
            if best[-1] < FLOOR:
                return 0.0
            found = exponent([(size, max(work, 1e-6)) for size, work in zip(sizes(first), best, strict=True)])
            if found <= LARGEST_EXPONENT:
                break
    finally:
        gc.enable()
    return found


def most_memory(errors: tuple[type[Exception], ...], call: Callable[[], Any]) -> int:
    """Return the most memory that a call holds at a time, in octets; it may raise one of the errors."""
    tracemalloc.start()
    try:
        with suppress(*errors):
            call()
    finally:
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    return most
