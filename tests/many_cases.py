"""Hundreds of cases of microseconds in one test: each test of its own costs pytest milliseconds."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest

Test = Callable[..., None]


def in_one_test(names: str, cases: Mapping[Any, Any]) -> Callable[[Test], Test]:
    """Like ``parametrize``: calls the test for each case, which has a value for each name, and reports all that fail.

    Args:
        cases: The values by what a case is called: a tuple where there are several names.
    """
    arguments = [name.strip() for name in names.split(",")]

    def decorate(function: Test) -> Test:
        @functools.wraps(function, updated=())
        def test(**fixtures: Any) -> None:
            faults = []
            for case, values in cases.items():
                given = zip(arguments, values if len(arguments) > 1 else (values,), strict=True)
                try:
                    function(**dict(given), **fixtures)
                except (Exception, pytest.fail.Exception) as error:
                    fault = error if isinstance(error, Exception) else AssertionError(str(error))
                    fault.add_note(f"in the case {case!a}")
                    faults.append(fault)
            if faults:
                raise ExceptionGroup(f"{len(faults)} of {len(cases)} cases", faults)
            assert cases

        signature = inspect.signature(function)
        others = [parameter for name, parameter in signature.parameters.items() if name not in arguments]
        del test.__wrapped__
        test.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return test

    return decorate


def by_id(parameters: Iterable[Any]) -> dict[str, Any]:
    """The cases of a list of ``pytest.param``."""
    return {parameter.id: parameter.values for parameter in parameters}
