"""Finds the optional module with the cores in C: that of this package, or the installed ``amqp_native``."""

import os
from importlib import import_module
from typing import Any, Final

# The version of layouts and calls that this package was generated for.
_LAYOUT_VERSION: Final = 3


def _find_module() -> Any:
    """Return the module, or None if there is none that fits, or ``AMQP_PURE`` keeps it out."""
    if os.environ.get("AMQP_PURE"):
        return None
    for name in ("._amqp_native", "amqp_native"):
        try:
            module = import_module(name, __package__)
        except ImportError:
            continue
        if getattr(module, "LAYOUT_VERSION", 0) == _LAYOUT_VERSION:
            return module
    return None


MODULE: Final[Any] = _find_module()
