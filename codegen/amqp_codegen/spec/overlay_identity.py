"""Which element of a base file an overlay's element means."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from .element import Element

# The attributes that tell elements of one tag apart, the first that is there; "name" for any other.
_KEYS: Mapping[str, tuple[str, ...]] = {
    "assert": ("check",),
    "descriptor": ("name", "code"),
    "doc": ("type", "name"),
    "encoding": ("code",),
}
# Names differ between versions in these only: 0-8 writes "no ack" where 0-9 writes "no-ack".
_SEPARATORS = re.compile(r"[ _-]+")

Identity = tuple[str, str]


def normalise(name: str) -> str:
    """Make names equal that differ only in case and in blanks, hyphens and underscores."""
    return _SEPARATORS.sub("-", name.strip()).lower()


def key_attributes(tag: str) -> tuple[str, ...]:
    """Return the attributes that tell elements of this tag apart."""
    return _KEYS.get(tag, ("name",))


def identity(element: Element) -> Identity:
    """Return the tag and normalised key; the key of a plain doc, or an unnamed rule of 0-8, is empty."""
    for attribute in key_attributes(element.tag):
        if attribute in element.attributes:
            return element.tag, normalise(element.attributes[attribute])
    return element.tag, ""


def repeatable(element: Element) -> bool:
    """Tell whether siblings like this need not differ, as 0-8's unnamed rules, docs that are rules, tests."""
    tag, key = identity(element)
    return (tag != "doc" and not key) or (tag, key) == ("doc", "rule")


def by_identity(elements: Iterable[Element]) -> dict[Identity, list[int]]:
    """Return at which indices the elements of each identity stand."""
    found: dict[Identity, list[int]] = {}
    for index, element in enumerate(elements):
        found.setdefault(identity(element), []).append(index)
    return found
