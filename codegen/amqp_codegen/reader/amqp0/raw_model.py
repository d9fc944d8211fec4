"""The raw model of a 0-8, 0-9 or 0-9-1 tree.

First the parts that several elements have: labels, docs, rules, asserts and fields.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...model.amqp0.raw import (
    RawAssert,
    RawChassis,
    RawClass,
    RawConstant,
    RawDomain,
    RawField,
    RawMethod,
    RawResponse,
    RawRule,
    RawSource,
    RawSpec,
)
from ...model.problem import Problems
from ..check_schema import check_schema, parse_number
from ..element import Element, join_paragraphs, layout, paragraphs
from .class_grammar import read_class_grammar
from .schema import AMQP0_SCHEMA, check_amqp0


def label(element: Element) -> str:
    """Return an element's label: an attribute since 0-9, its own text in 0-8 and RabbitMQ's confirm class."""
    return element.attributes.get("label") or element.text


def flag(element: Element, name: str) -> bool:
    """Return a flag, which is off if it is absent."""
    return element.attributes.get(name) == "1"


def doc_kind(doc: Element) -> str:
    """Return ``grammar``, ``scenario``, ``rule`` or empty; 0-8 writes it as a name, 0-9 as a type."""
    return doc.attributes.get("type") or doc.attributes.get("name", "")


def plain_doc(element: Element) -> str:
    """Return the joined text of the docs that have no special kind."""
    return _docs(element, "")


def grammars(element: Element) -> tuple[str, ...]:
    """Return the texts of the grammars with their line breaks."""
    return tuple(layout(doc.direct_text) for doc in grammar_docs(element))


def grammar_docs(element: Element) -> tuple[Element, ...]:
    """Return the docs that are grammars."""
    return tuple(doc for doc in element.find_all("doc") if doc_kind(doc) == "grammar")


def read_rules(element: Element) -> tuple[RawRule, ...]:
    """Return the rules of an element, including those that 0-8 writes as docs, in file order."""
    return tuple(
        _read_rule(child) if child.tag == "rule" else _read_doc_rule(child)
        for child in element.children
        if child.tag == "rule" or (child.tag == "doc" and doc_kind(child) == "rule")
    )


def read_asserts(element: Element) -> tuple[RawAssert, ...]:
    """Return the asserts of an element in file order."""
    return tuple(_read_assert(child) for child in element.find_all("assert"))


def read_fields(element: Element) -> tuple[RawField, ...]:
    """Return the fields of a method, or the properties of a class, in file order."""
    return tuple(_read_field(child) for child in element.find_all("field"))


def tests(element: Element) -> str | None:
    """Return the names of an element's tests joined by blanks, or None.

    0-8 writes them as children (two in one rule, one in a field) or on a plain doc (basic.cancel).
    """
    names = [child.text for child in element.find_all("test")]
    names += [
        doc.attributes["test"]
        for doc in element.find_all("doc")
        if not doc_kind(doc) and "test" in doc.attributes
    ]
    return " ".join(names).strip() if names else None


def _docs(element: Element, kind: str) -> str:
    docs = (doc for doc in element.find_all("doc") if doc_kind(doc) == kind)
    return join_paragraphs(paragraphs(doc.direct_text) for doc in docs)


def _read_rule(element: Element) -> RawRule:
    scenario = any(doc_kind(doc) == "scenario" for doc in element.find_all("doc"))
    return RawRule(
        name=element.attributes.get("name", ""),
        label=element.attributes.get("label", ""),
        # 0-8 writes the demand of a rule as its text, 0-9 as a doc.
        text=join_paragraphs([paragraphs(element.direct_text), plain_doc(element)]),
        level=element.attributes.get("implement", ""),
        on_failure=element.attributes.get("on-failure", ""),
        scenario=_docs(element, "scenario") if scenario else None,
        test=tests(element),
        position=element.position,
        origin=element.origin,
    )


def _read_doc_rule(element: Element) -> RawRule:
    return RawRule(
        name="",
        label="",
        text=paragraphs(element.direct_text),
        level="",
        on_failure="",
        scenario=None,
        test=element.attributes.get("test"),
        position=element.position,
        origin=element.origin,
    )


def _read_assert(element: Element) -> RawAssert:
    values = element.find_all("value")
    return RawAssert(
        check=element.attributes["check"],
        value=element.attributes.get("value", ""),
        method=element.attributes.get("method", ""),
        field=element.attributes.get("field", ""),
        rule=element.attributes.get("rule", ""),
        values=tuple(value.attributes["name"] for value in values),
        position=element.position,
        value_labels=tuple(label(value) for value in values),
        origin=element.origin,
    )


def _read_field(element: Element) -> RawField:
    return RawField(
        name=element.attributes["name"],
        type=element.attributes.get("type", ""),
        domain=element.attributes.get("domain", ""),
        reserved=flag(element, "reserved"),
        required=flag(element, "required") if "required" in element.attributes else None,
        label=label(element),
        doc=plain_doc(element),
        see=tuple(child.attributes["name"] for child in element.find_all("see")),
        asserts=read_asserts(element),
        rules=read_rules(element),
        position=element.position,
        test=tests(element),
        origin=element.origin,
    )


def read_amqp0(
    root: Element, version: str, sources: tuple[RawSource, ...], problems: Problems
) -> RawSpec | None:
    """Check a 0-x tree with its overlays merged, and read it.

    Returns:
        The specification, or None if any problem is an error. Problems are added to ``problems``.
    """
    wrong = Problems([*check_schema(root, AMQP0_SCHEMA), *check_amqp0(root)])
    problems.extend(wrong)
    if wrong.has_errors:
        return None
    return RawSpec(
        major=_number(root.attributes, "major"),
        minor=_number(root.attributes, "minor"),
        revision=_number(root.attributes, "revision"),
        port=_number(root.attributes, "port"),
        comment=root.attributes.get("comment", ""),
        label=label(root),
        sources=sources,
        constants=tuple(_read_constant(element) for element in root.find_all("constant")),
        domains=tuple(_read_domain(element) for element in root.find_all("domain")),
        classes=tuple(_read_class(element, problems) for element in root.find_all("class")),
        position=root.position,
        version=version,
    )


def _read_constant(element: Element) -> RawConstant:
    return RawConstant(
        name=element.attributes["name"],
        value=_number(element.attributes, "value"),
        error_class=element.attributes.get("class", "").replace(" ", "-"),
        label=element.attributes.get("label", ""),
        # 0-8 writes the meaning of a constant as its text, 0-9 as a doc.
        doc=join_paragraphs([paragraphs(element.direct_text), plain_doc(element)]),
        position=element.position,
        origin=element.origin,
    )


def _read_domain(element: Element) -> RawDomain:
    return RawDomain(
        name=element.attributes["name"],
        type=element.attributes["type"],
        label=label(element),
        doc=plain_doc(element),
        asserts=read_asserts(element),
        rules=read_rules(element),
        position=element.position,
        origin=element.origin,
    )


def _read_class(element: Element, problems: Problems) -> RawClass:
    productions, wrong = read_class_grammar(grammar_docs(element))
    problems.extend(wrong)
    return RawClass(
        name=element.attributes["name"],
        index=_number(element.attributes, "index"),
        handler=element.attributes.get("handler", ""),
        label=label(element),
        doc=plain_doc(element),
        grammars=grammars(element),
        chassis=_read_chassis(element),
        fields=read_fields(element),
        methods=tuple(_read_method(child) for child in element.find_all("method")),
        rules=read_rules(element),
        position=element.position,
        origin=element.origin,
        productions=productions,
    )


def _read_method(element: Element) -> RawMethod:
    return RawMethod(
        name=element.attributes["name"],
        index=_number(element.attributes, "index"),
        synchronous=flag(element, "synchronous"),
        content=flag(element, "content"),
        deprecated=flag(element, "deprecated"),
        label=label(element),
        doc=plain_doc(element),
        chassis=_read_chassis(element),
        responses=tuple(
            RawResponse(child.attributes["name"], child.position, child.origin)
            for child in element.find_all("response")
        ),
        fields=read_fields(element),
        rules=read_rules(element),
        position=element.position,
        test=tests(element),
        origin=element.origin,
    )


def _read_chassis(element: Element) -> tuple[RawChassis, ...]:
    return tuple(
        RawChassis(child.attributes["name"], child.attributes["implement"], child.position, child.origin)
        for child in element.find_all("chassis")
    )


def _number(attributes: Mapping[str, str], name: str) -> int:
    """Return a number that the schema has checked; 0 where it is absent."""
    return parse_number(attributes.get(name, "0")) or 0
