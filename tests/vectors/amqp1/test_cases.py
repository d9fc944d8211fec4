"""The cases of 1.0 leave nothing out: every encoding, field, default, choice, provider has its own."""

from __future__ import annotations

from collections import Counter

import pytest
from amqp_codegen.model.amqp1.spec import Composite, Kind
from amqp_codegen.vectors.amqp1.case_factory import CaseFactory
from amqp_codegen.vectors.amqp1.cases import TRUNCATABLE
from amqp_codegen.vectors.amqp1.values import Scalar
from amqp_codegen.vectors.case import Case

from .built_in_specification import cases, spec

BY_ID = {case.id: case for case in cases()}
FIELDS = [(kind, field) for kind in spec().composites for field in kind.fields]


def wanted(case_id: str, verdict: str = "accept", way: str = "") -> Case:
    case = BY_ID[case_id]
    assert case.verdict == verdict, case_id
    assert way in ("", case.way), case_id
    return case


def test_ids_and_kinds() -> None:
    assert len(BY_ID) == len(cases()) > 2000
    asked = {case.kind for case in cases() if case.way == "ask"}
    assert {case.kind for case in cases()} == {*TRUNCATABLE, "message", *asked}
    assert all((case.octets is None) == (case.way in ("ask", "encode")) for case in cases())
    assert all((case.verdict == "accept") == (case.error == "") for case in cases())


def test_no_octets_mean_two_things() -> None:
    meanings: dict[tuple[str, bytes, str], set[str]] = {}
    for case in cases():
        if case.octets is not None:
            meanings.setdefault((case.kind, case.octets, str(case.options)), set()).add(str(case.input))
    assert [octets for octets, inputs in meanings.items() if len(inputs) > 1] == []


def test_every_encoding() -> None:
    assert len(spec().encodings) == 39
    for encoding in spec().encodings:
        element = f"{encoding.type}.{encoding.identifier.lower().replace('_', '-')}"
        octets = wanted(f"{element}/value").octets
        assert octets is not None
        assert octets[0] == encoding.code
        wanted(f"{element}/elements")


def test_every_encoding_is_the_shortest_of_something() -> None:
    shortest = {
        case.octets[0] for case in cases() if case.kind == "value" and case.way == "both" and case.octets
    }
    codes = {encoding.code for encoding in spec().encodings}
    assert codes - shortest == {0x56}  # true and false are shorter
    decoded = {
        case.octets[0] for case in cases() if case.kind == "value" and case.way == "decode" and case.octets
    }
    assert 0x56 in decoded


def test_every_composite() -> None:
    for kind in spec().composites:
        wanted(f"{kind.name}/minimum", way="both")
        assert (f"{kind.name}/maximum" in BY_ID) == any(not field.mandatory for field in kind.fields)
        wanted(f"{kind.name}/one-item-too-many", "reject")
        at_the_end = bool(kind.fields) and not kind.fields[-1].mandatory
        assert (f"{kind.name}/nulls-at-the-end" in BY_ID) == at_the_end


def test_every_field() -> None:
    assert len(FIELDS) == 125
    for kind, field in FIELDS:
        element = f"{kind.name}.{field.name}"
        wanted(f"{element}/low", way="both")
        if field.mandatory:
            wanted(f"{element}/null", "reject")
            wanted(f"{element}/absent", "reject")
            wanted(f"{element}/missing", "reject", "encode")
        if field.default is not None:
            wanted(f"{element}/default-sent", way="decode")
            assert wanted(f"{element}/null").input == wanted(f"{element}/default-sent").input
            wanted(f"{element}/default", way="ask")
        if field.multiple:
            one = wanted(f"{element}/one", way="both")
            assert wanted(f"{element}/array-of-one", way="decode").input == one.input
            wanted(f"{element}/array-of-two", way="both")
            wanted(f"{element}/empty-array", "reject" if field.mandatory else "accept")
        elif field.type.kind is not Kind.ANY and not field.type.described:
            wanted(f"{element}/array", "reject")
    assert sum(field.multiple for _, field in FIELDS) == 13
    assert sum(field.default is not None for _, field in FIELDS) == 27


def test_every_choice() -> None:
    for enumeration in spec().enumerations:
        for choice in enumeration.choices:
            wanted(f"{enumeration.name}.{choice.name}/choice", way="ask")
            assert any(
                case.element == f"{enumeration.name}.{choice.name}" for case in cases() if case.way == "both"
            )
    open_ones = {
        enumeration.name for enumeration in spec().enumerations if f"{enumeration.name}/other-value" in BY_ID
    }
    closed = {
        enumeration.name for enumeration in spec().enumerations if f"{enumeration.name}/no-choice" in BY_ID
    }
    assert open_ones == {enumeration.name for enumeration in spec().enumerations if enumeration.open}
    assert closed == {enumeration.name for enumeration in spec().enumerations if not enumeration.open} - {
        "role"
    }  # a boolean


def test_every_provider_in_every_place() -> None:
    places = [(kind, field) for kind, field in FIELDS if field.requires and field.type.kind is Kind.ANY]
    assert len(places) == 16
    for kind, field in places:
        for provider in field.providers:
            wanted(f"{kind.name}.{field.name}/{provider.name}", way="both")
        refused = [
            name
            for name in BY_ID
            if name.startswith(f"{kind.name}.{field.name}/") and "something-else" in name
        ]
        assert bool(refused) == bool(field.providers)


def test_every_descriptor_in_every_form() -> None:
    for kind in spec().described_types:
        for form in ("ulong", "ulong-smallulong", "symbol-sym8", "symbol-sym32"):
            wanted(f"{kind.name}/descriptor-{form}")


def test_every_performative_in_its_frame_and_in_the_other() -> None:
    for kind in spec().composites:
        if kind.is_performative or kind.is_sasl_frame:
            wanted(f"frame/{kind.name}", way="both")
            wanted(f"frame/{kind.name}-in-{'sasl' if kind.is_performative else 'amqp'}-frame", "reject")


def test_errors_of_every_sort() -> None:
    errors = Counter(case.error for case in cases() if case.verdict == "reject")
    assert set(errors) == {"truncated", "malformed", "unknown", "limit", "range"}
    assert min(errors.values()) > 10


@pytest.mark.parametrize("kind", spec().composites, ids=lambda kind: kind.name)
def test_fields_of_one_type_differ(kind: Composite) -> None:
    """Otherwise nobody would notice that two of them are swapped; but there are only two booleans."""
    values = CaseFactory(spec()).sampler.maximum(kind).fields.values()
    scalars = [value for value in values if isinstance(value, Scalar) and value.type != "boolean"]
    assert len(scalars) == len(set(scalars))
