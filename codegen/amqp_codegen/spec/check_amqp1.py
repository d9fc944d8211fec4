"""What the 1.0 schema cannot say: which class of type has what, and numbers that must fit each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..model.problem import Problem, Severity
from .amqp1_grammar import TYPE_CLASSES
from .check_value import parse_number
from .descriptor_code import code_complaint
from .element import Element
from .wording import describe, listing, quote

# Which classes of types have an element, and whether they must.
_OWNERS: Mapping[str, tuple[str, ...]] = {
    "encoding": ("primitive",),
    "descriptor": ("composite", "restricted"),
    "field": ("composite",),
    "choice": ("restricted",),
}
_NEEDED: Mapping[str, str] = {"primitive": "encoding", "composite": "descriptor"}

# The category and width that the upper half of a format code stands for (section 1.2).
_SUBCATEGORIES: Mapping[int, tuple[str, int]] = {
    0x4: ("fixed", 0),
    0x5: ("fixed", 1),
    0x6: ("fixed", 2),
    0x7: ("fixed", 4),
    0x8: ("fixed", 8),
    0x9: ("fixed", 16),
    0xA: ("variable", 1),
    0xB: ("variable", 4),
    0xC: ("compound", 1),
    0xD: ("compound", 4),
    0xE: ("array", 1),
    0xF: ("array", 4),
}
# Format codes that end in this are followed by another octet.
_EXTENSION = 0xF


def check_amqp1(root: Element) -> list[Problem]:
    """Return the problems of a 1.0 tree that concern several attributes or elements, in file order."""
    return [problem for element in root.walk() for problem in _check(element)]


def format_width(code: int) -> int:
    """Return the width that a format code, already checked, stands for."""
    return _SUBCATEGORIES[code >> 4][1]


def _check(element: Element) -> Iterator[Problem]:
    if element.tag == "type":
        yield from _check_type(element)
    elif element.tag == "encoding":
        yield from _check_encoding(element)
    elif element.tag == "descriptor":
        yield from _check_descriptor(element)
    elif element.tag == "field":
        yield from _check_field(element)


def _check_type(element: Element) -> Iterator[Problem]:
    type_class = element.attributes.get("class", "")
    if type_class not in TYPE_CLASSES:
        return
    what = f"{type_class} {describe(element)}"
    for child in element.children:
        owners = _OWNERS.get(child.tag)
        if owners is not None and type_class not in owners:
            message = f"<{child.tag}> in {what}"
            hint = f"only {listing(owners)} types have them"
            yield Problem("unknown-element", message, child.position, hint)
    needed = _NEEDED.get(type_class)
    if needed is not None and not element.find_all(needed):
        yield Problem("missing-element", f"{what} has no <{needed}>", element.position)
    if type_class == "restricted" and "source" not in element.attributes:
        hint = "it names the type whose values are restricted, or is * for any"
        yield Problem("missing-attribute", f"{what} has no attribute 'source'", element.position, hint)
    if type_class in ("primitive", "union") and "source" in element.attributes:
        hint = "only composite and restricted types have it"
        yield Problem("unknown-attribute", f"{what} has an attribute 'source'", element.position, hint)
    if type_class == "composite" and element.attributes.get("source", "list") != "list":
        message = f"{what} has the source {quote(element.attributes['source'])}, which is not supported"
        hint = "the standard reserves every source of composite types but 'list'"
        yield Problem("unsupported-source", message, element.position, hint)
    if type_class == "union":
        message = f"{what} is of a class that the standard reserves without saying what it means"
        hint = "it is taken to hold whatever provides an archetype of its name"
        yield Problem("reserved-class", message, element.position, hint, Severity.WARNING)


def _check_encoding(element: Element) -> Iterator[Problem]:
    code = parse_number(element.attributes.get("code", ""))
    category = element.attributes.get("category", "")
    if code is None or code > 0xFF:
        return
    what = describe(element)
    stated = quote(element.attributes["code"])
    if code >> 4 not in _SUBCATEGORIES:
        message = f"{what}: code {stated} is no format code: those begin at 0x40"
        yield Problem("bad-value", message, element.position)
        return
    if code & 0xF == _EXTENSION:
        message = f"{what}: code {stated} needs a second octet, which is not supported"
        yield Problem("unsupported-code", message, element.position)
    meant, width = _SUBCATEGORIES[code >> 4]
    if category in _widths() and category != meant:
        message = f"{what}: category {quote(category)} does not fit code {stated}, which is {meant}"
        yield Problem("bad-encoding", message, element.position)
        return
    written = parse_number(element.attributes.get("width", str(width)))
    if written not in _widths()[meant]:
        message = f"{what}: width {quote(element.attributes['width'])} is none that {meant} encodings have"
        hint = f"known: {', '.join(map(str, _widths()[meant]))}"
        yield Problem("bad-encoding", message, element.position, hint)
    elif written != width:
        message = f"{what}: width {written} does not fit code {stated}, which says {width}"
        yield Problem("bad-encoding", message, element.position)


def _widths() -> Mapping[str, list[int]]:
    """Return the widths of each category."""
    widths: dict[str, list[int]] = {}
    for category, width in _SUBCATEGORIES.values():
        widths.setdefault(category, []).append(width)
    return widths


def _check_descriptor(element: Element) -> Iterator[Problem]:
    name = element.attributes.get("name")
    code = element.attributes.get("code")
    if name is None and code is None:
        message = "descriptor has neither 'name' nor 'code'"
        yield Problem("missing-attribute", message, element.position)
    if name is not None and not name.isascii():
        message = f"{describe(element)}: name {quote(name)} is no symbol: those are ASCII"
        yield Problem("bad-value", message, element.position)
    if code is not None and code.strip() and (wrong := code_complaint(code)):
        message = f"{describe(element)}: code {quote(code)} {wrong}"
        yield Problem("bad-value", message, element.position)


def _check_field(element: Element) -> Iterator[Problem]:
    if element.attributes.get("mandatory") == "true" and "default" in element.attributes:
        message = f"{describe(element)} is mandatory, its default is never used"
        yield Problem("useless-default", message, element.position, "", Severity.WARNING)
