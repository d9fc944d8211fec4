"""One element of an overlay: what it asks for, whether it asks properly, what becomes of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from ..model.problem import Problem
from .element import Element
from .grammar import OVERLAY_ATTRIBUTES
from .overlay_identity import key_attributes
from .text import fold
from .wording import describe, did_you_mean, listing, quote

ACTIONS = ("add", "replace", "remove")
_PLACES = ("before", "after")


def action(entry: Element) -> str:
    """Return what an element of an overlay asks for; empty if it only says where we are."""
    return entry.attributes.get("overlay", "")


def check_entry(entry: Element) -> Iterator[Problem]:
    """Check an element that asks for something: has it all it needs and nothing that makes no sense?"""
    asked = action(entry)
    if asked not in ACTIONS:
        message = f"{describe(entry)}: overlay {quote(asked)} is not one of {listing(ACTIONS)}"
        yield _attribute(entry, message, did_you_mean(asked, ACTIONS))
        return
    for name, value in (("reason", entry.attributes.get("reason", "")), ("source", _source(entry))):
        if not value.strip():
            yield _attribute(entry, f"{describe(entry)} has overlay={asked!r} but no {name}")
    if "rename" in entry.attributes:
        if asked != "replace":
            yield _attribute(entry, f"{describe(entry)}: only overlay='replace' can rename")
        elif "name" not in key_attributes(entry.tag)[:1] or "name" not in entry.attributes:
            yield _attribute(entry, f"{describe(entry)} has no name that could be changed")
    places = [name for name in _PLACES if name in entry.attributes]
    if places and asked != "add":
        yield _attribute(entry, f"{describe(entry)}: only overlay='add' can say {places[0]!r}")
    if len(places) > 1:
        yield _attribute(entry, f"{describe(entry)} says both 'before' and 'after'")
    if asked == "remove" and (entry.children or entry.text):
        message = f"{describe(entry)} has overlay='remove' but is not empty"
        yield Problem("overlay-attribute", message, entry.position)
    for inner in entry.walk():
        if inner is not entry and "overlay" in inner.attributes:
            message = f"{describe(inner)} is inside an element that has overlay={asked!r} already"
            yield _attribute(inner, message, "what is inside it needs no overlay attribute")


def check_place(place: Element, base: Element, free: Collection[str] = ()) -> Iterator[Problem]:
    """Check an element that says where we are, or what to remove: it must not say anything else.

    Attributes may repeat what the base has: then they prove that the overlay fits.

    Args:
        place: The element of the overlay.
        base: The element it means.
        free: Attributes that may have any value.
    """
    for name, value in place.attributes.items():
        found = base.attributes.get(name)
        if name in key_attributes(place.tag) or name in free or value == found:
            continue
        if found is not None:
            message = f"{describe(place)} has {name} {quote(value)}, but {quote(found)} at {base.position}"
            yield Problem("overlay-target", message, place.position, _REPLACE)
        elif name in OVERLAY_ATTRIBUTES:
            yield _attribute(place, f"{describe(place)} has {name!r} but no 'overlay'", _ACTION)
        else:
            message = f"{describe(place)} has an attribute {quote(name)}, but none at {base.position}"
            yield Problem("overlay-target", message, place.position, _REPLACE)


def check_visit(visit: Element) -> Iterator[Problem]:
    """Check that an element that only says where we are leads to something, and has no text to lose."""
    if visit.text:
        message = f"{describe(visit)} only says where we are, but has text: {quote(visit.text)}"
        yield Problem("overlay-attribute", message, visit.position, _ACTION)
    elif not visit.children:
        message = f"{describe(visit)} only says where we are, and nothing is there"
        yield Problem("overlay-attribute", message, visit.position, _ACTION)


_ACTION = 'say overlay="add", "replace" or "remove"'
_REPLACE = 'to change it, say overlay="replace"'


def finished(entry: Element) -> Element:
    """Return an added or replacing element as it is in the result: renamed, no overlay attributes."""
    attributes = {
        name: value for name, value in entry.attributes.items() if name not in _overlay_attributes(entry)
    }
    if "rename" in entry.attributes and "name" in attributes:
        attributes["name"] = entry.attributes["rename"]
    origin = fold(f"{entry.attributes.get('reason', '')} ({_source(entry)})")
    content = tuple(piece if isinstance(piece, str) else _plain(piece) for piece in entry.content)
    return replace(entry, attributes=attributes, content=content, origin=origin)


def _plain(element: Element) -> Element:
    """Return an element without the overlay attribute that check_entry has complained about."""
    attributes = {name: value for name, value in element.attributes.items() if name != "overlay"}
    content = tuple(piece if isinstance(piece, str) else _plain(piece) for piece in element.content)
    return replace(element, attributes=attributes, content=content)


def _source(entry: Element) -> str:
    return entry.attributes.get("overlay-source", entry.attributes.get("source", ""))


def _overlay_attributes(entry: Element) -> Collection[str]:
    """Return the attributes that are the overlay's: ``source`` is not where ``overlay-source`` is given."""
    kept = {"source"} if "overlay-source" in entry.attributes else set()
    return OVERLAY_ATTRIBUTES.keys() - kept


def _attribute(entry: Element, message: str, hint: str = "") -> Problem:
    return Problem("overlay-attribute", message, entry.position, hint)
