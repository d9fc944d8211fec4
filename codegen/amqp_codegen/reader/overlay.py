"""Overlays: files that change a specification, merged element by element.

An overlay repeats the elements that lead to a change, and marks the changed ones with
``overlay="add"``, ``"replace"`` or ``"remove"``. All overlays refer to the base, not to one another: if
two entries change the same element, that is a conflict; the last one does not win. Merging does not
depend on the schema of a family.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from ..model.problem import Problem
from ..support.wording import describe, did_you_mean, quote, show_tag
from .check_schema import MAX_PROBLEMS, limited
from .element import Element
from .overlay_elements import (
    Identity,
    SiblingOrder,
    action,
    by_identity,
    check_entry,
    check_place,
    check_visit,
    finished,
    identity,
    key_attributes,
    normalise,
    repeatable,
)
from .schema import OVERLAY_ATTRIBUTES

# The attributes of an overlay's root that are its own; all others must be as in the base.
_ROOT_FREE = ("overlay", "comment", "label", "reason", "source")
_MAX_SIBLINGS_FOR_HINT = 500


def merge_overlays(base: Element, overlays: Sequence[Element]) -> tuple[Element, list[Problem]]:
    """Apply overlays to the tree of a specification.

    Returns:
        The merged tree, without the entries that could not be applied, and every problem found.
    """
    problems: list[Problem] = []
    visits = []
    for overlay in overlays:
        wrong = list(_check_root(overlay, base))
        problems += wrong
        if not wrong:
            visits.append(_in_namespace(overlay, overlay.namespace, base.namespace))
    merged = _merge(base, visits, problems)
    return merged, limited(problems)


def _check_root(overlay: Element, base: Element) -> Iterator[Problem]:
    if overlay.tag != base.tag:
        message = (
            f"the root element is <{show_tag(overlay.tag)}>, but <{show_tag(base.tag)}> at {base.position}"
        )
        yield Problem("overlay-target", message, overlay.position)
    elif "overlay" not in overlay.attributes:
        message = "this file is not an overlay: its root element has no attribute 'overlay'"
        yield Problem("overlay-attribute", message, overlay.position)
    else:
        yield from check_place(overlay, base, _ROOT_FREE, "is the overlay for another version?")


def _in_namespace(element: Element, own: str, namespace: str) -> Element:
    """Return an overlay's tree in the namespace of the base, because copies of one file differ in it."""
    if element.namespace != own or own == namespace:
        return element
    content = tuple(
        piece if isinstance(piece, str) else _in_namespace(piece, own, namespace) for piece in element.content
    )
    return replace(element, namespace=namespace, content=content)


@dataclass(slots=True)
class _Plan:
    """The changes that the overlays make to the children of one element.

    Attributes:
        visits: Number of a child to the overlay elements that lead into it.
        changes: Number of a child to the entry that replaces or removes it.
        additions: The entries that add a child.
        introduced: New name to the entry that adds it or renames to it.
    """

    visits: dict[int, list[Element]] = field(default_factory=dict)
    changes: dict[int, Element] = field(default_factory=dict)
    additions: list[Element] = field(default_factory=list)
    introduced: dict[Identity, Element] = field(default_factory=dict)


def _merge(base: Element, visits: Sequence[Element], problems: list[Problem]) -> Element:
    """Merge the overlay elements that refer to this element into it."""
    children = base.children
    known = by_identity(children)
    plan = _Plan()
    for visit in visits:
        for entry in visit.children:
            if len(problems) > MAX_PROBLEMS:
                return base
            problems += _enter(plan, entry, base, children, known)
    for number, entry in plan.changes.items():
        for visit in plan.visits.pop(number, ()):
            problems.append(_conflict(entry, f"and what is inside it at {visit.position}"))

    order = SiblingOrder(list(children))
    for number, inner in plan.visits.items():
        order.nodes[number] = _merge(children[number], inner, problems)
    for number, entry in plan.changes.items():
        order.nodes[number] = finished(entry) if action(entry) == "replace" else None
    problems += _place(plan, order, base, known)
    return replace(base, content=order.content(base.content))


def _enter(
    plan: _Plan,
    entry: Element,
    base: Element,
    children: Sequence[Element],
    known: dict[Identity, list[int]],
) -> list[Problem]:
    """Enter one element of an overlay into the plan; return its problems."""
    asked = action(entry)
    problems = list(check_entry(entry)) if "overlay" in entry.attributes else []
    if asked == "add":
        return problems + _enter_addition(plan, entry, children, known)
    if asked not in ("", "replace", "remove"):
        return problems
    targets = known.get(identity(entry), [])
    if len(targets) != 1:
        return [*problems, _no_target(entry, base, children, len(targets))]
    number = targets[0]
    if asked != "replace":
        problems += check_place(entry, children[number], OVERLAY_ATTRIBUTES if asked else ())
    if not asked:
        problems += check_visit(entry)
        plan.visits.setdefault(number, []).append(entry)
    elif number in plan.changes:
        problems.append(_conflict(entry, f"and already at {plan.changes[number].position}"))
    else:
        problems += _enter_rename(plan, entry, number, children, known)
        plan.changes[number] = entry
    return problems


