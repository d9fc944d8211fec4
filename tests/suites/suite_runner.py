"""The generated checks of a suite, run on any implementation without a test runner around them.

Hundreds of checks take less time than pytest takes to start.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from conformance.amqp_1_0.deviations import outcome_of

GENERATED = Path(__file__).resolve().parents[2] / "generated"
SUITES = sorted(path.name for path in (GENERATED / "conformance").iterdir() if path.name.startswith("amqp_"))
# Waits for drivers; says nothing about a codec.
_NO_CHECKS = "test_rules"
# Finds most.
_FIRST = "test_vectors"
# Takes longer than all others together, and finds little that they do not.
_LAST = "test_truncation"


class Check(NamedTuple):
    """A generated test with one of its cases."""

    name: str
    case: Any
    run: Callable[[Any], None]

    @property
    def known_as(self) -> str:
        """The name in a file of known deviations."""
        return f"{self.name.partition('[')[0]} {self.case.id}"


def modules(suite: str) -> list[Any]:
    """The modules with the checks of a suite."""
    (folder,) = import_module(f"conformance.{suite}").__path__
    names = {path.stem for path in Path(folder).glob("test_*.py")} - {_NO_CHECKS}
    ordered = sorted(names, key=lambda name: (name == _LAST, name != _FIRST, name))
    return [import_module(f"conformance.{suite}.{name}") for name in ordered]


def checks_of(suite: str) -> Iterator[Check]:
    """Every check of a suite."""
    for module in modules(suite):
        for name, function in vars(module).items():
            for mark in getattr(function, "pytestmark", []) if name.startswith("test_") else []:
                for parameters in mark.args[1]:
                    (case,) = parameters.values
                    yield Check(f"{name}[{parameters.id}]", case, _bound(function, case))


def _bound(function: Callable[..., None], case: Any) -> Callable[[Any], None]:
    return lambda peer: function(peer=peer, case=case)


def verdict(check: Check, peer: Any) -> str:
    """``passed``, ``skipped``, or what went wrong, in the words of a file of known deviations."""
    try:
        check.run(peer)
    except pytest.skip.Exception:
        return "skipped"
    except (Exception, pytest.fail.Exception) as error:
        return outcome_of(error)
    return "passed"


def first_failure(suite: str, peer: Any) -> str:
    """The name of the first check that fails, or an empty string."""
    return next(
        (check.name for check in checks_of(suite) if verdict(check, peer) not in ("passed", "skipped")), ""
    )


def package_peer(suite: str, package: Any = None) -> Any:
    """The adapter of a suite, over its own package or another one."""
    return import_module(f"conformance.{suite}.package_peer").PackagePeer(package)


each_suite = pytest.mark.parametrize("suite", SUITES)
