"""Finds the optional module in C that reads captures, ``amqp_native_ingest``."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

# What the methods of the module take and give.
_LAYOUT_VERSION = 6


def native_module() -> Any:
    """Return the module, or None if there is none that fits, or ``AMQP_PURE`` keeps it out."""
    if os.environ.get("AMQP_PURE"):
        return None
    try:
        module = import_module("amqp_native_ingest")
    except ImportError:
        return None
    return module if module.LAYOUT_VERSION == _LAYOUT_VERSION else None
