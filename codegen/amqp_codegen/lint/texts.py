"""Names and texts as they are typed: stray blanks, and characters that an editor has lost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..spec.element import Element
from ..spec.wording import describe, quote
from .finding import Finding

# Attributes that name something, whatever the family.
_NAMES = ("name", "domain", "type", "source", "handler", "method", "field", "rule", "on-failure", "code")
_LOST = "\N{REPLACEMENT CHARACTER}"


def check_texts(roots: Iterable[Element]) -> Iterator[Finding]:
    """Blanks around names, and replacement characters in any text."""
    for root in roots:
        for element in root.walk():
            yield from _check(element)


def _check(element: Element) -> Iterator[Finding]:
    for attribute in _NAMES:
        value = element.attributes.get(attribute, "")
        if value and value != value.strip():
            message = f"{describe(element)}: {attribute} {quote(value)} begins or ends with a blank"
            yield Finding("blank-in-name", message, element.position, f"write {quote(value.strip())}")
    texts = [*element.attributes.values(), element.direct_text]
    if any(_LOST in text for text in texts):
        message = f"a character in {describe(element)} was lost: U+FFFD stands in its place"
        yield Finding(
            "lost-character", message, element.position, "put the character back, and save as UTF-8"
        )
