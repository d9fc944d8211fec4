"""Runs the fuzzers for some time, or one input again.

    python -m tests.fuzz --seconds 60 [--seed N] [--package NAME]... [--entry NAME]... [--failures FOLDER]
    python -m tests.fuzz --replay FILE...
    python -m tests.fuzz --list

The seed is printed; the same seed draws the same inputs. An input on which an oracle fails is written to a file in FOLDER,
by default build/fuzz, with the command that runs it again. Exit code 1: an oracle failed.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "codegen"), str(ROOT / "generated")]

from tests.fuzz.case import PACKAGES, TRAFFIC, Case, load, save  # noqa: E402 (see the path above)
from tests.fuzz.entries import draw_case, entries_of, run_case  # noqa: E402

TARGETS = (*PACKAGES, TRAFFIC) if find_spec("pyarrow") else PACKAGES
MOST_FILES = 20  # of one fault there are thousands of inputs


def main() -> int:
    arguments = read_arguments()
    if arguments.replay:
        return replay(arguments.replay)
    if arguments.list:
        print(*(f"{package} {entry}" for package in TARGETS for entry in entries_of(package)), sep="\n")
        return 0
    seed = random.SystemRandom().randrange(2**32) if arguments.seed is None else arguments.seed
    print(f"seed {seed}", flush=True)
    pairs = [
        (package, entry)
        for package in arguments.package or TARGETS
        for entry in entries_of(package)
        if not arguments.entry or entry in arguments.entry
    ]
    return fuzz(cases(pairs, seed, arguments.seconds), arguments.failures)


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Fuzz the generated packages.")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--package", action="append", choices=TARGETS)
    parser.add_argument("--entry", action="append")
    parser.add_argument("--failures", type=Path, default=Path("build/fuzz"))
    parser.add_argument("--replay", type=Path, nargs="+")
    parser.add_argument("--list", action="store_true", help="what there is of packages and entries")
    return parser.parse_args()


def cases(pairs: list[tuple[str, str]], seed: int, seconds: float) -> Iterator[Case]:
    """Draw inputs for each pair of package and entry in turn, until the time is over."""
    generators = {pair: random.Random(f"{seed} {pair}") for pair in pairs}
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        for pair in pairs:
            yield draw_case(*pair, generators[pair])


def fuzz(drawn: Iterable[Case], folder: Path) -> int:
    """Run inputs; print what failed, and at the end how many there were."""
    tried: Counter[tuple[str, str]] = Counter()
    accepted: Counter[tuple[str, str]] = Counter()
    failures: Counter[str] = Counter()
    for case in drawn:
        pair = (case.package, case.entry)
        tried[pair] += 1
        try:
            accepted[pair] += run_case(case)
        except Exception as error:
            where = place_of(error)
            failures[where] += 1
            if failures[where] == 1 and len(failures) <= MOST_FILES:
                path = save(case, f"{where}: {error!a}", folder)
                print(f"FAILED {case.package} {case.entry}: {where}: {ascii(error)[:300]}")
                print(f"  again: python -m tests.fuzz --replay {path}", flush=True)
    for pair, count in tried.items():
        print(f"{' '.join(pair):28} {count:8} inputs {accepted[pair]:8} accepted")
    print(f"{sum(tried.values())} inputs, {sum(failures.values())} failures in {len(failures)} places")
    return 1 if failures else 0


def place_of(error: Exception) -> str:
    """The kind of an error and where it was raised, the same for all inputs that meet one fault."""
    frames = traceback.extract_tb(error.__traceback__)
    last = frames[-2] if len(frames) > 1 and frames[-1].name == "demand" else frames[-1]
    return f"{type(error).__name__} in {Path(last.filename).name}:{last.lineno}"


def replay(paths: list[Path]) -> int:
    failed = 0
    for path in paths:
        try:
            print(f"{path}: {'accepted' if run_case(load(path)) else 'refused'}")
        except Exception:
            failed = 1
            print(f"{path}:")
            traceback.print_exc()
    return failed


if __name__ == "__main__":
    sys.exit(main())
