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

DOCUMENTS = {
    suite: json.loads((GENERATED / "conformance" / suite / "vectors.json").read_text("utf-8"))
    for suite in SUITES
}
SCHEMAS = {
    suite: json.loads((GENERATED / "conformance" / suite / "vectors.schema.json").read_text("utf-8"))
    for suite in SUITES
}
# A suite of each schema: those of several versions are the same.
DISTINCT = list({json.dumps(schema): suite for suite, schema in SCHEMAS.items()}.values())
VALIDATORS = {suite: Draft202012Validator(SCHEMAS[suite]) for suite in SUITES}
each_schema = pytest.mark.parametrize("suite", DISTINCT)


def small_document(suite: str, cases: list[Any]) -> Any:
    """A document with these cases, and with a little of what else is long."""
    whole = DOCUMENTS[suite]
    few = {part: {name: item[:2] for name, item in whole[part].items()} for part in ("schema", "index")}
    return copy.deepcopy({**whole, **few, "cases": cases})


@each_schema
def test_the_schema_is_one(suite: str) -> None:
    Draft202012Validator.check_schema(SCHEMAS[suite])


@pytest.mark.parametrize(
    "suite",
    [
        pytest.param(suite, marks=() if suite in ("amqp_0_9_1", "amqp_1_0") else pytest.mark.slow)
        for suite in SUITES
    ],
)
def test_the_vectors_fit_it(suite: str) -> None:
    assert [error.message[:200] for error in VALIDATORS[suite].iter_errors(DOCUMENTS[suite])] == []


@each_suite
def test_ids_are_unique_and_every_line_is_a_case(suite: str) -> None:
    cases = DOCUMENTS[suite]["cases"]
    assert [name for name, count in Counter(case["id"] for case in cases).items() if count > 1] == []
    text = (GENERATED / "conformance" / suite / "vectors.json").read_text("utf-8")
    assert sum(line.startswith('    {"id": ') for line in text.split("\n")) == len(cases) > 500


def first(cases: list[Any], **wanted: str) -> Any:
    return next(case for case in cases if wanted.items() <= case.items())


@each_suite
def test_the_index_leads_to_every_case(suite: str) -> None:
    document = DOCUMENTS[suite]
    positions = sorted(place for places in document["index"].values() for place in places)
    assert positions == list(range(len(document["cases"])))
    for kind, places in document["index"].items():
        assert {document["cases"][place]["kind"] for place in places} == {kind}


def names_and_types(fields: list[Any]) -> list[tuple[str, str]]:
    return [(field["name"], field["type"]) for field in fields]


@pytest.mark.parametrize("suite", [suite for suite in SUITES if suite.startswith("amqp_0")])
def test_every_method_and_property_set_is_declared(suite: str) -> None:
    """The schema is enough to read the cases: it has every field of every method in order, and each letter."""
    schema, cases = DOCUMENTS[suite]["schema"], DOCUMENTS[suite]["cases"]
    methods = {method["name"]: method for method in schema["methods"]}
    classes = {class_["name"]: names_and_types(class_["properties"]) for class_ in schema["classes"]}
    letters = {dialect["name"]: dialect["letters"] for dialect in schema["dialects"]}
    seen = set()
    for case in cases:
        value = case["input"]
        if case["kind"] == "method" and value:
            declared = methods[value["method"]]
            seen.add(value["method"])
            assert (declared["class-id"], declared["method-id"]) == (value["class-id"], value["method-id"])
            assert names_and_types(declared["fields"]) == names_and_types(value["fields"])
        elif case["kind"] == "header" and value:
            assert set(names_and_types(value["properties"])) <= set(classes[value["class"]])
        elif case["kind"] == "table" and value:
            known = letters[case["options"]["dialect"]]
            assert all(known[entry["letter"]] == entry["type"] for entry in value["entries"])
    assert seen == methods.keys()


def test_every_composite_is_declared() -> None:
    """Fields in order, mandatory and multiple ones and defaults: the schema says what the questions ask for."""
    schema, cases = DOCUMENTS["amqp_1_0"]["schema"], DOCUMENTS["amqp_1_0"]["cases"]
    composites = {composite["name"]: composite["fields"] for composite in schema["composites"]}
    asked = 0
    for case in cases:
        name, _, field_name = case["element"].partition(".")
        if case["kind"] == "fields":
            assert [field["name"] for field in composites[name]] == case["input"]
        elif case["kind"] in ("field", "default"):
            field = next(composite for composite in composites[name] if composite["name"] == field_name)
            answer = {"mandatory": field["mandatory"], "multiple": field["multiple"]}
            assert case["input"] == (answer if case["kind"] == "field" else field["default"])
        else:
            continue
        asked += 1
    assert asked > 150
    primitives = {primitive["name"]: primitive["encodings"] for primitive in schema["primitives"]}
    types = primitives.keys() | composites.keys() | {item["name"] for item in schema["restricted"]} | {"*"}
    assert {field["type"] for fields in composites.values() for field in fields} <= types
    assert len({encoding["code"] for encodings in primitives.values() for encoding in encodings}) == 39


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
    "no freedom": lambda document: first(document["cases"], way="both").pop("encoding"),
    "a freedom of octets that are only read": lambda document: first(document["cases"], way="decode").update(
        encoding="free"
    ),
    "no schema": lambda document: document.pop("schema"),
    "an empty schema": lambda document: document["schema"].clear(),
    "a schema with an unknown list": lambda document: document["schema"].update(more=[]),
    "a list of names": lambda document: next(iter(document["schema"].values())).append("name"),
    "no index": lambda document: document.pop("index"),
    "a place before the first": lambda document: document["index"].update(method=[-1]),
    "no generator": lambda document: document.pop("generator"),
}


@each_schema
def test_what_is_wrong_is_refused(suite: str) -> None:
    right = small_document(suite, few_cases(DOCUMENTS[suite]["cases"]))
    assert VALIDATORS[suite].is_valid(right)
    accepted = []
    for what, spoil in SPOILED.items():
        document = copy.deepcopy(right)
        spoil(document)
        if VALIDATORS[suite].is_valid(document):
            accepted.append(what)
    assert accepted == []


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
@pytest.mark.parametrize("suite", [suite for suite in DISTINCT if suite.startswith("amqp_0")])
def test_values_have_the_form_of_their_type(suite: str, kind: str) -> None:
    cases = [case for case in DOCUMENTS[suite]["cases"] if case["kind"] == "method" and case["way"] == "both"]
    case = next(case for case in cases if kind in [field["type"] for field in case["input"]["fields"]])
    document = small_document(suite, [case])
    assert VALIDATORS[suite].is_valid(document)
    fields = document["cases"][0]["input"]["fields"]
    next(field for field in fields if field["type"] == kind)["value"] = SPOILED_VALUES[kind]
    assert not VALIDATORS[suite].is_valid(document)
