"""Where the packages have their functions for VARIANT."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any


def variant_function(package: Any, name: str) -> Callable[..., Any]:
    return _function(package.__name__, name)


@cache
def _function(package: str, name: str) -> Callable[..., Any]:
    folder = f"{package}.columns"
    place = f"{folder}.variant" if find_spec(f"{folder}.variant") else f"{package}.variant"
    function: Callable[..., Any] = getattr(import_module(place), name)
    return function
