"""Compares the generated codecs, and how long they take to import, with other libraries: ``make bench``.

    python -m benchmarks.codecs [--output FILE.json]

Each generated package takes part twice: with the core in C, if ``amqp_native`` is installed, and without it. The exit
code is 1 when a ratio that is wanted was not reached.
"""

from __future__ import annotations

import argparse
import platform
import sys
from pathlib import Path

from . import imports
from .amqp0 import codecs as amqp0_codecs
from .amqp0 import engine as amqp0_engine
from .amqp1 import codecs as amqp1_codecs
from .harness import NATIVE, PURE, Result, measure
from .ratio_table import print_table, unreached, write_json


def main() -> None:
    """Runs every workload of both families."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.codecs")
    parser.add_argument("--output", type=Path, help="write the times to this file, as JSON")
    arguments = parser.parse_args()
    print(f"{platform.python_implementation()} {platform.python_version()}")
    print(
        "Microseconds for one message or table; how many times as long the others take; and what is wanted."
    )
    results: list[Result] = []
    for family, workloads, ours in (
        (amqp0_codecs.FAMILY, amqp0_codecs.workloads(), (NATIVE, PURE)),
        (amqp0_engine.FAMILY, amqp0_engine.workloads(), amqp0_engine.OURS),
        (amqp1_codecs.FAMILY, amqp1_codecs.workloads(), (NATIVE, PURE)),
    ):
        measured = measure(workloads)
        print(f"\n{family}")
        print_table(measured, ours)
        results += measured
    if not any(NATIVE in result.microseconds for result in results):
        print("\nWithout the cores in C: `make native` installs them.")
    print()
    missed = unreached(results)
    print("\n".join(f"not reached: {ratio}" for ratio in missed) or "all that is wanted was reached")
    if arguments.output:
        write_json(results, arguments.output)
    if not imports.report() or missed:
        sys.exit(1)


if __name__ == "__main__":
    main()
