"""The resolved model as one JSON document, with each attribute under its own name."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import PurePath
from typing import Any

from ..model.amqp0 import spec as spec0
from ..model.problem import Position
from ..resolve.specification import Specification


def record(value: Any) -> Any:
    """Return a value of the model as JSON data.

    A dataclass is an object; its ``class`` is the name, because an attribute may have one of several classes. A
    position is ``file:line:column``, the file without its folder. Enumerations are their values, octets are
    hexadecimal, tuples are arrays.
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
    if isinstance(value, float) and not math.isfinite(value):  # JSON has no such number
        return str(value)
    return value


# The first number changes if something is renamed, removed or gets another meaning; the second if something is
# added. Programs that read the document must check the first.
FORMAT = "1.1"


def model_text(specification: Specification) -> str:
    """Return the document as text that ends with a line break, and is the same on every machine."""
    return json.dumps(model_document(specification), indent=1, ensure_ascii=False) + "\n"


def model_document(specification: Specification) -> dict[str, Any]:
    """Return ``{"format", "family", "specification"}``; ``schema_text`` describes it."""
    spec = specification.spec
    family = "amqp0" if isinstance(spec, spec0.Spec) else "amqp1"
    return {"format": FORMAT, "family": family, "specification": record(spec)}
