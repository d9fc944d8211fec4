"""AMQP 1.0 trees, one a file, to the raw model."""

from __future__ import annotations

from collections.abc import Sequence

from ..model.problem import Problems
from ..model.raw0 import RawSource
from ..model.raw1 import RawDefinition, RawPart, RawSection, RawSpec
from .amqp1_grammar import AMQP1
from .check_amqp1 import check_amqp1
from .check_grammar import check_schema
from .element import Element
from .read_amqp1_parts import plain_doc, read_rules
from .read_amqp1_types import read_type


def read_amqp1(
    roots: Sequence[Element], sources: tuple[RawSource, ...], problems: Problems
) -> RawSpec | None:
    """Check 1.0 trees and read them as one specification.

    Args:
        roots: The root element of each file, overlays merged, in reading order.
        sources: The files that went into them.
        problems: For all that is wrong.

    Returns:
        The specification, or None if any problem is an error.
    """
    wrong = Problems()
    for root in roots:
        wrong.extend(check_schema(root, AMQP1))
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
