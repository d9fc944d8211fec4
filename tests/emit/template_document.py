"""What docs/templates.md says of the model, made from the model: ``python -m tests.emit.template_document`` writes it.

The tables of attributes are those of the classes and their docstrings; the rest of the page is written by hand.
"""

from __future__ import annotations

import inspect
import re
import sys
import types
import typing
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from amqp_codegen.model.amqp0 import class_grammar, field_types, layout, raw, spec, wire
from amqp_codegen.model.amqp1 import spec as spec1
from amqp_codegen.model.amqp1 import spec as wire1
from amqp_codegen.model.amqp1 import types as rule1
from amqp_codegen.model.amqp1 import types as types1
from amqp_codegen.model.problem import Position

PAGE = Path(__file__).resolve().parents[2] / "docs" / "templates.md"
_MODULES = (class_grammar, field_types, layout, raw, rule1, spec, spec1, types1, wire, wire1)
BEGIN, END = "<!-- model: {} -->", "<!-- end -->"
# The classes of each passage, in its order.
PASSAGES: Mapping[str, Sequence[type]] = {
    "0-x": (
        spec.Spec,
        spec.Class,
        spec.Method,
        spec.Field,
        spec.Property,
        field_types.WireType,
        spec.Domain,
        spec.Constant,
        spec.Assert,
        spec.Rule,
        spec.Chassis,
        wire.WireVersion,
        wire.Dialect,
        wire.Profile,
        wire.PropertyCheck,
        wire.Conduct,
    ),
    "field types": (field_types.FieldFacts,),
    "layout": (layout.Layout, layout.Run, layout.Atom, layout.Octets, layout.TableStep, layout.Constant),
    "grammar": (
        class_grammar.Production,
        class_grammar.Token,
        class_grammar.Reference,
        class_grammar.Sequence,
        class_grammar.Choice,
        class_grammar.Repeat,
        class_grammar.Optional,
        class_grammar.Automaton,
        class_grammar.State,
        class_grammar.Transition,
    ),
    "1.0": (
        spec1.Spec,
        spec1.Part,
        spec1.Section,
        types1.Primitive,
        types1.Encoding,
        types1.Restricted,
        types1.Choice,
        types1.Composite,
        types1.Field,
        types1.TypeReference,
        types1.Kind,
        types1.Default,
        types1.Descriptor,
        types1.Union,
        spec1.Archetype,
        spec1.Definition,
        rule1.Rule,
        wire1.Wire,
        wire1.HeaderLayout,
        wire1.WireMapRule,
        wire1.WireFieldRule,
        wire1.WireNames,
    ),
    "both": (raw.RawSource, Position),
}
# For attributes that need no sentence of their own where they are.
_USUAL = {
    "actor": "``client`` or ``server``.",
    "class_name": "``CamelCase``, for a class.",
    "doc": "What it means.",
    "encodings": "In file order.",
    "field": "The field.",
    "identifier": "An identifier, unique beside its like.",
    "item": "What it is about.",
    "items": "One after the other.",
    "kind_local": "The local variable with the kind of content; empty for strings.",
    "label": "A short name for people.",
    "length_local": "The local variable with the length.",
    "length_in_place": "Whether the length is one octet right before them, which the run before does not share with anything.",
    "octets": "The octets.",
    "level": "MUST, SHOULD or MAY.",
    "name": "Its name.",
    "atoms": "In wire order.",
    "steps": "In wire order.",
    "position": "Where it stands.",
    "rules": "Its own rules.",
    "sha256": "The SHA-256 of its octets, hexadecimal.",
    "type": "The elementary type.",
    "declared": "False for an elementary type that the file uses without declaring it.",
    "asserts": "Its checks.",
    "expression": "What it stands for.",
    "version": "The protocol version.",
}


def tables(passage: str) -> str:
    """The text of a passage."""
    return "\n".join(line for kind in PASSAGES[passage] for line in (*_table(kind), ""))


def attributes(kind: Any) -> Iterator[tuple[str, str, str]]:
    """Name, type and meaning of all that a template may ask an object for."""
    texts = _texts(kind)
    if issubclass(kind, Enum):
        yield "name", "str", "Which one: " + ", ".join(f"``{item.name}``" for item in kind) + "."
        yield "value", "str", "As in the specification: " + ", ".join(
            f"``{item.value}``" for item in kind
        ) + "."
    elif is_dataclass(kind):
        annotations = {
            name: text for base in reversed(kind.__mro__) for name, text in _annotations(base).items()
        }
        for field in fields(kind):
            yield field.name, annotations[field.name], texts.get(field.name) or _USUAL[field.name]
    for name, member in vars(kind).items():
        if name.startswith("_") or isinstance(member, types.MemberDescriptorType):
            continue
        if isinstance(member, property) and member.fget:
            yield name, str(member.fget.__annotations__["return"]), inspect.cleandoc(member.__doc__ or "")
        elif inspect.isfunction(member):
            [_, *parameters] = inspect.signature(member).parameters
            name = f"{name}({', '.join(parameters)})"
            yield name, str(member.__annotations__["return"]), inspect.cleandoc(member.__doc__ or "")


def reachable(kinds: Sequence[type]) -> set[type]:
    """Every class of the model that an object of these can lead to."""
    found: set[type] = set()
    waiting: list[Any] = list(kinds)
    while waiting:
        kind = waiting.pop()
        if typing.get_args(kind):
            waiting += typing.get_args(kind)
        elif isinstance(kind, type) and (is_dataclass(kind) or issubclass(kind, Enum)) and kind not in found:
            found.add(kind)
            if is_dataclass(kind):
                waiting += typing.get_type_hints(kind, vars(sys.modules[kind.__module__])).values()
    return found


def _annotations(kind: type) -> dict[str, str]:
    return {name: str(text) for name, text in inspect.get_annotations(kind).items()}


def _table(kind: type) -> list[str]:
    first = inspect.cleandoc(kind.__doc__ or "").partition("\n\n")[0]
    rows = [
        f"| `{name}` | `{_cell(text)}` | {_cell(_markdown(' '.join(meaning.split())))} |"
        for name, text, meaning in attributes(kind)
    ]
    return [
        f"### {kind.__name__}",
        "",
        _markdown(first),
        "",
        "| attribute | type | what it is |",
        "| --- | --- | --- |",
        *rows,
    ]


def _markdown(text: str) -> str:
    return " ".join(text.split()).replace("``", "`")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _texts(kind: type) -> dict[str, str]:
    """Attribute to its text, from the docstrings of the class and those it is derived from."""
    found: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        text = inspect.cleandoc(base.__doc__ or "").partition("Attributes:\n")[2]
        for match in re.finditer(r"^ {4}(\w+): (.*(?:\n {5,}.*)*)", text, re.MULTILINE):
            found[match[1]] = " ".join(match[2].split())
    return found


def with_tables(text: str) -> str:
    """The page with its tables as they should be."""
    for passage in PASSAGES:
        begin = BEGIN.format(passage)
        before, found, rest = text.partition(begin)
        assert found, f"the page has no {begin}"
        text = f"{before}{begin}\n\n{tables(passage)}{END}{rest.partition(END)[2]}"
    return text


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
