"""The pages of a 1.0 specification: the variables and the diagrams of their templates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from markupsafe import Markup

from ...model.amqp1.spec import Encoding, Part, Section, Spec, Wire
from ...model.amqp1.types import Composite, Restricted, Type
from ...resolve.amqp1.wire import read_wire1
from ...support.resources import wire_file
from ...vectors.amqp1.case_factory import CaseFactory
from ...vectors.amqp1.frame_cases import header_octets
from ..layouts.boxes import run_svg
from ..page_plan import Page, PageLink
from . import wording
from .anchors import FIRST_PAGE, Anchors, error_conditions
from .examples import Examples
from .layouts import composite_run, described_run, encoding_run
from .search_entries import overview_entries, part_entries


def encoding_layout(examples: Examples, encoding: Encoding) -> Markup:
    """Draw the octets of an encoding, with an example."""
    return Markup(run_svg(encoding_run(examples, encoding)))


def type_layout(examples: Examples, type_: Type) -> Markup:
    """Draw the octets of a type with a descriptor, with an example; empty for other types."""
    if isinstance(type_, Composite):
        return Markup(run_svg(composite_run(examples, type_)))
    if isinstance(type_, Restricted) and type_.descriptors:
        return Markup(run_svg(described_run(examples, type_)))
    return Markup("")


_OVERVIEW = (
    ("parts", "Parts"),
    ("protocol", "Protocol headers and frames"),
    ("format-codes", "Format codes"),
    ("descriptors", "Descriptors"),
    ("archetypes", "Archetypes"),
    ("error-conditions", "Error conditions"),
    ("constants", "Constants"),
    ("help-and-feedback", "About this guide"),
)


def pages(spec: Spec) -> tuple[Page, ...]:
    """Return ``index.html``, the overview, then a page for each part."""
    anchors = Anchors(spec)
    examples = Examples(spec)
    common = {
        "spec": spec,
        "anchors": anchors,
        "wording": wording,
        "encoding_layout": partial(encoding_layout, examples),
        "type_layout": partial(type_layout, examples),
        "choice_octets": partial(wording.choice_octets, examples),
    }
    return (
        _overview(spec, anchors, common),
        *(_part_page(spec, part, anchors, common) for part in spec.parts),
    )


def _overview(spec: Spec, anchors: Anchors, common: Mapping[str, Any]) -> Page:
    wire = read_wire1(*wire_file())
    variables = {
        **common,
        "topics": dict(_OVERVIEW),
        "headers": protocol_headers(spec, wire),
        "frames": wire.frames,
        "encodings": sorted(spec.encodings, key=lambda encoding: encoding.code),
        "descriptors": _descriptors(spec),
        "conditions": tuple(error_conditions(spec)),
        "field_addresses": _field_addresses(spec, anchors),
    }
    contents = tuple(PageLink(title, f"{FIRST_PAGE}#{anchor}") for anchor, title in _OVERVIEW)
    entries = tuple(overview_entries(spec, anchors))
    template = "reference/amqp1/overview.html.jinja"
    description = (
        f"The parts, format codes, descriptors, archetypes, error conditions and constants of {spec.title}."
    )
    return Page(FIRST_PAGE, spec.title, template, variables, entries, contents, description)


def _part_page(spec: Spec, part: Part, anchors: Anchors, common: Mapping[str, Any]) -> Page:
    variables = {
        **common,
        "part": part,
        "users": users(spec, anchors),
        "reporters": {condition.symbol: condition.rules for condition in error_conditions(spec)},
    }
    entries = tuple(part_entries(part, anchors))
    contents = tuple(_section_link(section, anchors) for section in part.sections)
    template = "reference/amqp1/part.html.jinja"
    description = (
        f"Every type, field, rule and constant in the part {part.name} of {spec.title}, with its octets."
    )
    return Page(anchors.page(part), part.name, template, variables, entries, contents, description)


def _section_link(section: Section, anchors: Anchors) -> PageLink:
    items = tuple(PageLink(type_.name, anchors.address(type_)) for type_ in section.types)
    return PageLink(section.title or section.name, anchors.address(section), items)


def protocol_headers(spec: Spec, wire: Wire) -> dict[str, bytes]:
    """Return layer to its protocol header, for the layers whose version the specification defines."""
    factory = CaseFactory(spec)
    headers = {layer: header_octets(factory, layout) for layer, layout in wire.headers.items()}
    return {layer: octets for layer, octets in headers.items() if octets is not None}


def _descriptors(spec: Spec) -> list[tuple[str, str, Type]]:
    """Return code, symbol and type of every descriptor, by code; types without one come last."""
    entries = [
        (descriptor.code, descriptor.symbol, kind)
        for kind in spec.described_types
        for descriptor in kind.descriptors
    ]
    entries.sort(key=lambda entry: (entry[0] is None, entry[0] or 0))
    return [("" if code is None else f"{code:#04x}", symbol, kind) for code, symbol, kind in entries]


def _field_addresses(spec: Spec, anchors: Anchors) -> dict[str, str]:
    """Return ``type.field`` to its address."""
    fields = ((type_, field) for type_ in spec.composites for field in type_.fields)
    return {f"{type_.name}.{field.name}": anchors.address(field) for type_, field in fields}


def users(spec: Spec, anchors: Anchors) -> dict[str, tuple[tuple[str, str], ...]]:
    """Return type to the fields that have it and the types derived from it, each with its name and its address."""
    users_by_type: dict[str, list[tuple[str, str]]] = {}
    for name, user, address in _uses(spec, anchors):
        users_by_type.setdefault(name, []).append((user, address))
    return {name: tuple(users) for name, users in users_by_type.items()}


def _uses(spec: Spec, anchors: Anchors) -> Iterator[tuple[str, str, str]]:
    for type_ in spec.types:
        if isinstance(type_, Restricted):
            yield type_.source.name, type_.name, anchors.address(type_)
        elif isinstance(type_, Composite):
            for field in type_.fields:
                yield field.type.name, f"{type_.name}.{field.name}", anchors.address(field)
