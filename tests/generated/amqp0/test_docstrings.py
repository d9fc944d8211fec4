"""The examples in the docstrings of the modules for authors of clients do what they say."""

from __future__ import annotations

import doctest
from importlib import import_module

import pytest

from .packages import NAMES, PACKAGES

MODULES = ("assembly", "confirms", "heartbeats", "numbers", "replies", "sasl_responses", "tuning")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("module", MODULES)
def test_examples(name: str, module: str) -> None:
    if module == "confirms" and not hasattr(PACKAGES[name], "ConfirmTracker"):
        pytest.skip("the specification has no class confirm")
    results = doctest.testmod(import_module(f"{name}.{module}"))
    assert results.attempted
    assert not results.failed
