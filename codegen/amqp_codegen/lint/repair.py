"""A tree with its misspellings corrected, so that one wrong letter does not hide other findings.

Reading stops if the form of a file is wrong; its meaning is looked at only if every element and attribute is known.
Lint examines the meaning all the same.
"""

from __future__ import annotations

from dataclasses import replace

from ..reader.element import Element
from ..reader.schema import ElementSchema, Schema
from ..support.wording import closest


def repaired(root: Element, schema: Schema) -> Element:
    """Correct a tree as far as that is safe.

    An unknown element or attribute takes the known name most like its own that is not used yet; else it is removed, and
    so is text where none belongs. Wrong values stay: their meaning cannot be guessed.
    """
    return _repaired(root, schema.rules[schema.root], schema)


def _repaired(element: Element, rule: ElementSchema, schema: Schema) -> Element:
    content: list[Element | str] = []
    for piece in element.content:
        if isinstance(piece, str):
            content.append(piece if rule.text else "\n")
            continue
        tag = piece.tag if piece.tag in rule.children else closest(piece.tag, rule.children)
        if tag and piece.namespace == element.namespace:
            inner = replace(piece, tag=tag)
            content.append(_repaired(inner, schema.rules[rule.children[tag]], schema))
    return replace(element, attributes=_attributes(element, rule), content=tuple(content))


def _attributes(element: Element, rule: ElementSchema) -> dict[str, str]:
    attributes = {name: text for name, text in element.attributes.items() if name in rule.attributes}
    for name, text in element.attributes.items():
        likely = closest(name, rule.attributes)
        if name not in rule.attributes and likely:
            attributes.setdefault(likely, text)
    return attributes
