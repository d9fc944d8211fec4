"""The search entries of a 0-x page: every name, label, doc and rule."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.amqp0.spec import Constant, Domain, Field, Method, Rule, Spec
from ...resolve.amqp0.arguments import arguments_of
from ..page_plan import SearchEntry, sentences
from .anchors import Anchors
from .arguments import argument_entries
from .wording import error_type


def search_entries(spec: Spec, anchors: Anchors) -> Iterator[SearchEntry]:
    """Yield classes and methods, then their contents, then rules: of equal matches the first is shown first."""
    for class_ in spec.classes:
        text = sentences(f"class {class_.index}", class_.label, class_.doc)
        yield SearchEntry("class", class_.name, text, anchors[class_])
    for method in spec.methods:
        yield _method(method, anchors)
    for constant in spec.constants:
        yield _constant(constant, anchors)
    for domain in spec.domains:
        yield _domain(domain, anchors)
    for method in spec.methods:
        for field in method.fields:
            yield _field("field", f"{method.full_name}.{field.name}", field, anchors[field])
    for class_ in spec.classes:
        for entry in class_.properties:
            yield _field(
                "property", f"{class_.name}.properties.{entry.field.name}", entry.field, anchors[entry]
            )
    arguments = arguments_of(spec)
    if arguments is not None:
        yield from argument_entries(arguments)
    for rule in spec.rules:
        yield _rule(rule, anchors)


def _method(method: Method, anchors: Anchors) -> SearchEntry:
    text = sentences(f"{method.class_index}.{method.index}", method.label, method.doc, method.class_name)
    return SearchEntry("method", method.full_name, text, anchors[method])


def _constant(constant: Constant, anchors: Anchors) -> SearchEntry:
    error = error_type(constant)
    facts = f"{constant.value}{f', {error} error' if error else ''}"
    return SearchEntry(
        "constant", constant.name, sentences(facts, constant.label, constant.doc), anchors[constant]
    )


def _domain(domain: Domain, anchors: Anchors) -> SearchEntry:
    text = sentences(domain.type.value, domain.label, domain.doc)
    return SearchEntry("domain", domain.name, text, anchors[domain])


def _field(kind: str, name: str, field: Field, anchor: str) -> SearchEntry:
    return SearchEntry(
        kind,
        name,
        sentences(field.domain or field.type.value, field.label, field.doc, *field.aliases),
        anchor,
    )


def _rule(rule: Rule, anchors: Anchors) -> SearchEntry:
    return SearchEntry(
        "rule",
        rule.path,
        sentences(rule.label, rule.text, rule.on_failure, rule.scenario or ""),
        anchors[rule],
    )
