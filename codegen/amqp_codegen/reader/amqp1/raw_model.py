"""The raw model of AMQP 1.0 trees, one for each file.

First the parts that several elements have: docs, rules, lists of names and truth values.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...model.amqp0.raw import RawSource
from ...model.amqp1.raw import (
    RawChoice,
    RawDefinition,
    RawDescriptor,
    RawEncoding,
    RawField,
    RawPart,
    RawRule,
    RawSection,
    RawSpec,
    RawType,
)
from ...model.problem import Problems
from ..check_schema import check_schema, parse_number
from ..element import Element
from .markup import plain_text
from .schema import AMQP1_SCHEMA, check_amqp1, parse_descriptor_code


def plain_doc(element: Element) -> str:
    """Return the joined text of an element's docs that have no special type."""
    return plain_text(doc for doc in element.find_all("doc") if not doc.attributes.get("type"))


def read_rules(element: Element) -> tuple[RawRule, ...]:
    """Return the rules of an element in file order."""
    return tuple(_read_rule(child) for child in element.find_all("rule"))


def names(element: Element, attribute: str) -> tuple[str, ...]:
    """Return the names in an attribute that is a comma-separated list."""
    return tuple(name.strip() for name in element.attributes.get(attribute, "").split(",") if name.strip())


def truth(element: Element, attribute: str) -> bool:
    """Return a truth value, which is false if it is absent."""
    return element.attributes.get(attribute) == "true"


def _read_rule(element: Element) -> RawRule:
    scenarios = [doc for doc in element.find_all("doc") if doc.attributes.get("type") == "scenario"]
    return RawRule(
        name=element.attributes["name"],
        label=element.attributes.get("label", ""),
        section=element.attributes.get("section", ""),
        text=plain_doc(element),
        on_failure=element.attributes.get("on-failure", ""),
        scenario=plain_text(scenarios) if scenarios else None,
        position=element.position,
        origin=element.origin,
    )


def read_type(element: Element) -> RawType:
    """Read a ``type`` that the schema has checked."""
    type_class = element.attributes["class"]
    # A composite type is a list; the standard's own example omits the source.
    source = element.attributes.get("source", "list" if type_class == "composite" else "")
    return RawType(
        name=element.attributes["name"],
        type_class=type_class,
        source=source,
        provides=names(element, "provides"),
        label=element.attributes.get("label", ""),
        doc=plain_doc(element),
        encodings=tuple(_read_encoding(child) for child in element.find_all("encoding")),
        descriptors=tuple(_read_descriptor(child) for child in element.find_all("descriptor")),
        fields=tuple(_read_field(child) for child in element.find_all("field")),
        choices=tuple(_read_choice(child) for child in element.find_all("choice")),
        rules=read_rules(element),
        position=element.position,
        origin=element.origin,
    )


def _read_encoding(element: Element) -> RawEncoding:
    width = element.attributes.get("width")
    return RawEncoding(
        name=element.attributes.get("name", ""),
        code=parse_number(element.attributes["code"]) or 0,
        category=element.attributes["category"],
        width=None if width is None else parse_number(width),
        label=element.attributes.get("label", ""),
        doc=plain_doc(element),
        position=element.position,
        origin=element.origin,
    )


def _read_descriptor(element: Element) -> RawDescriptor:
    code = element.attributes.get("code")
    return RawDescriptor(
        name=element.attributes.get("name", ""),
        code=None if code is None else parse_descriptor_code(code),
        doc=plain_doc(element),
        position=element.position,
        origin=element.origin,
    )


def _read_field(element: Element) -> RawField:
    return RawField(
        name=element.attributes["name"],
        type=element.attributes.get("type", "*"),
        requires=names(element, "requires"),
        default=element.attributes.get("default"),
        mandatory=truth(element, "mandatory"),
        multiple=truth(element, "multiple"),
        label=element.attributes.get("label", ""),
        doc=plain_doc(element),
        rules=read_rules(element),
        position=element.position,
        origin=element.origin,
    )


def _read_choice(element: Element) -> RawChoice:
    return RawChoice(
        name=element.attributes["name"],
        value=element.attributes["value"],
        label=element.attributes.get("label", ""),
        doc=plain_doc(element),
        rules=read_rules(element),
        position=element.position,
        origin=element.origin,
    )


def read_amqp1(
    roots: Sequence[Element], sources: tuple[RawSource, ...], problems: Problems
) -> RawSpec | None:
    """Check 1.0 trees, given in reading order with overlays merged, and read them as one specification.

    Returns:
        The specification, or None if any problem is an error. Problems are added to ``problems``.
    """
    wrong = Problems()
    for root in roots:
        wrong.extend(check_schema(root, AMQP1_SCHEMA))
        wrong.extend(check_amqp1(root))
    problems.extend(wrong)
    return None if wrong.has_errors else RawSpec(tuple(map(_read_part, roots)), sources)


def _read_part(root: Element) -> RawPart:
    return RawPart(
        name=root.attributes["name"],
        label=root.attributes.get("label", ""),
        doc=plain_doc(root),
        sections=tuple(_read_section(element) for element in root.find_all("section")),
        rules=read_rules(root),
        position=root.position,
    )


def _read_section(element: Element) -> RawSection:
    return RawSection(
        name=element.attributes["name"],
        title=element.attributes.get("title", ""),
        label=element.attributes.get("label", ""),
        doc=plain_doc(element),
        types=tuple(read_type(child) for child in element.find_all("type")),
        definitions=tuple(_read_definition(child) for child in element.find_all("definition")),
        rules=read_rules(element),
        position=element.position,
        origin=element.origin,
    )


def _read_definition(element: Element) -> RawDefinition:
    return RawDefinition(
        name=element.attributes["name"],
        value=element.attributes["value"],
        label=element.attributes.get("label", ""),
        doc=plain_doc(element),
        position=element.position,
        origin=element.origin,
    )
