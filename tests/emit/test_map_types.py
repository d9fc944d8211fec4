"""The Python types of maps follow from what ``wire.toml`` says about their keys and values."""

from __future__ import annotations

from dataclasses import replace

import pytest
from amqp_codegen.emit.amqp1.python_types import ValueType, value_type
from amqp_codegen.model.amqp1.spec import Restricted, Spec
from amqp_codegen.reader.inputs import resolve_input
from amqp_codegen.resolve.specification import read_specification


@pytest.fixture(scope="module")
def spec() -> Spec:
    spec = read_specification(resolve_input("1.0").files).spec
    assert isinstance(spec, Spec)
    return spec


def map_type(spec: Spec, name: str) -> Restricted:
    named = spec.type(name)
    assert isinstance(named, Restricted)
    return named


SYMBOLS = ValueType("Mapping[Any, Value]", "Mapping[SymbolKey, Value]", "Mapping[str, Value]")
ANNOTATIONS = ValueType("Mapping[Any, Value]", "Mapping[AnnotationKey, Value]", "Mapping[str | ULong, Value]")
SIMPLE = ValueType(*["Mapping[str, SimpleValue]"] * 3)


@pytest.mark.parametrize(
    ("name", "keys", "expected"),
    [
        ("fields", ("symbol",), SYMBOLS),
        ("node-properties", ("symbol",), SYMBOLS),
        ("filter-set", ("symbol",), SYMBOLS),
        ("annotations", ("symbol", "ulong"), ANNOTATIONS),
        ("footer", ("symbol", "ulong"), ANNOTATIONS),
        ("application-properties", ("string",), SIMPLE),
    ],
)
def test_maps_of_the_standard(spec: Spec, name: str, keys: tuple[str, ...], expected: ValueType) -> None:
    assert map_type(spec, name).keys == keys
    assert value_type(map_type(spec, name), spec) == expected


@pytest.mark.parametrize(
    ("keys", "excluded", "expected"),
    [
        ((), (), ValueType(*["Mapping[Any, Value]"] * 3)),
        (("uuid",), ("list",), ValueType(*["Mapping[Any, Value]"] * 3)),
        (("string",), (), ValueType(*["Mapping[str, Value]"] * 3)),
        ((), ("described", "array", "map", "list"), ValueType(*["Mapping[Any, SimpleValue]"] * 3)),
    ],
)
def test_other_rules(
    spec: Spec, keys: tuple[str, ...], excluded: tuple[str, ...], expected: ValueType
) -> None:
    assert value_type(replace(map_type(spec, "fields"), keys=keys, excluded=excluded), spec) == expected
