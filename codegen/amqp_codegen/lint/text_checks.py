"""Names and texts as they are typed: stray blanks, and characters that an editor has lost."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..reader.element import Element
from ..support.wording import describe, quote
from .rule import LintSeverity, Remark, reported, rule

_WORDS = "words"
_ERROR, _WARNING = LintSeverity.ERROR, LintSeverity.WARNING
# Attributes that name something, whatever the family.
_NAMES = ("name", "domain", "type", "source", "handler", "method", "field", "rule", "on-failure", "code")
# Marks, embeddings, overrides and isolates of the bidirectional algorithm (Unicode annex 9).
_BIDIRECTIONAL = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_LOST_CHARACTER = "\N{REPLACEMENT CHARACTER}"


@rule(_WORDS, "blank-in-name", _WARNING, '<rule name="commandInvalid ">')
def blank_in_name(root: Element) -> Iterator[Remark]:
    """A name that begins or ends with a blank, and will not be found by other readers."""
    for element in root.walk():
        for attribute in _NAMES:
            value = element.attributes.get(attribute, "")
            if value and value != value.strip():
                message = f"{describe(element)}: {attribute} {quote(value)} begins or ends with a blank"
                yield Remark(message, element.position, f"write {quote(value.strip())}")


@rule(_WORDS, "lost-character", _WARNING, "<doc>na\ufffdve</doc>")
def lost_character(root: Element) -> Iterator[Remark]:
    """U+FFFD, which stands for a character that was lost."""
    for element in root.walk():
        if any(_LOST_CHARACTER in text for text in (*element.attributes.values(), element.direct_text)):
            message = f"a character in {describe(element)} was lost: U+FFFD stands in its place"
            yield Remark(message, element.position, "put the character back, and save as UTF-8")


@rule(_WORDS, "bidirectional-character", _WARNING, "<doc>the server MUST \\u202e not</doc>")
def bidirectional_character(root: Element) -> Iterator[Remark]:
    """A character that turns the direction of writing: readers see another text than programs."""
    for element in root.walk():
        found = _BIDIRECTIONAL.search("".join((*element.attributes.values(), element.direct_text)))
        if found:
            message = (
                f"{describe(element)} has U+{ord(found[0]):04X}, which turns the direction of what follows"
            )
            yield Remark(message, element.position, "remove the character: it hides what the text says")


REPORTED_NAMES = reported(
    _WORDS,
    ("bad-name", _ERROR, "A name that no identifier can be made of",
     '<constant name="9lives" value="9"/>', "use ASCII letters, digits and hyphens, a letter first"),
    ("name-collision", _ERROR, "Two names that become one identifier, or that hide one of the generated package",
     'fields "no-wait" and "no_wait" of one type', "rename one of them"),
)  # fmt: skip
