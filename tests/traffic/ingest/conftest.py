"""Whole captures are read here, again and again: on the main Python that is enough."""

from __future__ import annotations

from pathlib import Path

import pytest

_HERE = Path(__file__).parent
# One of each kind, on every Python.
_EVERYWHERE = "test_every_kind.py"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if _HERE in item.path.parents and item.path.name != _EVERYWHERE:
            item.add_marker(pytest.mark.slow)
