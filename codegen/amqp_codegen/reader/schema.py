"""The schema of a family of specification files, as data.

A schema is a set of named rules. The rule of the parent names the rule for each child tag, so one tag can
mean different things in different places (0-9's ``doc type="scenario"`` occurs in a ``rule`` only). The
number of children is not restricted, as in every schema of AMQP.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum


class ValueKind(Enum):
    """The kind of an attribute's value."""

    TEXT = "text"
    NAME = "name"
    NUMBER = "number"
    FLAG = "flag"
    WORD = "word"
    PATTERN = "pattern"
    REGEXP = "regexp"


@dataclass(frozen=True, slots=True)
class Value:
    """The values an attribute may have.

    Attributes:
        kind: Any text; a name (not blank); a number; a flag (0 or 1); one of some words; text that
            matches a pattern; or a regular expression.
        maximum: The largest number.
        words: All words.
        pattern: The regular expression that the whole value must match.
        meaning: What a value of that pattern is, to complete "is not".
    """

    kind: ValueKind
    maximum: int = 0
    words: tuple[str, ...] = ()
    pattern: str = ""
    meaning: str = ""


TEXT = Value(ValueKind.TEXT)
NAME = Value(ValueKind.NAME)
U8 = Value(ValueKind.NUMBER, maximum=0xFF)
U16 = Value(ValueKind.NUMBER, maximum=0xFFFF)
U32 = Value(ValueKind.NUMBER, maximum=0xFFFF_FFFF)
FLAG = Value(ValueKind.FLAG)
REGEXP = Value(ValueKind.REGEXP)


def one_of(*words: str) -> Value:
    """Return the value that is one of these words."""
    return Value(ValueKind.WORD, words=words)


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute that an element may or must have."""

    value: Value
    required: bool = False


def required(value: Value) -> Attribute:
    """Return an attribute that an element must have."""
    return Attribute(value, required=True)


def optional(value: Value) -> Attribute:
    """Return an attribute that an element may have."""
    return Attribute(value)


@dataclass(frozen=True, slots=True)
class ElementSchema:
    """The rule for one kind of element.

    Attributes:
        attributes: By name.
        children: The tag of each allowed child to the name of its rule.
        text: Whether text is allowed between the children.
    """

    attributes: Mapping[str, Attribute]
    children: Mapping[str, str] = field(default_factory=dict)
    text: bool = False


@dataclass(frozen=True, slots=True)
class Schema:
    """The schema of a family of files.

    Attributes:
        root: The tag of the root element, and the name of its rule.
        rules: By name.
        namespaces: True if the files may be in a namespace, whichever; else an element in a namespace
            is unknown.
    """

    root: str
    rules: Mapping[str, ElementSchema]
    namespaces: bool = False


def children(*tags: str, **ruled: str) -> Mapping[str, str]:
    """Return the children of these tags; a keyword names the rule of its tag where the two names differ."""
    return {**{tag: tag for tag in tags}, **ruled}


# The attributes by which an overlay file changes elements; see overlay.py.
OVERLAY_ATTRIBUTES: Mapping[str, Attribute] = {
    "overlay": optional(one_of("add", "replace", "remove")),
    "reason": optional(NAME),
    "source": optional(NAME),
    # In AMQP 1.0, types have an attribute "source" of the standard; overlays write this one there.
    "overlay-source": optional(NAME),
    "rename": optional(NAME),
    "before": optional(NAME),
    "after": optional(NAME),
}


def overlay_schema(schema: Schema) -> Schema:
    """Return the schema of overlays on files of a schema.

    Elements may have the overlay attributes, and none of their own is required: many elements only lead
    to others, and the check of the merged tree reports what an added element lacks.
    """
    rules = {name: _overlay_rule(rule) for name, rule in schema.rules.items()}
    root = rules[schema.root]
    root_attributes = {**root.attributes, "overlay": required(NAME)}
    rules[schema.root] = replace(root, attributes=root_attributes)
    return replace(schema, rules=rules)


def _overlay_rule(rule: ElementSchema) -> ElementSchema:
    own = {name: optional(attribute.value) for name, attribute in rule.attributes.items()}
    return replace(rule, attributes={**OVERLAY_ATTRIBUTES, **own})