def _enter_addition(
    plan: _Plan, entry: Element, children: Sequence[Element], known: dict[Identity, list[int]]
) -> list[Problem]:
    key = identity(entry)
    if not repeatable(entry):
        if key in known:
            message = f"{describe(entry)} exists already at {children[known[key][0]].position}"
            hint = 'say overlay="replace" to change it'
            return [Problem("overlay-conflict", message, entry.position, hint)]
        if key in plan.introduced:
            message = f"{describe(entry)} is introduced already at {plan.introduced[key].position}"
            return [Problem("overlay-conflict", message, entry.position)]
        plan.introduced[key] = entry
    plan.additions.append(entry)
    return []


def _enter_rename(
    plan: _Plan,
    entry: Element,
    number: int,
    children: Sequence[Element],
    known: dict[Identity, list[int]],
) -> list[Problem]:
    """Enter the new name of a replaced element, if it has one and no sibling has it."""
    if "rename" not in entry.attributes:
        return []
    key = (entry.tag, normalise(entry.attributes["rename"]))
    others = [other for other in known.get(key, []) if other != number]
    taken = children[others[0]] if others else plan.introduced.get(key)
    plan.introduced.setdefault(key, entry)
    if taken is None:
        return []
    new_name = quote(entry.attributes["rename"])
    message = f"{describe(entry)} cannot be renamed to {new_name}: that is taken at {taken.position}"
    return [Problem("overlay-conflict", message, entry.position)]


def _place(
    plan: _Plan, order: SiblingOrder, base: Element, known: dict[Identity, list[int]]
) -> list[Problem]:
    """Put the additions at their places, or after the last sibling of their tag."""
    problems: list[Problem] = []
    numbers = {key: found[0] for key, found in known.items()}
    for number, entry in plan.changes.items():
        if "rename" in entry.attributes:
            numbers[entry.tag, normalise(entry.attributes["rename"])] = number
    last_of_tag = {child.tag: number for number, child in enumerate(base.children)}
    for entry in plan.additions:
        if len(problems) > MAX_PROBLEMS:
            break
        before = _anchor(entry, "before", numbers, order)
        after = _anchor(entry, "after", numbers, order)
        if before is None and after is None:
            places = [place for place in ("before", "after") if place in entry.attributes]
            problems += [_no_anchor(entry, place, plan, order) for place in places]
            after = last_of_tag.get(entry.tag)
        numbers[identity(entry)] = order.append(finished(entry), before=before, after=after)
    return problems


def _anchor(entry: Element, place: str, numbers: dict[Identity, int], order: SiblingOrder) -> int | None:
    """Return the number of the sibling that an addition names; None if there is none in the result."""
    if place not in entry.attributes:
        return None
    number = numbers.get((entry.tag, normalise(entry.attributes[place])))
    return None if number is None or order.nodes[number] is None else number


def _no_anchor(entry: Element, place: str, plan: _Plan, order: SiblingOrder) -> Problem:
    name = entry.attributes[place]
    hint = _closest(name, order.nodes, entry.tag)
    if (entry.tag, normalise(name)) in plan.introduced:
        hint = f"{quote(name)} must be added first"
    message = f"{describe(entry)} is to stand {place} {entry.tag} {quote(name)}, but there is none"
    return Problem("overlay-target", message, entry.position, hint)


def _no_target(entry: Element, base: Element, children: Sequence[Element], found: int) -> Problem:
    if found:
        message = f"{describe(base)} has {found} of {describe(entry)}: which one is meant cannot be told"
        return Problem("overlay-target", message, entry.position)
    key = next((entry.attributes[name] for name in key_attributes(entry.tag) if name in entry.attributes), "")
    hint = _closest(key, children, entry.tag)
    if not hint and not action(entry):
        hint = 'to add it, say overlay="add"'
    return Problem("overlay-target", f"{describe(base)} has no {describe(entry)}", entry.position, hint)


def _closest(name: str, elements: Sequence[Element | None], tag: str) -> str:
    """Return a hint with the most similar name of an element of a tag, or nothing."""
    if len(elements) > _MAX_SIBLINGS_FOR_HINT:
        return ""
    alike = [element.attributes for element in elements if element is not None and element.tag == tag]
    return did_you_mean(
        name, [attributes[key] for attributes in alike for key in key_attributes(tag) if key in attributes]
    )


def _conflict(entry: Element, other: str) -> Problem:
    message = f"{describe(entry)} is changed here, {other}"
    return Problem("overlay-conflict", message, entry.position, "only one overlay entry may touch an element")
