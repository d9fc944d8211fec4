"""What the examples of docs/templates.md see: 0-9-1 with class basic and its method publish, or 1.0 with the type open."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from amqp_codegen.emit.amqp0.column_code import header_names, header_rows, method_names, method_rows
from amqp_codegen.emit.amqp0.context import amqp0_context
from amqp_codegen.emit.amqp1.context import amqp1_context
from amqp_codegen.emit.environment import make_environment
from amqp_codegen.model.amqp0 import spec as spec0
from amqp_codegen.model.amqp1 import spec as spec1
from amqp_codegen.reader.inputs import resolve_input
from amqp_codegen.resolve.amqp1.wire import read_wire1
from amqp_codegen.resolve.specification import read_specification
from amqp_codegen.support.resources import templates_dir, wire_file


@cache
def names(family: str) -> Mapping[str, Any]:
    """The variables, by name."""
    inputs = resolve_input("0-9-1" if family == "amqp0" else "1.0")
    spec = read_specification(inputs.files, inputs.overlays).spec
    return _amqp0(spec) if isinstance(spec, spec0.Spec) else _amqp1(spec)


def _amqp0(spec: spec0.Spec) -> Mapping[str, Any]:
    entry = next(class_ for class_ in spec.classes if class_.name == "basic")
    method = next(method for method in entry.methods if method.name == "publish")
    return {
        **amqp0_context(spec, spec.package),
        "family": "amqp0",
        "class": entry,
        "method": method,
        "field": next(field for field in method.fields if field.name == "mandatory"),
        "property": entry.properties[0],
        "domain": next(domain for domain in spec.domains if domain.name == "queue-name"),
        "constant": spec.constant("not-found"),
        "method_rows": method_rows(entry, method_names(spec)),
        "header_rows": header_rows(entry, header_names(spec)),
    }


def _amqp1(spec: spec1.Spec) -> Mapping[str, Any]:
    open_ = spec.type("open")
    assert isinstance(open_, spec1.Composite)
    return {
        **amqp1_context(spec, spec.package, read_wire1(*wire_file())),
        "family": "amqp1",
        "part": spec.part("transport"),
        "type": open_,
        "field": open_.fields[0],
        "restricted": spec.type("role"),
        "alias": spec.type("handle"),
        "described": spec.type("data"),
        "definition": spec.definition("PORT"),
        "module": "performatives",
    }


def render(template: str, family: str) -> str:
    """What a template makes of them."""
    return make_environment(templates_dir()).from_string(template).render(names(family))
