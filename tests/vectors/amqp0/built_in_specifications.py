"""The built-in 0-x specifications, read once."""

from __future__ import annotations

from functools import lru_cache

from amqp_codegen.model.amqp0.spec import Field, Method, Spec
from amqp_codegen.reader.inputs import resolve_input
from amqp_codegen.resolve.specification import read_specification
from amqp_codegen.vectors.amqp0.cases import amqp0_cases
from amqp_codegen.vectors.case import Case

VERSIONS = ("0-8", "0-8-rabbitmq", "0-9", "0-9-1", "0-9-1-rabbitmq")


@lru_cache
def spec_of(version: str) -> Spec:
    found = resolve_input(version)
    spec = read_specification(found.files, found.overlays).spec
    assert isinstance(spec, Spec)
    return spec


@lru_cache
def cases_of(version: str) -> dict[str, Case]:
    """Every case by its id."""
    return {case.id: case for case in amqp0_cases(spec_of(version))}


def method_of(version: str, name: str) -> Method:
    return next(method for method in spec_of(version).methods if method.full_name == name)


def field_of(version: str, path: str) -> Field:
    method, _, name = path.rpartition(".")
    return next(field for field in method_of(version, method).fields if field.name == name)
