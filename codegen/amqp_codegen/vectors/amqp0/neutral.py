"""Methods, content headers and frames in the neutral form that ``vectors.json`` has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...model.spec0 import Class, Field, Method
from ..case import Neutral
from .values import minimum

Values = Mapping[str, Neutral]


def method_input(method: Method, values: Values) -> Neutral:
    """A method; fields without a value, and reserved ones, have the least that their type holds."""
    return {
        "method": method.full_name,
        "class-id": method.class_index,
        "method-id": method.index,
        "fields": [_field_input(field, values) for field in method.fields],
    }


def _field_input(field: Field, values: Values) -> Neutral:
    value = values.get(field.name, minimum(field.type))
    if field.reserved:
        return {"name": field.name, "type": field.type.value, "reserved": True, "value": value}
    return {"name": field.name, "type": field.type.value, "value": value}


def header_input(entry: Class, values: Values, body_size: int = 0) -> Neutral:
    """A content header with the properties that have values; a bit is its own flag, and absent if it is false."""
    return {
        "class": entry.name,
        "class-id": entry.index,
        "body-size": str(body_size),
        "properties": [
            {"name": each.field.name, "type": each.field.type.value, "value": values[each.field.name]}
            for each in entry.properties
            if values.get(each.field.name, False) is not False
        ],
    }


def frame_input(meaning: str, channel: int, payload: Neutral) -> Neutral:
    """A frame; ``meaning`` is its type in words, the payload has the form that this type asks for."""
    return {"type": meaning, "channel": channel, "payload": payload}


def table_input(entries: Sequence[Neutral]) -> Neutral:
    """A field table that stands alone."""
    return {"entries": list(entries)}


def hexadecimal(octets: bytes) -> Neutral:
    """Octets as a value."""
    return {"hex": octets.hex()}
