"""A dataclass of the model as plain data: each attribute under its own name."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import PurePath
from typing import Any

from ..model.position import Position


def record(value: Any) -> Any:
    """The value as JSON data.

    A dataclass is an object, with its name as ``class``: where an attribute may be one of several classes it tells
    which. A position is ``file:line:column``, the file without its folder. Enumerations are their values, octets
    are hexadecimal, tuples are arrays.
    """
    if isinstance(value, Position):
        return f"{PurePath(value.file).name}:{value.line}:{value.column}"
    if is_dataclass(value):
        named = {field.name: record(getattr(value, field.name)) for field in fields(value)}
        return {"class": type(value).__name__, **named}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, Mapping):
        return {key: record(entry) for key, entry in value.items()}
    if isinstance(value, tuple):
        return [record(entry) for entry in value]
    if isinstance(value, float) and not math.isfinite(value):  # JSON has no number for it
        return str(value)
    return value
