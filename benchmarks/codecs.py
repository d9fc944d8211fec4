"""Compares the generated codecs, and how long they take to import, with other libraries: ``make bench``.

    python -m benchmarks.codecs [--compiled]

With ``--compiled`` the packages on the path are the compiled ones, and more is expected of them. The exit
code is 1 when an expected ratio was not reached.
"""

from __future__ import annotations

import platform
import sys

from . import codecs0, codecs1, imports
from .harness import report


def main() -> None:
    """Runs every workload of both families."""
    compiled = "--compiled" in sys.argv
    print(f"{platform.python_implementation()} {platform.python_version()}\n\nAMQP 0-9-1")
    reached = report(codecs0.workloads(), codecs0.COMPILED if compiled else codecs0.PURE)
    print("\nAMQP 1.0")
    reached &= report(codecs1.workloads(), codecs1.COMPILED if compiled else codecs1.PURE)
    print()
    reached &= compiled or imports.report()
    if not reached:
        sys.exit(1)


if __name__ == "__main__":
    main()
