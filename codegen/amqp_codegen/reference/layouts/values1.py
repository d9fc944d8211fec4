"""Values of AMQP 1.0 as people read them."""

from __future__ import annotations

import struct
import uuid
from collections.abc import Mapping

from ...vectors.amqp1.values import Array, Described, List, Map, RestrictedValue, Scalar, Value

_FLOATS: Mapping[str, str] = {"float": ">f", "double": ">d"}


def value_text(value: Value) -> str:
    """A value for people: numbers and texts as they are, what holds others in brackets."""
    if isinstance(value, Scalar):
        return _scalar_text(value)
    if isinstance(value, List):
        return f"[{_joined(value.items)}]"
    if isinstance(value, Map):
        return f"{{{', '.join(f'{value_text(key)}: {value_text(each)}' for key, each in value.entries)}}}"
    if isinstance(value, Array):
        return f"array [{_joined(value.items)}]"
    if isinstance(value, Described):
        return f"@{value_text(value.descriptor)} {value_text(value.value)}"
    if isinstance(value, RestrictedValue):
        return f"{value.type} {value_text(value.value)}"
    fields = [f"{name}: {_content_text(content)}" for name, content in value.fields.items()]
    return f"{value.type} {{{', '.join(fields)}}}" if fields else value.type


def _content_text(content: Value | tuple[Value, ...]) -> str:
    return f"[{_joined(content)}]" if isinstance(content, tuple) else value_text(content)


def _joined(values: tuple[Value, ...]) -> str:
    return ", ".join(map(value_text, values))


def _scalar_text(value: Scalar) -> str:
    content = value.content
    if content is None:
        return "null"
    if isinstance(content, bool):
        return str(content).lower()
    if value.type == "char" and isinstance(content, int):
        return f"U+{content:04X}"
    if isinstance(content, int):
        return str(content)
    if isinstance(content, str):
        return content if value.type == "symbol" else f'"{content}"'
    if value.type in _FLOATS:
        return str(struct.unpack(_FLOATS[value.type], content)[0])
    if value.type == "uuid":
        return str(uuid.UUID(bytes=content))
    if value.type.startswith("decimal"):
        return ""  # its octets are all there is to see
    return _octets_text(content)


def _octets_text(octets: bytes) -> str:
    """Octets that are printable ASCII; of others there is nothing more to see."""
    text = octets.decode("ascii", errors="replace")
    return f'"{text}"' if text.isprintable() and text.isascii() else ""
