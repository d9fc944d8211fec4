"""These tests on a package that is compiled: ``make compiled``."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

from .packages import is_compiled


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call() -> Generator[None, Any, Any]:
    """Skip what gives a constructor or a function a value of the wrong type.

    Compiled code refuses it itself, with a TypeError, and before encoding would with an EncodeError.
    """
    try:
        return (yield)
    except TypeError as error:
        if is_compiled() and "object expected; got" in str(error):
            pytest.skip(f"compiled code refuses it earlier: {error}")
        raise
