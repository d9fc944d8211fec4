"""Tests in which something never comes: they wait a moment for it, and longer if the machine was too busy for that."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable

# Seconds for what never comes. What comes may be later than the first of them on a busy machine.
PATIENCES = (0.4, 4.0, 40.0)


def patiently(test: Callable[..., None]) -> Callable[..., None]:
    """Give a test its argument ``timeout``; if it fails, begin again with a longer one."""

    @functools.wraps(test)
    def run(**fixtures: object) -> None:
        for timeout in PATIENCES[:-1]:
            try:
                return test(**fixtures, timeout=timeout)
            except (AssertionError, LookupError):
                continue
        return test(**fixtures, timeout=PATIENCES[-1])

    signature = inspect.signature(test)
    parameters = [parameter for name, parameter in signature.parameters.items() if name != "timeout"]
    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return run
