"""The same oracles under Atheris, which looks for inputs that reach new code; see the extra ``fuzz``.

    PYTHONPATH=generated python -m tests.fuzz.atheris_fuzz PACKAGE ENTRY [options of libFuzzer, such as -max_total_time=60]

The first octets of an input choose the options of the call, the others are what is decoded; for ``encode`` all of them are
the seed of the values. The octets of the suites, or small captures, are the first inputs, in a folder of the system's for
temporary files. A failing input is printed as a case that ``python -m tests.fuzz --replay`` takes.

Where ``amqp_native`` is on the path, built for libFuzzer, its code is covered, too, and all that is checked is that it
does what Python does; so is that of ``amqp_native_ingest``, for captures: ``make fuzz-native``.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from importlib import import_module
from pathlib import Path

import atheris

from tests.fuzz.case import PACKAGES, TRAFFIC, Case, save
from tests.fuzz.suite_octets import suite_octets

with atheris.instrument_imports(include=list(PACKAGES)):
    from tests.fuzz.entries import compare_with_python, entries_of, run_case  # imports the packages

CHOICE = 2  # octets that choose the options
FAILURES = Path("build/fuzz")
KINDS = {"frames": ("frame", "message", "delivery"), "value": ("value", "composite")}


def main() -> None:
    package, entry, *options = read_arguments()
    with atheris.instrument_imports(include=[package]):
        accelerated = getattr(import_module(package), "ACCELERATED", False)
    print(f"{package} {'with' if accelerated else 'without'} its core in C", flush=True)

    def run(octets: bytes) -> None:
        choice, rest = (b"", octets) if entry == "encode" else (octets[:CHOICE], octets[CHOICE:])
        drawn = entries_of(package)[entry].draw_options(package, random.Random(choice))
        case = Case(package, entry, rest, drawn)
        try:
            (compare_with_python if accelerated else run_case)(case)
        except Exception as error:
            path = save(case, ascii(error), FAILURES)
            print(f"again: python -m tests.fuzz --replay {path}\n{json.dumps(case.to_json())}", flush=True)
            raise

    with tempfile.TemporaryDirectory() as folder:
        write_inputs(package, entry, Path(folder))
        # Atheris ends the process when it is done; the folder is then left to the system.
        atheris.Setup([sys.argv[0], *options, folder], run)
        atheris.Fuzz()


def read_arguments() -> list[str]:
    targets = (*PACKAGES, TRAFFIC)
    if len(sys.argv) < 3 or sys.argv[1] not in targets or sys.argv[2] not in entries_of(sys.argv[1]):
        pairs = [f"{package} {entry}" for package in targets for entry in entries_of(package)]
        sys.exit("error: name a package and an entry, one of:\n" + "\n".join(pairs))
    return sys.argv[1:]


def write_inputs(package: str, entry: str, folder: Path) -> None:
    """Write the octets of the suite, or captures, each behind the choice of options."""
    if package == TRAFFIC:
        from tests.fuzz.captures import captures

        inputs = list(captures())
    else:
        suite = suite_octets(package)
        inputs = [octets for kind in KINDS.get(entry, (entry,)) for octets in suite.get(kind, ())]
    for number, octets in enumerate(inputs):
        (folder / str(number)).write_bytes(bytes(CHOICE) + octets)


if __name__ == "__main__":
    main()
