"""The examples in the docstrings of modules that clients keep count with."""

from __future__ import annotations

import doctest
import importlib

import pytest

from .packages import amqp

MODULES = ("deliveries", "link_credit", "numbers", "sasl_responses", "serial", "session_window")


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    result = doctest.testmod(importlib.import_module(f"{amqp.__name__}.{name}"))
    assert result.attempted
    assert not result.failed
