"""The tests of the 1.0 templates (``{% if type is composite %}``), by the name that templates use."""

from __future__ import annotations

from collections.abc import Callable

from ...model.spec1 import Composite, Primitive, Restricted, Union


def amqp1_tests() -> dict[str, Callable[[object], bool]]:
    """Name to function."""
    return {
        "composite": lambda value: isinstance(value, Composite),
        "primitive": lambda value: isinstance(value, Primitive),
        "restricted": lambda value: isinstance(value, Restricted),
        "union": lambda value: isinstance(value, Union),
    }
