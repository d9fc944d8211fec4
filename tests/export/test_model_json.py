"""The model as JSON: it fits its schema, holds everything, and its shape changes only with its number."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from amqp_codegen.export.model_json import FORMAT, model_document, model_text, record, schema, schema_text
from amqp_codegen.model.amqp0 import spec as spec0
from amqp_codegen.model.amqp1 import spec as spec1
from amqp_codegen.reader.inputs import resolve_input
from amqp_codegen.resolve.specification import Specification, read_specification

BUILT_IN = ("0-8", "0-8-rabbitmq", "0-9", "0-9-1", "0-9-1-rabbitmq", "1.0")
OUTLINE = Path(__file__).parent / f"outline-{FORMAT}.txt"


@cache
def specification(name: str) -> Specification:
    found = resolve_input(name)
    return read_specification(found.files, found.overlays)


@cache
def document(name: str) -> Any:
    return json.loads(model_text(specification(name)))


@cache
def validator() -> Any:
    jsonschema.Draft202012Validator.check_schema(schema())
    return jsonschema.Draft202012Validator(schema())


@pytest.mark.parametrize("name", BUILT_IN)
def test_it_fits_its_schema(name: str) -> None:
    assert [error.message for error in validator().iter_errors(document(name))] == []


@pytest.mark.parametrize(
    "spoil",
    [
        lambda found: found.update(format="0.9"),
        lambda found: found.update(family="amqp1"),
        lambda found: found["specification"].pop("port"),
        lambda found: found["specification"].update(more=1),
        lambda found: found["specification"]["classes"][0].update(index="ten"),
        lambda found: found["specification"]["classes"][0]["methods"][0]["fields"][0].update(type="word"),
        lambda found: found["specification"]["wire"].update(header="41x"),
        lambda found: found["specification"]["constants"][0].update(position="somewhere"),
    ],
)
def test_the_schema_refuses_what_is_not_the_model(spoil: Any) -> None:
    found = json.loads(model_text(specification("0-9-1")))
    spoil(found)
    assert list(validator().iter_errors(found))


def test_it_holds_what_the_model_says() -> None:
    found = document("0-9-1")
    assert (found["format"], found["family"]) == (FORMAT, "amqp0")
    [queue] = [class_ for class_ in found["specification"]["classes"] if class_["name"] == "queue"]
    [declare] = [method for method in queue["methods"] if method["name"] == "declare"]
    assert (declare["full_name"], declare["sent_by"], declare["responses"]) == (
        *("queue.declare", ["client"], ["QueueDeclareOk"]),
    )
    assert [field["name"] for field in declare["fields"]][:2] == ["reserved-1", "queue"]
    assert declare["fields"][1]["type"] == "shortstr"
    assert declare["position"].startswith("amqp0-9-1.xml:")
    assert found["specification"]["wire"]["header"] == "414d515000000901"


@pytest.mark.parametrize("name", BUILT_IN)
def test_nothing_is_left_out(name: str) -> None:
    """As many methods, fields, rules and types as the model has."""
    spec = specification(name).spec
    told = count(document(name))
    assert told["Rule"] == len(list(spec.rules))
    if isinstance(spec, spec0.Spec):
        assert told["Method"] == len(list(spec.methods))
        assert told["Constant"] == len(spec.constants)
    else:
        assert isinstance(spec, spec1.Spec)
        assert told["Composite"] + told["Restricted"] + told["Primitive"] == len(spec.types)
        assert told["Encoding"] == len(spec.encodings)


def count(value: Any) -> dict[str, int]:
    """How many objects there are of each class."""
    found: dict[str, int] = {}
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, dict):
            if "class" in item:
                found[item["class"]] = found.get(item["class"], 0) + 1
            pending += item.values()
        elif isinstance(item, list):
            pending += item
    return found


def test_the_folder_of_a_file_does_not_matter(tmp_path: Path) -> None:
    [source] = resolve_input("0-8").files
    copy = tmp_path / source.name
    copy.write_bytes(source.read_bytes())
    assert model_document(read_specification([copy])) == model_document(specification("0-8"))


def test_numbers_that_json_lacks() -> None:
    assert [record(value) for value in (float("nan"), float("inf"), 1.5, True, None)] == [
        *("nan", "inf", 1.5, True, None),
    ]


def test_the_shape_changes_only_with_its_number() -> None:
    """If this fails: raise ``FORMAT``, and write the new outline beside the old one."""
    assert outline() == OUTLINE.read_text(encoding="utf-8")


def outline() -> str:
    """Class by class the attributes and what they may hold."""
    lines = []
    for name, definition in schema()["$defs"].items():
        for attribute, kind in definition["properties"].items():
            told = {key: value for key, value in kind.items() if key != "description"}
            lines.append(f"{name}.{attribute} {json.dumps(told, sort_keys=True)}\n")
    return "".join(lines)


def test_every_class_and_most_attributes_are_described() -> None:
    definitions = schema()["$defs"]
    assert all(definition["description"] for definition in definitions.values())
    assert "MUST" in definitions["Chassis"]["description"]
    assert definitions["Method"]["properties"]["synchronous"]["description"] == "As marked in the file."
    assert json.loads(schema_text())["$id"] == f"urn:amqp-codegen:model:{FORMAT}"
