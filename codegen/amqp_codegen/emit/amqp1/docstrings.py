"""Docstrings and comments of generated 1.0 modules and classes, from the text of the specification."""

from __future__ import annotations

import re
from collections.abc import Callable

from ...model.amqp1.spec import (
    Choice,
    Composite,
    Definition,
    Field,
    Part,
    Primitive,
    Restricted,
    Spec,
)
from ..class_docstrings import INDENT, WIDTH, fitted, rule_lines
from ..python_text import comment_lines, join_words, paragraphs, sentence, wrap

_ITEM = re.compile(r" *(-|\d+\.) ")


def part_docstring(part: Part) -> str:
    """Return the docstring of the package of a part: label, doc, its rules and those of its sections."""
    lines = _head(part.name, "", part.label, part.doc)
    rules = [*part.rules, *(rule for section in part.sections for rule in section.rules)]
    return "\n".join([*lines, *rule_lines([rule.path for rule in rules], part.name)])


def _head(name: str, number: str, label: str, doc: str) -> list[str]:
    place = f" ({number})" if number else ""
    lines = wrap(f"{name}{place}: {sentence(label or name)}", WIDTH)
    return [*lines, "", *_doc(doc)] if doc else lines


def _doc(text: str) -> list[str]:
    """Fold paragraphs; pictures keep their lines, and list items their indent."""
    lines: list[str] = []
    for part in text.split("\n\n"):
        if part.startswith("    "):
            folded = [line.rstrip() for line in part.split("\n")]
        else:
            indent = " " * (len(part) - len(part.lstrip(" ")))
            folded = wrap(part, WIDTH, indent + "  " if _ITEM.match(part) else indent, first=indent)
        lines += ["", *folded] if lines else folded
    return lines


def composite_docstring(composite: Composite) -> str:
    """Return the docstring of a composite: descriptor, label, doc, fields and rules."""
    return fitted(lambda shorten: _composite_lines(composite, shorten))


def _composite_lines(composite: Composite, shorten: Callable[[str], str]) -> list[str]:
    lines = _head(composite.name, _descriptor(composite), composite.label, composite.doc)
    if composite.provides:
        lines += ["", f"Provides {join_words(composite.provides)}."]
    if composite.fields:
        lines += ["", "Attributes:"]
        for field in composite.fields:
            lines += _field(field, shorten)
    rules = [*composite.rules, *(rule for field in composite.fields for rule in field.rules)]
    return [*lines, *rule_lines([rule.path for rule in rules], composite.name)]


def _descriptor(described: Composite | Restricted) -> str:
    if described.descriptor is None:
        return ""
    return (
        described.descriptor.symbol
        if described.descriptor.code is None
        else f"{described.descriptor.code:#04x}"
    )


def _field(field: Field, shorten: Callable[[str], str]) -> list[str]:
    text = f"{shorten(sentence(field.doc or field.label or field.name))} {sentence(_facts(field))}"
    return wrap(text, WIDTH, INDENT * 2, first=f"{INDENT}{field.identifier}: ")


def _facts(field: Field) -> str:
    """Return type, archetypes and the like of a field, for the end of its description."""
    kind = "any type" if field.type.name == "*" else f"type {field.type.name}"
    facts = [kind if field.type.primitive in ("", field.type.name) else f"{kind} ({field.type.primitive})"]
    if field.requires:
        facts.append(f"provides {join_words(field.requires)}")
    if field.multiple:
        facts.append("one or more" if field.mandatory else "any number")
    if field.mandatory:
        facts.append("mandatory")
    if field.default is not None:
        facts.append(f"default {field.default.text}")
    return "; ".join(facts)


def restricted_docstring(restricted: Restricted) -> str:
    """Return the docstring of a restricted type: descriptor, label, doc, value or choices, rules."""
    return fitted(lambda shorten: _restricted_lines(restricted, shorten))


def _restricted_lines(restricted: Restricted, shorten: Callable[[str], str]) -> list[str]:
    lines = _head(restricted.name, _descriptor(restricted), restricted.label, restricted.doc)
    facts = [f"Restricted {restricted.primitive}." if restricted.primitive else "A value of any type."]
    if restricted.provides:
        facts.append(f"Provides {join_words(restricted.provides)}.")
    if restricted.open:
        facts.append("Other values than these may occur.")
    lines += ["", " ".join(facts)]
    if restricted.descriptors:
        lines += ["", "Attributes:", f"{INDENT}value: The value."]
    elif restricted.choices:
        lines += ["", "Attributes:"]
        for choice in restricted.choices:
            lines += _choice(choice, shorten)
    rules = [*restricted.rules, *(rule for choice in restricted.choices for rule in choice.rules)]
    return [*lines, *rule_lines([rule.path for rule in rules], restricted.name)]


def _choice(choice: Choice, shorten: Callable[[str], str]) -> list[str]:
    text = shorten(sentence(choice.doc or choice.label or choice.name))
    return wrap(text, WIDTH, INDENT * 2, first=f"{INDENT}{choice.identifier}: ")


def restricted_comment(restricted: Restricted) -> list[str]:
    """Return the comment above the alias of a restricted type without choices."""
    return comment_lines(
        f"{sentence(restricted.doc or restricted.label)} {sentence(f'restricted {restricted.source.name}')}"
    )


def definition_comment(definition: Definition) -> list[str]:
    """Return the comment above a constant."""
    return comment_lines(sentence(definition.doc or definition.label))


def primitive_docstring(name: str, spec: Spec, addition: str = "") -> str:
    """Return the docstring of the class of a primitive type."""
    primitive = spec.type(name)
    text = primitive.doc or primitive.label if isinstance(primitive, Primitive) else ""
    lines = paragraphs(sentence(text or name), WIDTH)
    return "\n".join([*lines, "", *wrap(addition, WIDTH)] if addition else lines)
