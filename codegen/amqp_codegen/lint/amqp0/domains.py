"""Domains of 0-x: unused ones, confused ones, and those that hide an elementary type."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.amqp0.field_types import WIRE_TYPES
from ...resolve.names import normalise
from ...support.wording import quote
from ..rule import LintSeverity, Remark, reported, rule
from .subject import LintedSpec

_DOMAINS = "domains-0-x"
_ERROR, _WARNING, _NOTE = LintSeverity.ERROR, LintSeverity.WARNING, LintSeverity.NOTE

REPORTED_DOMAINS = reported(
    _DOMAINS,
    ("undefined-domain", _ERROR, "A domain or type that nothing declares",
     '<field name="f" domain="shrtstr"/>', "declare it, or name one that is"),
    ("cyclic-domain", _ERROR, "Domains that lead back to themselves and never to a type",
     '<domain name="a" type="b"/><domain name="b" type="a"/>', "let one of them have an elementary type"),
)  # fmt: skip


@rule(_DOMAINS, "redefined-type", _WARNING, '<domain name="short" type="long"/>')
def redefined_type(subject: LintedSpec) -> Iterator[Remark]:
    """A domain that changes what an elementary type means."""
    for domain in subject.raw.domains:
        if normalise(domain.name) in WIRE_TYPES and normalise(domain.type) != normalise(domain.name):
            message = f"domain {domain.name!r} has the name of an elementary type but is a {domain.type!r}"
            yield Remark(message, domain.position, "give it a name of its own")


@rule(_DOMAINS, "undeclared-type", _WARNING, '0-9: <field name="body" domain="content"/>')
def undeclared_type(subject: LintedSpec) -> Iterator[Remark]:
    """An elementary type as a domain, which the file does not declare though it declares others."""
    declared = {normalise(domain.name) for domain in subject.raw.domains}
    for field in subject.fields:
        name = normalise(field.domain)
        if name in WIRE_TYPES and name not in declared and not declared.isdisjoint(WIRE_TYPES):
            message = (
                f"field {field.name!r} has the domain {field.domain!r}, which this file does not declare"
            )
            yield Remark(message, field.position, f'declare it: <domain name="{name}" type="{name}"/>')


@rule(_DOMAINS, "unused-domain", _NOTE, '<domain name="peer-properties" type="table"/>')
def unused_domain(subject: LintedSpec) -> Iterator[Remark]:
    """A domain that nothing uses."""
    used = {normalise(field.domain or field.type) for field in subject.fields}
    used |= {normalise(domain.type) for domain in subject.raw.domains}
    for domain in subject.raw.domains:
        if normalise(domain.name) not in used | WIRE_TYPES.keys():
            yield Remark(f"nothing uses domain {domain.name!r}", domain.position, "remove it, or use it")


@rule(_DOMAINS, "domain-mismatch", _WARNING, '<field name="method id" domain="class id"/>')
def domain_mismatch(subject: LintedSpec) -> Iterator[Remark]:
    """A field with the domain of another field beside it."""
    for _, method in subject.methods:
        named = {normalise(field.name): field for field in method.fields}
        for field in method.fields:
            name, domain = normalise(field.name), normalise(field.domain)
            other = named.get(domain)
            if domain in WIRE_TYPES or name == domain or other is None:
                continue
            if normalise(other.domain) == domain:
                message = f"field {field.name!r} has the domain {field.domain!r}, which is meant for the field of that name"
                declared = name in {normalise(domain.name) for domain in subject.raw.domains}
                hint = f"write domain={quote(field.name)}" if declared else "give it a domain of its own"
                yield Remark(message, field.position, hint)


@rule(_DOMAINS, "overlooked-domain", _NOTE, '<field name="consumer tag" type="shortstr"/>')
def overlooked_domain(subject: LintedSpec) -> Iterator[Remark]:
    """A field with a bare type though a domain has its name, and perhaps asserts."""
    domains = {normalise(domain.name): domain for domain in subject.raw.domains}
    for field in subject.fields:
        domain = domains.get(normalise(field.name))
        written = normalise(field.type or field.domain)
        if domain is None or field.reserved or written not in WIRE_TYPES or normalise(domain.name) == written:
            continue
        known = subject.domains.get(normalise(domain.name))
        if known is not None and known.type is subject.type_of(field):
            message = f"field {field.name!r} is a bare {written!r} though there is a domain of its name"
            hint = f"write domain={quote(domain.name)}: the domain at {domain.position} may have asserts"
            yield Remark(message, field.position, hint)
