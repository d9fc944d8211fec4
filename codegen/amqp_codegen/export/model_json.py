"""The resolved model as one JSON document, with each attribute under its own name, and the JSON Schema of it."""

from __future__ import annotations

import json
import math
import re
import sys
import types
import typing
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from inspect import cleandoc
from pathlib import PurePath
from typing import Any

from ..model.amqp0 import class_grammar, raw, wire
from ..model.amqp0 import spec as spec0
from ..model.amqp1 import spec as spec1
from ..model.amqp1 import types as rule1
from ..model.amqp1 import types as types1
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
FORMAT = "1.5"


def model_text(specification: Specification) -> str:
    """Return the document as text that ends with a line break, and is the same on every machine."""
    return json.dumps(model_document(specification), indent=1, ensure_ascii=False) + "\n"


def model_document(specification: Specification) -> dict[str, Any]:
    """Return ``{"format", "family", "specification"}``; ``schema_text`` describes it."""
    spec = specification.spec
    family = "amqp0" if isinstance(spec, spec0.Spec) else "amqp1"
    return {"format": FORMAT, "family": family, "specification": record(spec)}


_PLAIN_SCHEMAS: Mapping[Any, Mapping[str, str]] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bytes: {"type": "string", "pattern": "^([0-9a-f]{2})*$"},
    type(None): {"type": "null"},
}
# A class name that occurs in both families gets the family as a suffix.
_MODEL_MODULES = (class_grammar, raw, rule1, spec0, spec1, types1, wire)


def schema_text() -> str:
    """Return the schema as text that ends with a line break."""
    return json.dumps(schema(), indent=1) + "\n"


def schema() -> dict[str, Any]:
    """Return the schema of the documents of ``model_document``, for both families."""
    definitions: dict[str, Any] = {}
    families = [
        _family(name, spec, definitions) for name, spec in (("amqp0", spec0.Spec), ("amqp1", spec1.Spec))
    ]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:amqp-codegen:model:{FORMAT}",
        "title": f"The resolved model of an AMQP specification, format {FORMAT}",
        "oneOf": families,
        "$defs": dict(sorted(definitions.items())),
    }


def _family(name: str, spec: type, definitions: dict[str, Any]) -> dict[str, Any]:
    properties = {"format": {"const": FORMAT}, "family": {"const": name}}
    return _object({**properties, "specification": _type_schema(spec, definitions)})


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _type_schema(kind: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a type annotation; describe each class once, in ``definitions``."""
    if kind in _PLAIN_SCHEMAS:
        return dict(_PLAIN_SCHEMAS[kind])
    if kind is Position:
        return {"type": "string", "pattern": r":\d+:\d+$", "description": "file:line:column"}
    if isinstance(kind, type) and issubclass(kind, Enum):
        return {"enum": [member.value for member in kind]}
    if isinstance(kind, type) and is_dataclass(kind):
        return {"$ref": f"#/$defs/{_describe(kind, definitions)}"}
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return {"anyOf": [_type_schema(argument, definitions) for argument in arguments]}
    if origin is tuple:
        return {"type": "array", "items": _type_schema(arguments[0], definitions)}
    return {"type": "object", "additionalProperties": _type_schema(arguments[1], definitions)}  # a mapping


def _describe(kind: Any, definitions: dict[str, Any]) -> str:
    """Describe a class in ``definitions``, and return its name there."""
    name = _name(kind)
    if name not in definitions:
        definitions[name] = {}  # a class may contain itself
        hints = typing.get_type_hints(kind, vars(sys.modules[kind.__module__]))
        texts = _attributes(kind)
        properties: dict[str, Any] = {"class": {"const": kind.__name__}}
        for field in fields(kind):
            text = {"description": texts[field.name]} if field.name in texts else {}
            properties[field.name] = {**_type_schema(hints[field.name], definitions), **text}
        definitions[name] = {"description": _first_line(kind), **_object(properties)}
    return name


def _name(kind: Any) -> str:
    owners = {module.__name__ for module in _MODEL_MODULES if is_dataclass(vars(module).get(kind.__name__))}
    same = {getattr(sys.modules[owner], kind.__name__) for owner in owners}
    if len(same) <= 1:
        return str(kind.__name__)
    return f"{kind.__name__}_{kind.__module__.split('.')[-2]}"  # the family: amqp0 or amqp1


def _first_line(kind: Any) -> str:
    return str(kind.__doc__).partition("\n")[0]


def _attributes(kind: Any) -> dict[str, str]:
    """Return attribute to text, from the docstrings of the class and its bases."""
    texts: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        # Python 3.13 removes the indentation itself.
        text = cleandoc(base.__doc__ or "").partition("Attributes:\n")[2]
        for match in re.finditer(r"^ {4}(\w+): (.*(?:\n {5,}.*)*)", text, re.MULTILINE):
            texts[match[1]] = " ".join(match[2].split())
    return texts
