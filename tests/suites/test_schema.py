"""``vectors.json`` is what ``vectors.schema.json`` says, and the schema refuses what is wrong."""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from .suite_runner import GENERATED, SUITES, each_suite

pytestmark = pytest.mark.slow

DOCUMENTS = {
    suite: json.loads((GENERATED / "conformance" / suite / "vectors.json").read_text("utf-8"))
    for suite in SUITES
}
SCHEMAS = {
    suite: json.loads((GENERATED / "conformance" / suite / "vectors.schema.json").read_text("utf-8"))
    for suite in SUITES
}


@each_suite
def test_the_schema_is_one(suite: str) -> None:
    Draft202012Validator.check_schema(SCHEMAS[suite])


@each_suite
def test_the_vectors_fit_it(suite: str) -> None:
    validator = Draft202012Validator(SCHEMAS[suite])
    assert [error.message[:200] for error in validator.iter_errors(DOCUMENTS[suite])] == []


@each_suite
def test_ids_are_unique_and_every_line_is_a_case(suite: str) -> None:
    cases = DOCUMENTS[suite]["cases"]
    assert [name for name, count in Counter(case["id"] for case in cases).items() if count > 1] == []
    text = (GENERATED / "conformance" / suite / "vectors.json").read_text("utf-8")
    assert sum(line.startswith('    {"id": ') for line in text.split("\n")) == len(cases) > 500


def first(cases: list[Any], **wanted: str) -> Any:
    return next(case for case in cases if wanted.items() <= case.items())


SPOILED: dict[str, Callable[[Any], object]] = {
    "unknown way": lambda document: document["cases"][0].update(way="sideways"),
    "no id": lambda document: document["cases"][0].pop("id"),
    "upper case hex": lambda document: first(document["cases"], way="both").update(bytes="AB"),
    "half an octet": lambda document: first(document["cases"], way="both").update(bytes="abc"),
    "no octets": lambda document: first(document["cases"], way="both").pop("bytes"),
    "no error": lambda document: first(document["cases"], verdict="reject").pop("error"),
    "an error that is none": lambda document: first(document["cases"], verdict="accept").update(
        error="range"
    ),
    "an error of another kind": lambda document: first(document["cases"], verdict="reject").update(
        error="sorry"
    ),
    "octets of a question": lambda document: first(document["cases"], way="ask").update(bytes="00"),
    "something else besides": lambda document: document.update(more=1),
    "no generator": lambda document: document.pop("generator"),
}


@pytest.mark.parametrize("what", SPOILED)
@each_suite
def test_what_is_wrong_is_refused(suite: str, what: str) -> None:
    document = copy.deepcopy({**DOCUMENTS[suite], "cases": few_cases(DOCUMENTS[suite]["cases"])})
    validator = Draft202012Validator(SCHEMAS[suite])
    assert validator.is_valid(document)
    SPOILED[what](document)
    assert not validator.is_valid(document)


def few_cases(cases: list[Any]) -> list[Any]:
    """A case of each way and verdict."""
    return list({(case["way"], case["verdict"]): case for case in cases}.values())


SPOILED_VALUES: dict[str, Any] = {
    "octet": "1",
    "bit": 1,
    "longlong": 1,
    "shortstr": {"hex": ""},
    "longstr": "text",
    "table": {"key": 1},
}


@pytest.mark.parametrize("kind", SPOILED_VALUES)
@pytest.mark.parametrize("suite", [suite for suite in SUITES if suite.startswith("amqp_0")])
def test_values_have_the_form_of_their_type(suite: str, kind: str) -> None:
    cases = [case for case in DOCUMENTS[suite]["cases"] if case["kind"] == "method" and case["way"] == "both"]
    case = copy.deepcopy(
        next(case for case in cases if kind in [field["type"] for field in case["input"]["fields"]])
    )
    document = {**DOCUMENTS[suite], "cases": [case]}
    validator = Draft202012Validator(SCHEMAS[suite])
    assert validator.is_valid(document)
    next(field for field in case["input"]["fields"] if field["type"] == kind)["value"] = SPOILED_VALUES[kind]
    assert not validator.is_valid(document)
