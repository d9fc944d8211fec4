"""Where the packages have their functions for VARIANT."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any


def variant_function(package: Any, name: str) -> Callable[..., Any]:
    return _function(package.__name__, name)


@cache
def _function(package: str, name: str) -> Callable[..., Any]:
    function: Callable[..., Any] = getattr(import_module(f"{package}.variant"), name)
    return function
