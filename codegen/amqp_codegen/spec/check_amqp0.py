"""What a 0-x schema cannot say: attributes that need or exclude one another, labels given twice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..model.problem import Problem
from .check_value import complaint
from .element import Element
from .grammar import REGEXP, TEXT, U32, Value
from .limit import limited
from .wording import describe, listing, quote

# What each check of an assert needs. <le> may leave out the method: then the field is in its own.
_ASSERT_NEEDS: Mapping[str, Mapping[str, Value]] = {
    "length": {"value": U32},
    "regexp": {"value": REGEXP},
    "ne": {"value": TEXT},
    "le": {"field": TEXT},
    "syntax": {"rule": TEXT},
}
# In a constant and in a rule, text is not a label but what 0-9 has in a doc.
_LABELLED = frozenset({"amqp", "domain", "class", "method", "field", "value"})


def check_amqp0(root: Element) -> list[Problem]:
    """Return the problems of a 0-x tree that concern several attributes, in file order."""
    return limited(problem for element in root.walk() for problem in _check(element))


def _check(element: Element) -> Iterator[Problem]:
    if element.tag == "field":
        yield from _check_field(element)
    elif element.tag == "assert":
        yield from _check_assert(element)
    elif element.tag == "doc":
        yield from _check_doc(element)
    elif element.tag in ("class", "domain"):
        yield from _check_tests(element)
    if element.tag in _LABELLED and "label" in element.attributes and element.text:
        message = f"{describe(element)} has a label and text, which is a label too: {quote(element.text)}"
        yield Problem("misplaced-text", message, element.position, "put the text into a <doc>")


def _check_field(element: Element) -> Iterator[Problem]:
    """Check that a field has a type or a domain: 0-8 writes 'type' 150 times, 0-9 never."""
    written = {"type", "domain"} & element.attributes.keys()
    if not written:
        message = f"{describe(element)} has neither 'type' nor 'domain'"
        yield Problem("missing-attribute", message, element.position)
    elif len(written) > 1:
        message = f"{describe(element)} has both 'type' and 'domain'"
        yield Problem("conflicting-attributes", message, element.position, "keep the one that is right")


def _check_assert(element: Element) -> Iterator[Problem]:
    check = element.attributes.get("check", "")
    for name, value in _ASSERT_NEEDS.get(check, {}).items():
        text = element.attributes.get(name)
        if text is None:
            message = f"{describe(element)} has no attribute {name!r}"
            yield Problem("missing-attribute", message, element.position)
            continue
        wrong, hint = complaint(value, text)
        if wrong:
            message = f"{describe(element)}: {name} {quote(text)} {wrong}"
            yield Problem("bad-value", message, element.position, hint)
    if check == "enum" and not element.find_all("value"):
        message = f"{describe(element)} has no <value>"
        yield Problem("missing-element", message, element.position)
    if check != "enum" and element.find_all("value"):
        message = f"{describe(element)} has a <value>"
        yield Problem("unknown-element", message, element.position, "only an assert 'enum' has them")


def _check_doc(element: Element) -> Iterator[Problem]:
    kinds = [element.attributes[name] for name in ("type", "name") if name in element.attributes]
    if len(set(kinds)) > 1:
        message = f"doc is of two kinds, {listing(quote(kind) for kind in kinds)}"
        yield Problem("conflicting-attributes", message, element.position)


def _check_tests(element: Element) -> Iterator[Problem]:
    """Check that only rules have tests here; elsewhere 0-8's basic.cancel has one on its plain doc."""
    for doc in element.find_all("doc"):
        if "test" in doc.attributes and doc.attributes.get("name") != "rule":
            message = f"doc of {describe(element)} has an attribute 'test' but is not a rule"
            yield Problem("unknown-attribute", message, doc.position, 'only <doc name="rule"> has it here')
