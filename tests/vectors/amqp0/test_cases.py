"""Nothing of a specification is left out."""

from __future__ import annotations

import pytest
from amqp_codegen.model.amqp0.field_types import WireType
from amqp_codegen.vectors.amqp0.cases import TRUNCATABLE, amqp0_cases

from .built_in_specifications import VERSIONS, cases_of, spec_of

each_version = pytest.mark.parametrize("version", VERSIONS)


@each_version
def test_every_method(version: str) -> None:
    cases = cases_of(version)
    for method in spec_of(version).methods:
        wanted = {"minimum", "an-octet-too-many", "an-octet-too-few-in-a-frame"}
        if method.arguments:
            wanted |= {"maximum", "typical"}
        assert {what for what in wanted if f"{method.full_name}/{what}" not in cases} == set()
        questions = ["reply", "synchronous", "content", "direction"]
        if not any(field.required for field in method.arguments):
            questions.append("default")
        else:
            assert f"{method.full_name}/default" not in cases
        for question in questions:
            assert cases[f"{method.full_name}/{question}"].way == "ask"


@each_version
def test_every_field(version: str) -> None:
    cases = cases_of(version)
    for method in spec_of(version).methods:
        bits = [field for field in method.arguments if field.type is WireType.BIT]
        for field in method.arguments:
            path = f"{method.full_name}.{field.name}"
            if field.type is WireType.BIT:
                wanted = {"alone"}
            elif field.type is WireType.SHORTSTR:
                wanted = {"lowest", "highest", "too-long", "not-utf-8"}
            elif field.type.width:
                wanted = {"lowest", "highest", "too-low", "too-high"}
            else:
                wanted = {"lowest", "highest"}
            assert {what for what in wanted if f"{path}/{what}" not in cases} == set()
        assert (f"{method.full_name}/all-bits" in cases) == (len(bits) > 1)


@each_version
def test_every_property(version: str) -> None:
    cases = cases_of(version)
    for entry in spec_of(version).content_classes:
        for property_ in entry.properties:
            for what in ("alone", "lowest", "highest"):
                case = cases[f"{entry.name}.properties.{property_.field.name}/{what}"]
                assert [value["name"] for value in case.input["properties"]] == [property_.field.name]
                # The flag of the property is the only one.
                assert case.octets is not None
                assert int.from_bytes(case.octets[12:14], "big") == property_.mask
        assert (f"{entry.name}.properties/all" in cases) == bool(entry.properties)


@each_version
def test_every_constant(version: str) -> None:
    cases = cases_of(version)
    for constant in spec_of(version).constants:
        assert cases[f"{constant.name}/constant"].input == constant.value
        assert (f"{constant.name}/closes" in cases) == constant.is_reply_code


@each_version
def test_every_letter_of_every_dialect(version: str) -> None:
    cases = cases_of(version).values()
    for dialect in spec_of(version).dialects:
        tables = [case for case in cases if case.kind == "table" and case.options["dialect"] == dialect.name]
        seen = {entry["letter"] for case in tables if case.input for entry in case.input["entries"]}
        assert seen == dialect.read.keys()
        unknown = {case.id.rpartition("-")[2] for case in tables if "-no-letter-" in case.id}
        assert unknown - {"mark"} == {*"tbBUuIiLlfdDsSATFVx"} - dialect.read.keys()


@each_version
def test_every_assert_is_kept_and_broken(version: str) -> None:
    cases = cases_of(version)
    count = 0
    for method in spec_of(version).methods:
        for field in method.arguments:
            for check in field.asserts:
                path = f"{method.full_name}.{field.name}/{check.check}"
                if check.check == "syntax":
                    continue
                count += 1
                assert cases[f"{path}-kept"].verdict == "accept"
                broken = "broken-1" if check.check == "regexp" else "broken"
                assert cases[f"{path}-{broken}"].input["refused-by"][-1] == "spec"
    assert count > 40


@each_version
def test_the_same_every_time_and_every_id_once(version: str) -> None:
    again = amqp0_cases(spec_of(version))
    assert [case.id for case in again] == list(cases_of(version))
    assert again == list(cases_of(version).values())


@each_version
def test_cases_are_of_one_piece(version: str) -> None:
    for case in cases_of(version).values():
        assert (case.error == "") == (case.verdict == "accept"), case.id
        assert (case.octets is None) == (not case.is_encoded and case.way in ("ask", "encode")), case.id
        assert case.way != "both" or case.verdict == "accept", case.id
        assert case.id.startswith(f"{case.element}/"), case.id
    kinds = {case.kind for case in cases_of(version).values() if case.octets is not None}
    assert kinds == {*TRUNCATABLE, "plain-table"}


def test_how_many() -> None:
    """What a change of the specification or of the cases does to the number of them, in one place."""
    assert {version: len(cases_of(version)) for version in VERSIONS} == {
        "0-8": 2799,
        "0-8-rabbitmq": 2889,
        "0-9": 3091,
        "0-9-1": 1744,
        "0-9-1-rabbitmq": 2040,
    }
