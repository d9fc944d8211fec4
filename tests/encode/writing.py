"""Values as ``amqp-codegen encode`` takes them."""

from __future__ import annotations

import enum
import json
from decimal import Decimal
from typing import Any, cast
from uuid import UUID


def method_text(method: Any) -> str:
    """A method of 0-x with all of its fields."""
    fields = [field for field in method.FIELDS if not field.reserved]
    parts = [
        f"{field.name.rstrip('_').replace('_', '-')}={field_text(field.type, getattr(method, field.name))}"
        for field in fields
        if getattr(method, field.name) is not None
    ]
    return " ".join([getattr(method, "NAME", ""), *parts])


def field_text(kind: str, value: Any) -> str:
    if kind == "content":
        return f"hex:{value.data.hex()}"
    if kind == "longstr":
        return f"hex:{value.hex()}"
    if kind == "shortstr":
        return json.dumps(value)
    return table_text(value) if kind == "table" else str(value).lower()


def table_text(value: Any) -> str:
    """A value of a field table."""
    if isinstance(value, dict):
        entries = cast("dict[str, Any]", value)
        return f"{{{', '.join(f'{json.dumps(key)}: {table_text(entry)}' for key, entry in entries.items())}}}"
    if isinstance(value, list):
        items = cast("list[Any]", value)  # type: ignore[redundant-cast]
        return f"[{', '.join(map(table_text, items))}]"
    if isinstance(value, Decimal):
        return f"decimal:{value}"
    if type(value).__name__ == "Timestamp":
        return f"timestamp:{value}"
    if isinstance(value, bytes):
        return f"hex:{value.hex()}"
    return json.dumps(value) if isinstance(value, (str, bool, int)) or value is None else repr(value)


def described_text(value: Any, nested: bool = False) -> str:
    """A value of a type of 1.0 with a descriptor: a statement, or what stands for it in a field."""
    if value.SOURCE:
        content = value_text(value.value)
        return f"{value.NAME}({content})" if nested else f"{value.NAME} {content}"
    parts = [
        f"{field.name}={value_text(getattr(value, field.attribute))}"
        for field in value.FIELDS
        if getattr(value, field.attribute) not in (None, [])
    ]
    return f"{value.NAME}({' '.join(parts)})" if nested else " ".join([value.NAME, *parts])


def value_text(value: Any) -> str:
    """A value of 1.0 with the name of its type."""
    name = type(value).__name__
    if hasattr(value, "NAME"):
        return described_text(value, nested=True)
    if isinstance(value, enum.Enum):
        return json.dumps(str(value.value)) if isinstance(value.value, str) else str(value.value).lower()
    if name == "Described":
        return f"described({value_text(value.descriptor)} {value_text(value.value)})"
    if name == "Array":
        return f"array({' '.join(map(value_text, value))})"
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    if name in ("Symbol", "Char"):
        return f"{name.lower()}:{json.dumps(str(value))}"
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, bytes):
        return f"hex:{value.hex()}"
    if isinstance(value, UUID):
        return f"uuid:{value}"
    if isinstance(value, list):
        items = cast("list[Any]", value)  # type: ignore[redundant-cast]
        return f"[{', '.join(map(value_text, items))}]"
    if hasattr(value, "items"):
        return f"{{{', '.join(f'{value_text(key)}: {value_text(item)}' for key, item in value.items())}}}"
    if type(value) in (int, float):
        return repr(value)
    return f"{name.lower()}:{value}"
