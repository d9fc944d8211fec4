"""How long the ingest of hostile captures takes as they grow, and how much memory, in C and in Python.

    python -m benchmarks.hostile [--quick] [--shape NAME]... [--engine C|Python] [--sizes MB,MB] [--list]

Each measurement is an ingest into a lake in a process of its own; ``s`` are seconds of its processor, ``MB`` 10^6 octets of all its
memory, both for the largest size. ``exponent`` is the power of the size with which the time grows that is left when that of an
almost empty capture is taken off; of times too short to tell, there is none. The exit code is 1 when a limit is exceeded.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .measuring import PYTHON, C, Taken, exponent, measure
from .shapes import SHAPES, write

SIZES: dict[str, tuple[float, ...]] = {C: (6, 12, 25, 50), PYTHON: (0.5, 1, 2, 4)}  # MB
QUICK = 2  # of these
MOST_EXPONENT, MOST_MEMORY = 1.1, 400.0
ROUNDS = 2
# Shorter times, in seconds, are more of the machine than of the capture.
LEAST = 0.2
# Flows for which the keys of maps are to differ though hashes of Python are known.
SEEDED = {"like-flows": "0", "high-bits": "0"}
_EMPTY = 2_000  # octets of an almost empty capture


@dataclass(frozen=True, slots=True)
class Row:
    """What is reported of a shape and an engine."""

    shape: str
    engine: str
    seconds: float
    exponent: float | None
    memory: float

    def __str__(self) -> str:
        power = "" if self.exponent is None else f"{self.exponent:.2f}"
        return f"{self.shape:32} {self.engine:8} {self.seconds:8.2f} {power:>9} {self.memory:6.0f}"

    def exceeded(self) -> list[str]:
        """The limits that are exceeded."""
        found = []
        if self.exponent is not None and self.exponent > MOST_EXPONENT:
            found.append(f"exponent {self.exponent:.2f}, at most {MOST_EXPONENT}")
        if self.memory > MOST_MEMORY:
            found.append(f"{self.memory:.0f} MB of memory, at most {MOST_MEMORY:.0f}")
        return [f"{self.shape}, {self.engine}: {text}" for text in found]


def rows(arguments: argparse.Namespace) -> Iterator[Row]:
    """Measure what is asked for, each size so many times, of which the shortest counts."""
    for engine in arguments.engine or SIZES:
        sizes = arguments.sizes or SIZES[engine][: QUICK if arguments.quick else None]
        octets = [round(size * 1e6) for size in sizes]
        for name in arguments.shape or SHAPES:
            for seed in (None, SEEDED[name]) if name in SEEDED else (None,):
                empty, *taken = (
                    _shortest(name, size, engine, seed, arguments.rounds) for size in (_EMPTY, *octets)
                )
                above = [max(measured.seconds - empty.seconds, 1e-9) for measured in taken]
                shape = name if seed is None else f"{name}, hash seed {seed}"
                memory = max(measured.memory for measured in taken)
                yield Row(shape, engine, above[-1], exponent(octets, above, LEAST), memory)


def _shortest(name: str, size: int, engine: str, seed: str | None, rounds: int) -> Taken:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.pcap")
        write(name, size, path)
        taken = [measure(path, engine, seed) for _ in range(rounds)]
    return min(taken, key=lambda measured: measured.seconds)


def _sizes(text: str) -> tuple[float, ...]:
    return tuple(sorted(map(float, text.split(","))))


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.hostile", description="Read hostile captures."
    )
    parser.add_argument("--quick", action="store_true", help="only the two smallest sizes")
    parser.add_argument("--shape", action="append", choices=SHAPES, metavar="NAME", help="only this one")
    parser.add_argument("--engine", action="append", choices=SIZES, help="only this one")
    parser.add_argument("--sizes", type=_sizes, help="other sizes, in MB")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="the shortest time of so many counts")
    parser.add_argument("--list", action="store_true", help="list the shapes")
    arguments = parser.parse_args()
    if arguments.list:
        print("\n".join(SHAPES))
        return 0
    print(f"{'shape':32} {'engine':8} {'s':>8} {'exponent':>9} {'MB':>6}")
    exceeded = []
    for found in rows(arguments):
        print(found, flush=True)
        exceeded += found.exceeded()
    print("\n".join(["", *exceeded]))
    return 1 if exceeded else 0


if __name__ == "__main__":
    sys.exit(main())
