"""The parts that several elements of a 1.0 file have: docs, rules, lists of names, truth values."""

from __future__ import annotations

from ..model.raw1 import RawRule
from .element import Element
from .markup import plain_text


def plain_doc(element: Element) -> str:
    """Return the docs of an element that are nothing special, joined."""
    return plain_text(doc for doc in element.find_all("doc") if not doc.attributes.get("type"))


def read_rules(element: Element) -> tuple[RawRule, ...]:
    """Return the rules of an element in file order."""
    return tuple(_read_rule(child) for child in element.find_all("rule"))


def names(element: Element, attribute: str) -> tuple[str, ...]:
    """Return the names that an attribute lists, parted by commas."""
    return tuple(name.strip() for name in element.attributes.get(attribute, "").split(",") if name.strip())


def truth(element: Element, attribute: str) -> bool:
    """Return a truth value; an absent one is false."""
    return element.attributes.get(attribute) == "true"


def _read_rule(element: Element) -> RawRule:
    scenarios = [doc for doc in element.find_all("doc") if doc.attributes.get("type") == "scenario"]
    return RawRule(
        name=element.attributes["name"],
        label=element.attributes.get("label", ""),
        section=element.attributes.get("section", ""),
        text=plain_doc(element),
        on_failure=element.attributes.get("on-failure", ""),
        scenario=plain_text(scenarios) if scenarios else None,
        position=element.position,
        origin=element.origin,
    )
