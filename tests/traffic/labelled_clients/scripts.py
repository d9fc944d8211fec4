"""All scripts, by what their clients are called."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any, TypeAlias

Script: TypeAlias = Callable[[Any], None]


def scripts_of(modules: Iterable[ModuleType]) -> dict[str, Script]:
    """The public functions that these modules define: ``ack_twice`` is the client ``ack-twice``."""
    return {
        name.replace("_", "-"): thing
        for module in modules
        for name, thing in vars(module).items()
        if callable(thing) and thing.__module__ == module.__name__ and not name.startswith("_")
        if not isinstance(thing, type)
    }
