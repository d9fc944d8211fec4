"""Defaults that wire.toml states: which fields have them, and entries that fit no field."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from amqp_codegen.model.amqp0.wire import FieldDefault
from amqp_codegen.model.problem import Position
from amqp_codegen.reader.inputs import resolve_input

from tests.reader.raw_models import load_amqp0, resolved_amqp0

from .small_specifications import field, in_method, raw_spec, wire

VERSIONS = ("0-8", "0-8-rabbitmq", "0-9", "0-9-1", "0-9-1-rabbitmq")
PLACE = Position("wire.toml", 7, 1)


def defaults_of(version: str) -> dict[str, Any]:
    inputs = resolve_input(version)
    spec, problems = load_amqp0(inputs.files[0], inputs.overlays)
    assert problems == []
    resolved, problems = resolved_amqp0(spec, wire())
    assert problems == []
    assert resolved is not None
    return {
        f"{method.full_name}.{field.name}": field.default
        for method in resolved.methods
        for field in method.fields
        if field.default is not None
    }


def test_nothing_is_dropped_by_omission() -> None:
    host = {"connection.open.virtual-host": "/"}
    old = {"basic.reject.requeue": True, "file.reject.requeue": True, **host}
    assert {version: defaults_of(version) for version in VERSIONS} == {
        "0-8": old,
        "0-8-rabbitmq": old,
        "0-9": old,
        "0-9-1": {"basic.reject.requeue": True, **host},
        "0-9-1-rabbitmq": {"basic.nack.requeue": True, "basic.reject.requeue": True, **host},
    }


def test_each_default_is_for_a_field_of_ours_and_says_why_and_where() -> None:
    assert set(wire().defaults) == {path for version in VERSIONS for path in defaults_of(version)}
    for default in wire().defaults.values():
        assert len(default.reason) > 10
        assert default.position.line > 1


# The field's type, the path and the value of the default, and what is said about it.
WRONG: dict[str, tuple[str, str, Any, str, str]] = {
    "a number for a bit": ("bit", "c.m.f", 1, "the default 1 of 'c.m.f' is not true or false", "of the type bit"),
    "a bit for a number": ("octet", "c.m.f", True, "is not a number from 0 to 255", "of the type octet"),
    "a number too large": ("short", "c.m.f", 65_536, "is not a number from 0 to 65535", "of the type short"),
    "a number for a text": ("shortstr", "c.m.f", 5, "is not a string of at most 255 octets", "shortstr"),
    "a text too long": ("shortstr", "c.m.f", "€" * 86, "is not a string of at most 255 octets", "shortstr"),
    "a text for a table": ("table", "c.m.f", "", "only bits, numbers and short strings", "of the type table"),
    "a field that is not there": ("bit", "c.m.fi", True, "there is a default for 'c.m.fi', but c.m has no field",
                                  "f"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_defaults_that_fit_no_field(name: str) -> None:
    kind, path, value, text, hint = WRONG[name]
    named = replace(wire(), defaults={path: FieldDefault(value, "because", PLACE)})
    spec, [problem] = resolved_amqp0(raw_spec(in_method(field("f", kind))), named)
    assert spec is None
    assert (problem.rule_id, problem.position) == ("wire-file", PLACE)
    assert text in problem.message
    assert hint in problem.hint


def test_a_default_of_a_method_that_only_other_versions_have() -> None:
    named = replace(wire(), defaults={"c.other.f": FieldDefault(True, "because", PLACE)})
    spec, problems = resolved_amqp0(raw_spec(in_method(field("f", "bit"))), named)
    assert (spec is None, problems) == (False, [])
