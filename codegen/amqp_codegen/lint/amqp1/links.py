"""Links in the texts: ``xref`` leads to something."""

from __future__ import annotations

from collections.abc import Iterator

from ...spec.element import Element
from ...spec.wording import did_you_mean, quote
from ..finding import Finding
from ..subject import Subject1

# What an xref may lead to, by the name it has.
_TARGETS = frozenset({"amqp", "section", "type", "definition", "anchor", "doc", "picture", "field", "choice"})


def check_links(subject: Subject1) -> Iterator[Finding]:
    """Every ``xref`` to a name that nothing has; and to a choice that its type does not have."""
    elements = [element for root in subject.roots for element in root.walk()]
    names = {name for each in elements if each.tag in _TARGETS for name in _names(each)}
    choices = {
        each.attributes.get("name", ""): {
            child.attributes.get("name", "") for child in each.find_all("choice")
        }
        for each in elements
        if each.tag == "type"
    }
    for element in elements:
        if element.tag != "xref":
            continue
        name, choice = element.attributes.get("name", ""), element.attributes.get("choice", "")
        if name not in names:
            message = f"this link leads to {quote(name)}, which is nowhere"
            hint = did_you_mean(name, names) or "name a section, type, definition or anchor"
            yield Finding("dangling-link", message, element.position, hint)
        elif choice and choice not in choices.get(name, {choice}):
            message = f"this link leads to choice {quote(choice)}, which {quote(name)} does not have"
            hint = did_you_mean(choice, choices[name]) or "name one of its choices"
            yield Finding("dangling-link", message, element.position, hint)


def _names(element: Element) -> Iterator[str]:
    return (element.attributes[each] for each in ("name", "title") if each in element.attributes)
