"""The page of a 0-x specification: the variables and the diagrams of its template."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from markupsafe import Markup

from ...model.amqp0.spec import Class, Field, Method, Rule, Spec
from ...resolve.amqp0.arguments import arguments_of
from ...resolve.amqp0.conduct import named_states
from ..layouts import state_diagram as states
from ..layouts.boxes import run_svg
from ..layouts.state_names import state_names
from ..page_plan import Page, PageLink
from . import wording
from .anchors import Anchors
from .arguments import argument_anchor, argument_values, argument_versions
from .layouts import method_run, properties_run
from .search_entries import search_entries


def method_layout(spec: Spec, method: Method) -> Markup:
    """Draw the octets of a method, with an example."""
    return Markup(run_svg(method_run(spec, method)))


def properties_layout(spec: Spec, class_: Class) -> Markup:
    """Draw the octets of a content header of this class, with an example."""
    return Markup(run_svg(properties_run(spec, class_)))


def state_diagram(spec: Spec, class_: Class) -> Markup:
    """Draw the states of a class."""
    return Markup(states.state_diagram(spec, class_))


def states_of_engine(spec: Spec, class_: Class) -> list[tuple[str, list[str]]]:
    """Return the states of the connection engine, each with those of the picture that it stands for; none for most classes."""
    found: dict[str, list[str]] = {}
    for name, drawn in zip(named_states(spec, class_), state_names(class_.automaton), strict=True):
        if name:
            found.setdefault(name, []).append(drawn)
    return list(found.items())


_TEMPLATE = "reference/amqp0/guide.html.jinja"


def pages(spec: Spec) -> tuple[Page, ...]:
    """Return the single page of the guide: ``index.html``, with everything on it."""
    anchors = Anchors(spec)
    return (
        Page(
            "index.html",
            spec.title,
            _TEMPLATE,
            _variables(spec, anchors),
            tuple(search_entries(spec, anchors)),
            tuple(_contents(spec, anchors)),
            f"Every class, method, field, rule, domain and constant of {spec.title}: meaning, states and octets.",
        ),
    )


def _variables(spec: Spec, anchors: Anchors) -> Mapping[str, Any]:
    return {
        "spec": spec,
        "anchors": anchors,
        "requests": wording.requests(spec),
        "users": _users(spec, anchors),
        "reporters": _reporters(spec),
        "added_by": partial(_added_by, spec),
        "grammar": partial(wording.linked_grammar, anchors=anchors),
        "direction": wording.direction,
        "chassis": wording.chassis,
        "error_type": wording.error_type,
        "key": wording.key,
        "check_sentence": wording.check_sentence,
        "method_layout": partial(method_layout, spec),
        "properties_layout": partial(properties_layout, spec),
        "state_diagram": partial(state_diagram, spec),
        "states_of_engine": partial(states_of_engine, spec),
        "arguments": arguments_of(spec),
        "argument_anchor": argument_anchor,
        "argument_values": argument_values,
        "argument_versions": argument_versions,
    }


def _contents(spec: Spec, anchors: Anchors) -> Iterator[PageLink]:
    """Yield the sidebar: each class with its methods, then what they have in common."""
    yield PageLink("Protocol", "#protocol-info")
    yield PageLink("Classes", "#classes", tuple(_class_link(entry, anchors) for entry in spec.classes))
    yield PageLink("Class and method ids", "#ids")
    yield PageLink(
        "Domains",
        "#domains",
        tuple(PageLink(domain.name, f"#{anchors[domain]}") for domain in spec.domains),
    )
    yield PageLink(
        "Constants",
        "#constants",
        tuple(PageLink(constant.name, f"#{anchors[constant]}") for constant in spec.constants),
    )
    arguments = arguments_of(spec)
    if arguments is not None:
        links = (PageLink(known.name, f"#{argument_anchor(known)}") for known in arguments.arguments)
        yield PageLink("Arguments", "#arguments", tuple(links))
    yield PageLink("About this guide", "#help-and-feedback")


def _class_link(class_: Class, anchors: Anchors) -> PageLink:
    methods = tuple(PageLink(method.name, f"#{anchors[method]}") for method in class_.methods)
    return PageLink(class_.name, f"#{anchors[class_]}", methods)


def _users(spec: Spec, anchors: Anchors) -> dict[str, list[tuple[str, str]]]:
    """Return domain to the fields and properties that have it, each with its name and its anchor."""
    users: dict[str, list[tuple[str, str]]] = {}
    for name, field, anchor in _fields(spec, anchors):
        users.setdefault(field.domain or field.type.value, []).append((name, anchor))
    return users


def _fields(spec: Spec, anchors: Anchors) -> Iterator[tuple[str, Field, str]]:
    for class_ in spec.classes:
        for entry in class_.properties:
            yield f"{class_.name}.properties.{entry.field.name}", entry.field, anchors[entry]
        for method in class_.methods:
            for field in method.fields:
                yield f"{method.full_name}.{field.name}", field, anchors[field]


def _reporters(spec: Spec) -> dict[str, list[Rule]]:
    """Return constant to the rules whose violation it reports."""
    rules: dict[str, list[Rule]] = {}
    for rule in spec.rules:
        if rule.on_failure:
            rules.setdefault(rule.on_failure, []).append(rule)
    return rules


def _added_by(spec: Spec, element: Any) -> str:
    """Return the overlay that an element comes from; empty if the specification itself has it."""
    name = str(element.position.file).replace("\\", "/").rpartition("/")[2]
    first, *overlays = (source.name for source in spec.sources)
    return name if name in overlays and name != first else ""
