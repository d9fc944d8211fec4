"""Suites of packages that tests make, run in this process."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import conformance
import pytest
from amqp_codegen.emit.target import Generated

from tests.suites.suite_runner import checks_of, package_peer, verdict

from .small_specifications import imported, publish_to

# Every prefix of a long case takes longer than all else together, and a short one has the same parts.
LONGEST_CASE = 200


@contextmanager
def imported_suite(made: Generated, folder: Path) -> Iterator[str]:
    """Publish a package and its suite, and let both be imported; the name of the suite."""
    publish_to(folder, made)
    with imported(folder, made.package), pytest.MonkeyPatch.context() as patched:
        patched.setattr(conformance, "__path__", [*conformance.__path__, str(folder / "conformance")])
        try:
            yield made.package
        finally:
            own = f"conformance.{made.package}"
            for name in [name for name in sys.modules if name == own or name.startswith(f"{own}.")]:
                del sys.modules[name]
            vars(conformance).pop(made.package, None)


def count_passed(suite: str) -> int:
    """How many checks the package of a suite passes. It fails none."""
    peer = package_peer(suite)
    verdicts = [
        (verdict(check, peer), check.name)
        for check in checks_of(suite)
        if not check.name.startswith("test_every_prefix") or len(check.case.octets) <= LONGEST_CASE
    ]
    assert [verdict for verdict in verdicts if verdict[0] not in ("passed", "skipped")] == []
    return sum(verdict == "passed" for verdict, _ in verdicts)
