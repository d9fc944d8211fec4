"""Domains: used, not mistaken for one another, not hiding an elementary type."""

from __future__ import annotations

from collections.abc import Iterator

from ...passes.amqp0.domains import ELEMENTARY
from ...passes.names import normalise
from ...spec.wording import quote
from ..finding import Finding
from ..subject import Subject0


def check_domains(subject: Subject0) -> Iterator[Finding]:
    """Domains that nothing uses, that redefine a type, and fields that have the wrong one."""
    used = {normalise(field.domain or field.type) for field in subject.fields}
    used |= {normalise(domain.type) for domain in subject.raw.domains}
    for domain in subject.raw.domains:
        name, target = normalise(domain.name), normalise(domain.type)
        if name in ELEMENTARY and target != name:
            message = f"domain {domain.name!r} has the name of an elementary type but is a {domain.type!r}"
            yield Finding("redefined-type", message, domain.position, "give it a name of its own")
        elif name not in ELEMENTARY and name not in used:
            message = f"nothing uses domain {domain.name!r}"
            yield Finding("unused-domain", message, domain.position, "remove it, or use it")
    yield from _undeclared(subject)
    yield from _class_mismatches(subject)
    yield from _overlooked(subject)


def _undeclared(subject: Subject0) -> Iterator[Finding]:
    """Elementary types named as domains but not declared, in a file that declares the others: 0-9's ``content``."""
    declared = {normalise(domain.name) for domain in subject.raw.domains}
    for field in subject.fields:
        name = normalise(field.domain)
        if name in ELEMENTARY and name not in declared and not declared.isdisjoint(ELEMENTARY):
            message = (
                f"field {field.name!r} has the domain {field.domain!r}, which this file does not declare"
            )
            hint = f'declare it: <domain name="{name}" type="{name}"/>'
            yield Finding("undeclared-type", message, field.position, hint)


def _class_mismatches(subject: Subject0) -> Iterator[Finding]:
    """Fields whose domain is that of another field beside them: 0-8's ``method id`` is a ``class id``."""
    for _, method in subject.methods:
        named = {normalise(field.name): field for field in method.fields}
        for field in method.fields:
            name, domain = normalise(field.name), normalise(field.domain)
            other = named.get(domain)
            if domain in ELEMENTARY or name == domain or other is None:
                continue
            if normalise(other.domain) == domain:
                message = f"field {field.name!r} has the domain {field.domain!r}, which is meant for the field of that name"
                declared = name in {normalise(each.name) for each in subject.raw.domains}
                hint = f"write domain={quote(field.name)}" if declared else "give it a domain of its own"
                yield Finding("domain-mismatch", message, field.position, hint)


def _overlooked(subject: Subject0) -> Iterator[Finding]:
    """Fields with a bare type though a domain of their name is there, with its asserts and its text."""
    domains = {normalise(domain.name): domain for domain in subject.raw.domains}
    for field in subject.fields:
        domain = domains.get(normalise(field.name))
        written = normalise(field.type or field.domain)
        if domain is None or field.reserved or written not in ELEMENTARY or normalise(domain.name) == written:
            continue
        known = subject.domains.get(normalise(domain.name))
        if known is not None and known.type is subject.type_of(field):
            message = f"field {field.name!r} is a bare {written!r} though there is a domain of its name"
            hint = f"write domain={quote(domain.name)}: the domain at {domain.position} may have asserts"
            yield Finding("overlooked-domain", message, field.position, hint)
