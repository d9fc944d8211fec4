"""What a family of specification files may contain, as data.

A grammar is a set of named rules. An element is read by the rule that its parent's rule names for
its tag, so one tag can mean different things in different places (0-9's ``doc type="scenario"``
stands in a ``rule`` only). How often children occur is left open: every grammar of AMQP leaves it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum


class ValueKind(Enum):
    """What an attribute's value is."""

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
        maximum: For numbers: the largest.
        words: For words: all of them.
        pattern: For patterns: the regular expression that the whole value must match.
        meaning: For patterns: what such a value is, to complete "is not".
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
    """An attribute that an element may have, or must."""

    value: Value
    required: bool = False


def required(value: Value) -> Attribute:
    """Return the attribute that must be there."""
    return Attribute(value, required=True)


def optional(value: Value) -> Attribute:
    """Return the attribute that may be there."""
    return Attribute(value)


@dataclass(frozen=True, slots=True)
class ElementSchema:
    """What one kind of element may contain.

    Attributes:
        attributes: By name.
        children: The tag of each child allowed, and the name of the rule for it.
        text: Whether there may be text between the children.
    """

    attributes: Mapping[str, Attribute]
    children: Mapping[str, str] = field(default_factory=dict)
    text: bool = False


@dataclass(frozen=True, slots=True)
class FileSchema:
    """The grammar of a family of files.

    Attributes:
        root: The tag of the root element, and the name of its rule.
        rules: By name.
        namespaces: Whether the files are in a namespace (any will do); if not, an element in a
            namespace is an unknown element.
    """

    root: str
    rules: Mapping[str, ElementSchema]
    namespaces: bool = False


# The attributes that say in an overlay file what happens to an element; see overlay.py.
OVERLAY_ATTRIBUTES: Mapping[str, Attribute] = {
    "overlay": optional(one_of("add", "replace", "remove")),
    "reason": optional(NAME),
    "source": optional(NAME),
    # AMQP 1.0 has a "source" of its own on types; there an overlay says this instead.
    "overlay-source": optional(NAME),
    "rename": optional(NAME),
    "before": optional(NAME),
    "after": optional(NAME),
}


def overlay_schema(grammar: FileSchema) -> FileSchema:
    """Return the grammar of the overlays on files of a grammar.

    An overlay's elements may carry the overlay attributes, and nothing of their own is required: many
    only say where we are, and what an added element lacks shows when the merged tree is checked.
    """
    rules = {name: _overlay_rule(rule) for name, rule in grammar.rules.items()}
    root = rules[grammar.root]
    root_attributes = {**root.attributes, "overlay": required(NAME)}
    rules[grammar.root] = replace(root, attributes=root_attributes)
    return replace(grammar, rules=rules)


def _overlay_rule(rule: ElementSchema) -> ElementSchema:
    own = {name: optional(attribute.value) for name, attribute in rule.attributes.items()}
    return replace(rule, attributes={**OVERLAY_ATTRIBUTES, **own})
