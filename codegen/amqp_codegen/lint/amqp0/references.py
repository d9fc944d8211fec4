"""References that no pass needs: handlers, ``see``, the rules that asserts name, the spelling of all of them."""

from __future__ import annotations

from collections.abc import Iterator

from ...passes.amqp0.domains import ELEMENTARY
from ...passes.names import normalise, suggest
from ...spec.wording import quote
from ..finding import Finding
from ..subject import Subject0


def check_references(subject: Subject0) -> Iterator[Finding]:
    """Handlers that are no class, syntaxes that no rule explains, and names spelt in another way."""
    classes = {normalise(owner.name): owner.name for owner in subject.raw.classes}
    for owner in subject.raw.classes:
        if owner.handler and normalise(owner.handler) not in classes:
            message = f"class {owner.name!r} has the handler {owner.handler!r}, which is no class"
            hint = suggest(owner.handler, classes.values()) or "name the class that handles it"
            yield Finding("unknown-handler", message, owner.position, hint)
    yield from _syntaxes(subject)
    yield from _spellings(subject)


def _syntaxes(subject: Subject0) -> Iterator[Finding]:
    for owner in subject.asserted:
        named = {normalise(rule.name) for rule in owner.rules}
        for check in owner.asserts:
            if check.check == "syntax" and normalise(check.rule) not in named:
                message = f"{owner.name!r} is to have the syntax {check.rule!r}, of which no rule here says what it is"
                hint = f"add a <rule name={quote(check.rule)}> that says it, or write a regexp"
                yield Finding("unknown-syntax", message, check.position, hint)


def _spellings(subject: Subject0) -> Iterator[Finding]:
    """Domains and responses that are found only because blanks, hyphens and case do not count."""
    domains = {normalise(domain.name): domain.name for domain in subject.raw.domains}
    domains |= {name: name for name in ELEMENTARY if name not in domains}
    for field in subject.fields:
        written = field.domain or field.type
        declared = domains.get(normalise(written), written)
        if declared != written:
            message = f"field {field.name!r} has the domain {written!r}, which is declared as {declared!r}"
            yield Finding("other-spelling", message, field.position, f"write {quote(declared)}")
    for owner, method in subject.methods:
        names = {normalise(each.name): each.name for each in owner.methods}
        for response in method.responses:
            declared = names.get(normalise(response.name), response.name)
            if declared != response.name:
                message = f"the response {response.name!r} of {owner.name}.{method.name} is declared as {declared!r}"
                yield Finding("other-spelling", message, response.position, f"write {quote(declared)}")
