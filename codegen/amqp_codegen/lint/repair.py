"""A tree with its misspellings corrected, so that one wrong letter does not hide what else is wrong.

Reading stops at the form of a file: what it means is looked at only if every element and attribute is known.
Lint looks at what is meant all the same.
"""

from __future__ import annotations

from dataclasses import replace

from ..reader.element import Element
from ..reader.schema import ElementSchema, FileSchema
from ..support.wording import closest


def repaired(root: Element, grammar: FileSchema) -> Element:
    """Corrects a tree as far as that is safe.

    An unknown element or attribute takes the name that is most like its own and not there yet, else it goes;
    so does text where none belongs. Wrong values stay: nobody could tell what is meant.
    """
    return _repaired(root, grammar.rules[grammar.root], grammar)


def _repaired(element: Element, rule: ElementSchema, grammar: FileSchema) -> Element:
    content: list[Element | str] = []
    for piece in element.content:
        if isinstance(piece, str):
            content.append(piece if rule.text else "\n")
            continue
        tag = piece.tag if piece.tag in rule.children else closest(piece.tag, rule.children)
        if tag and piece.namespace == element.namespace:
            inner = replace(piece, tag=tag)
            content.append(_repaired(inner, grammar.rules[rule.children[tag]], grammar))
    return replace(element, attributes=_attributes(element, rule), content=tuple(content))


def _attributes(element: Element, rule: ElementSchema) -> dict[str, str]:
    attributes = {name: text for name, text in element.attributes.items() if name in rule.attributes}
    for name, text in element.attributes.items():
        likely = closest(name, rule.attributes)
        if name not in rule.attributes and likely:
            attributes.setdefault(likely, text)
    return attributes
