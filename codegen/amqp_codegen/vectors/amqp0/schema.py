"""The names and types of a 0-x specification, for implementations that do not know them."""

from __future__ import annotations

from typing import Any

from ...model.amqp0.spec import Field, Spec
from ..case import Schema


def amqp0_schema(spec: Spec) -> Schema:
    """Return frame types, classes with their properties, methods with their fields, and dialects."""
    return {
        "frames": [{"name": name, "type": number} for name, number in spec.wire.frames.items()],
        "classes": [
            {
                "name": class_.name,
                "class-id": class_.index,
                "properties": [_field(entry.field) for entry in class_.properties],
            }
            for class_ in spec.classes
        ],
        "methods": [
            {
                "name": method.full_name,
                "class-id": method.class_index,
                "method-id": method.index,
                "fields": [_field(field) for field in method.fields],
            }
            for method in spec.methods
        ],
        "dialects": [
            {
                "name": dialect.name,
                "letters": dict(dialect.read),
                "plain": {"integer": "".join(dialect.integers), **dialect.write},
            }
            for dialect in spec.dialects
        ],
    }


def _field(field: Field) -> dict[str, Any]:
    reserved = {"reserved": True} if field.reserved else {}
    return {"name": field.name, "type": field.type.value, **reserved}
