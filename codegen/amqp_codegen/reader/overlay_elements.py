"""The elements of an overlay.

The element of the base that an overlay's element refers to, the checks of its attributes, the element that
results from it, and the order of added elements among their siblings.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..model.problem import Problem
from ..support.wording import describe, did_you_mean, listing, quote
from .element import Element, fold
from .schema import OVERLAY_ATTRIBUTES

# The attributes that identify elements of a tag; the first one present counts. Other tags have "name".
_KEY_ATTRIBUTES: Mapping[str, tuple[str, ...]] = {
    "assert": ("check",),
    "descriptor": ("name", "code"),
    "doc": ("type", "name"),
    "encoding": ("code",),
}
# The same name differs between versions in these only: 0-8 writes "no ack", 0-9 "no-ack".
_SEPARATORS = re.compile(r"[ _-]+")

Identity = tuple[str, str]


def normalise(name: str) -> str:
    """Return a name for comparison: case, and blanks, hyphens and underscores, make no difference."""
    return _SEPARATORS.sub("-", name.strip()).lower()


def key_attributes(tag: str) -> tuple[str, ...]:
    """Return the attributes that identify elements of this tag."""
    return _KEY_ATTRIBUTES.get(tag, ("name",))


def identity(element: Element) -> Identity:
    """Return the tag and normalised key; the key of a plain doc, or an unnamed rule of 0-8, is empty."""
    for attribute in key_attributes(element.tag):
        if attribute in element.attributes:
            return element.tag, normalise(element.attributes[attribute])
    return element.tag, ""


def repeatable(element: Element) -> bool:
    """Return whether siblings may be identical: 0-8's unnamed rules, docs that are rules, tests."""
    tag, key = identity(element)
    return (tag != "doc" and not key) or (tag, key) == ("doc", "rule")


def by_identity(elements: Iterable[Element]) -> dict[Identity, list[int]]:
    """Return the indices of the elements of each identity."""
    indices: dict[Identity, list[int]] = {}
    for index, element in enumerate(elements):
        indices.setdefault(identity(element), []).append(index)
    return indices


REPLACE_HINT = 'to change it, say overlay="replace"'
ACTIONS = ("add", "replace", "remove")
_PLACE_ATTRIBUTES = ("before", "after")


def action(entry: Element) -> str:
    """Return the action of an overlay's element; empty if it only leads to others."""
    return entry.attributes.get("overlay", "")


def check_entry(entry: Element) -> Iterator[Problem]:
    """Check that an element with an action has all attributes it needs, and none that makes no sense."""
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
    places = [name for name in _PLACE_ATTRIBUTES if name in entry.attributes]
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


def check_place(
    place: Element, base: Element, free: Collection[str] = (), hint: str = REPLACE_HINT
) -> Iterator[Problem]:
    """Check that an element which only leads to others, or removes, changes no attribute.

    Attributes may repeat those of the base, to prove that the overlay fits. Those in ``free`` may have any
    value.
    """
    for name, value in place.attributes.items():
        expected = base.attributes.get(name)
        if name in key_attributes(place.tag) or name in free or value == expected:
            continue
        if expected is not None:
            message = f"{describe(place)} has {name} {quote(value)}, but {quote(expected)} at {base.position}"
            yield Problem("overlay-target", message, place.position, hint)
        elif name in OVERLAY_ATTRIBUTES:
            yield _attribute(place, f"{describe(place)} has {name!r} but no 'overlay'", _ACTION_HINT)
        else:
            message = f"{describe(place)} has an attribute {quote(name)}, but none at {base.position}"
            yield Problem("overlay-target", message, place.position, hint)


def check_visit(visit: Element) -> Iterator[Problem]:
    """Check that an element without an action leads to others, and has no text that would be lost."""
    if visit.text:
        message = f"{describe(visit)} only says where we are, but has text: {quote(visit.text)}"
        yield Problem("overlay-attribute", message, visit.position, _ACTION_HINT)
    elif not visit.children:
        message = f"{describe(visit)} only says where we are, and nothing is there"
        yield Problem("overlay-attribute", message, visit.position, _ACTION_HINT)


_ACTION_HINT = 'say overlay="add", "replace" or "remove"'


