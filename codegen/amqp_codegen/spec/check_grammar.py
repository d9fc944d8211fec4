"""Everything in a tree that its schema does not allow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..model.problem import Problem
from .check_value import complaint
from .element import Element
from .grammar import OVERLAY_ATTRIBUTES, Attribute, ElementRule, Schema
from .limit import limited
from .wording import describe, did_you_mean, quote, show_tag


def check_schema(root: Element, schema: Schema) -> list[Problem]:
    """Compare a tree with a schema.

    Args:
        root: The root element.
        schema: What is allowed.

    Returns:
        A problem for every unknown element, unknown attribute, missing attribute, bad value and
        misplaced text, in file order. The inside of an unknown element is not looked at. There
        are at most ``MAX_PROBLEMS`` and one that says so.
    """
    return limited(_check_root(root, schema))


def _check_root(root: Element, schema: Schema) -> Iterator[Problem]:
    if root.tag != schema.root:
        message = f"the root element is <{show_tag(root.tag)}>, expected <{schema.root}>"
        yield Problem("unknown-element", message, root.position)
    elif root.namespace and not schema.namespaces:
        message = f"unknown element <{show_tag(root.tag)}> in namespace {quote(root.namespace)}"
        yield Problem("unknown-element", message, root.position, "these files have no namespace")
    else:
        yield from _check_element(root, schema.rules[schema.root], schema)


def _check_element(element: Element, rule: ElementRule, schema: Schema) -> Iterator[Problem]:
    yield from _check_attributes(element, rule.attributes)
    for piece in element.content:
        if isinstance(piece, str):
            if not rule.text and piece.strip(" \t\r\n"):
                message = f"text in <{element.tag}>, where none belongs: {quote(piece.strip())}"
                yield Problem("misplaced-text", message, element.position)
        elif piece.namespace != element.namespace:
            message = f"unknown element <{show_tag(piece.tag)}> in namespace {quote(piece.namespace)}"
            yield Problem("unknown-element", message, piece.position)
        elif piece.tag in rule.children:
            yield from _check_element(piece, schema.rules[rule.children[piece.tag]], schema)
        else:
            yield _unknown_element(piece, element, rule, schema)


def _unknown_element(child: Element, parent: Element, rule: ElementRule, schema: Schema) -> Problem:
    message = f"unknown element <{show_tag(child.tag)}> in <{parent.tag}>"
    hint = did_you_mean(child.tag, rule.children)
    if any(child.tag in other.children for other in schema.rules.values()):
        hint = f"<{show_tag(child.tag)}> belongs elsewhere"
    return Problem("unknown-element", message, child.position, hint)


def _check_attributes(element: Element, known: Mapping[str, Attribute]) -> Iterator[Problem]:
    for name, text in element.attributes.items():
        if name not in known:
            yield _unknown_attribute(element, name, known)
            continue
        wrong, hint = complaint(known[name].value, text)
        if wrong:
            message = f"{describe(element)}: {name} {quote(text)} {wrong}"
            yield Problem("bad-value", message, element.position, hint)
    for name, attribute in known.items():
        if attribute.required and name not in element.attributes:
            message = f"{describe(element)} has no attribute {name!r}"
            yield Problem("missing-attribute", message, element.position)


def _unknown_attribute(element: Element, name: str, known: Mapping[str, Attribute]) -> Problem:
    hint = did_you_mean(name, known)
    if name in OVERLAY_ATTRIBUTES:
        hint = "that belongs in an overlay: a file whose root element has an attribute 'overlay'"
    return Problem(
        "unknown-attribute", f"unknown attribute {quote(name)} of {describe(element)}", element.position, hint
    )
