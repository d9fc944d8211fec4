"""Scalar values of the generated packages as a person reads them."""

from __future__ import annotations

from typing import Any

from ..amqp0.tables import moment
from ..annotation import Value

_MILLISECONDS = 1000


def scalar(value: Any) -> tuple[Value, str]:
    """Return a value without the classes of the package, and what a person wants to know besides."""
    kind = type(value).__name__
    if kind.startswith("Decimal"):
        return str(value.decimal), ""
    if value is None or isinstance(value, (bool, bytes)):
        return value, ""
    if kind == "Timestamp":
        return int(value), moment(value / _MILLISECONDS)
    if isinstance(value, int):
        return int(value), ""
    if isinstance(value, float):
        return float(value), ""
    return str(value), f"U+{ord(value):04X}" if kind == "Char" else ""