def finished(entry: Element) -> Element:
    """Return an added or replacing element as in the result: renamed, without overlay attributes."""
    attributes = {
        name: value for name, value in entry.attributes.items() if name not in _overlay_attributes(entry)
    }
    if "rename" in entry.attributes and "name" in attributes:
        attributes["name"] = entry.attributes["rename"]
    origin = fold(f"{entry.attributes.get('reason', '')} ({_source(entry)})")
    content = tuple(piece if isinstance(piece, str) else _plain(piece) for piece in entry.content)
    return replace(entry, attributes=attributes, content=content, origin=origin)


def _plain(element: Element) -> Element:
    """Return an element without the overlay attribute that ``check_entry`` has reported."""
    attributes = {name: value for name, value in element.attributes.items() if name != "overlay"}
    content = tuple(piece if isinstance(piece, str) else _plain(piece) for piece in element.content)
    return replace(element, attributes=attributes, content=content)


def _source(entry: Element) -> str:
    return entry.attributes.get("overlay-source", entry.attributes.get("source", ""))


def _overlay_attributes(entry: Element) -> Collection[str]:
    """Return the attributes of the overlay; ``source`` is not one if ``overlay-source`` is given."""
    kept = {"source"} if "overlay-source" in entry.attributes else set()
    return OVERLAY_ATTRIBUTES.keys() - kept


def _attribute(entry: Element, message: str, hint: str = "") -> Problem:
    return Problem("overlay-attribute", message, entry.position, hint)


@dataclass(slots=True)
class SiblingOrder:
    """The children of one element in their new order.

    Children have numbers: first those of the base in file order, then the added ones.

    Attributes:
        nodes: Number to child, None for one that was removed.
        before: Number of a child to those right before it, in order.
        after: Number of a child to those right after it, in order.
        at_end: Tag to the numbers of children after all others.
    """

    nodes: list[Element | None]
    before: dict[int, list[int]] = field(default_factory=dict)
    after: dict[int, list[int]] = field(default_factory=dict)
    at_end: dict[str, list[int]] = field(default_factory=dict)

    def append(self, element: Element, *, before: int | None, after: int | None) -> int:
        """Add a child before or after another, or at the end; return its number."""
        number = len(self.nodes)
        self.nodes.append(element)
        if before is not None:
            self.before.setdefault(before, []).append(number)
        elif after is not None:
            self.after.setdefault(after, []).append(number)
        else:
            self.at_end.setdefault(element.tag, []).append(number)
        return number

    def content(self, base: Sequence[Element | str]) -> tuple[Element | str, ...]:
        """Return the content of the base with its children in the new order."""
        pieces: list[Element | str] = []
        child = 0
        for piece in base:
            if isinstance(piece, str):
                pieces.append(piece)
            else:
                pieces.extend(self._expand(child))
                child += 1
        last: list[Element | str] = []
        for group in self.at_end.values():
            for number in group:
                last.extend(self._expand(number))
        if last and pieces and isinstance(pieces[-1], str) and not pieces[-1].strip():
            last.append(pieces.pop())  # the line break before the end tag stays last
        return tuple(_spaced([*pieces, *last]))

    def _expand(self, number: int) -> Iterator[Element]:
        """Yield a child and those placed before and after it; not recursive, because chains may be long."""
        todo: list[tuple[int, bool]] = [(number, False)]
        while todo:
            current, expanded = todo.pop()
            if not expanded:
                todo.extend((follower, False) for follower in reversed(self.after.get(current, [])))
                todo.append((current, True))
                todo.extend((leader, False) for leader in reversed(self.before.get(current, [])))
            elif (element := self.nodes[current]) is not None:
                yield element


def _spaced(pieces: Sequence[Element | str]) -> Iterator[Element | str]:
    """Put a line break between an overlay's element and its neighbours, as in a file."""
    previous: Element | str = ""
    for piece in pieces:
        neighbours = isinstance(piece, Element) and isinstance(previous, Element)
        if neighbours and (_origin(piece) or _origin(previous)):
            yield "\n"
        yield piece
        previous = piece


def _origin(piece: Element | str) -> str:
    return piece.origin if isinstance(piece, Element) else ""
