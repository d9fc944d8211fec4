"""The tests of the 0-x templates (``{% if step is run %}``), by the name that templates use."""

from __future__ import annotations

from collections.abc import Callable

from ...model.layout import Octets, Run, TableStep


def amqp0_tests() -> dict[str, Callable[[object], bool]]:
    """Name to function: the steps of a layout."""
    return {
        "octets": lambda value: isinstance(value, Octets),
        "run": lambda value: isinstance(value, Run),
        "table": lambda value: isinstance(value, TableStep),
    }
