"""A 0-8, 0-9 or 0-9-1 tree to the raw model."""

from __future__ import annotations

from collections.abc import Mapping

from ..model.problem import Problems
from ..model.raw0 import (
    RawChassis,
    RawClass,
    RawConstant,
    RawDomain,
    RawMethod,
    RawResponse,
    RawSource,
    RawSpec,
)
from .amqp0_grammar import AMQP0
from .check_amqp0 import check_amqp0
from .check_grammar import check_schema
from .check_value import parse_number
from .element import Element
from .read_amqp0_parts import (
    flag,
    grammar_docs,
    grammars,
    label,
    plain_doc,
    read_asserts,
    read_fields,
    read_rules,
    tests,
)
from .read_class_grammar import read_class_grammar
from .text import join_paragraphs, paragraphs


def read_amqp0(
    root: Element, version: str, sources: tuple[RawSource, ...], problems: Problems
) -> RawSpec | None:
    """Check a 0-x tree and read it.

    Args:
        root: The root element, overlays merged.
        version: The version that it describes.
        sources: The files that went into it.
        problems: For all that is wrong.

    Returns:
        The specification, or None if any problem is an error.
    """
    wrong = Problems([*check_schema(root, AMQP0), *check_amqp0(root)])
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
        # 0-8 writes what a constant means as its text, 0-9 as a doc.
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
