"""The form of rabbitmq-codegen: what its files say of methods, constants and properties, ours says as well.

The files themselves are no part of this project. They also have what no XML has: access.request in 0-9-1, queue.unbind
and recover in 0-8, and domains and reply codes of both versions in either.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from amqp_codegen.export.rabbitmq_json import rabbitmq_text
from amqp_codegen.reader.inputs import resolve_input
from amqp_codegen.resolve.specification import read_specification

CASES = [
    line
    for line in (Path(__file__).parent / "rabbitmq-json.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


@cache
def document(name: str) -> Any:
    found = resolve_input(name)
    return json.loads(rabbitmq_text(read_specification(found.files, found.overlays)))


def classes(name: str) -> dict[str, Any]:
    return {class_["name"]: class_ for class_ in document(name)["classes"]}


def shown(method: dict[str, Any]) -> str:
    marks = " S" * method.get("synchronous", False) + " C" * method.get("content", False)
    arguments = ", ".join(map(shown_argument, method["arguments"]))
    return f"{method['id']}{marks}:{' ' * bool(arguments)}{arguments}"


def shown_argument(argument: dict[str, Any]) -> str:
    kind = argument["type"] if "type" in argument else f"domain:{argument['domain']}"
    default = f"={json.dumps(argument['default-value'])}" if "default-value" in argument else ""
    return f"{kind} {argument['name']}{default}"


@pytest.mark.parametrize("case", CASES, ids=lambda case: " ".join(case.split()[:2]))
def test_a_method_is_as_there(case: str) -> None:
    version, path, told = case.split(" ", 2)
    class_name, name = path.split(".")
    [method] = [method for method in classes(version)[class_name]["methods"] if method["name"] == name]
    assert shown(method) == told


@pytest.mark.parametrize("version", ["0-8", "0-8-rabbitmq", "0-9", "0-9-1", "0-9-1-rabbitmq"])
def test_the_keys_are_those_that_scripts_ask_for(version: str) -> None:
    """``amqp_codegen.py`` of rabbitmq-codegen reads these, with defaults where one may be missing."""
    found = document(version)
    assert list(found) == [
        *("name", "major-version", "minor-version"),
        *(["revision"] if version.startswith("0-9-1") else []),
        *("port", "copyright", "domains", "constants", "classes"),
    ]
    domains = dict(found["domains"])
    for class_ in found["classes"]:
        assert set(class_) - {"properties"} == {"id", "methods", "name"}
        assert all(set(entry) == {"type", "name"} for entry in class_.get("properties", []))
        for method in class_["methods"]:
            assert set(method) - {"content", "synchronous"} == {"id", "arguments", "name"}
            for argument in method["arguments"]:
                assert set(argument) - {"default-value"} in ({"type", "name"}, {"domain", "name"})
                assert argument.get("domain", "short") in domains


def test_constants_and_head() -> None:
    found = document("0-9-1-rabbitmq")
    assert (found["name"], found["major-version"], found["minor-version"], found["revision"]) == (
        "AMQP",
        0,
        9,
        1,
    )
    assert found["port"] == 5672
    assert {"name": "FRAME-MIN-SIZE", "value": 4096} in found["constants"]
    assert {"name": "NO-ROUTE", "value": 312, "class": "soft-error"} in found["constants"]
    assert {"name": "UNEXPECTED-FRAME", "value": 505, "class": "hard-error"} in found["constants"]
    assert ["queue-name", "shortstr"] in found["domains"]
    assert found["domains"] == sorted(found["domains"])
    assert "revision" not in document("0-8")


def test_properties() -> None:
    names = [entry["name"] for entry in classes("0-9-1")["basic"]["properties"]]
    assert (names[0], names[9], names[-1], len(names)) == ("content-type", "timestamp", "cluster-id", 14)
    assert {"type": "octet", "name": "broadcast"} in classes("0-8")["tunnel"]["properties"]
    assert classes("0-8")["connection"]["properties"] == []
    assert "properties" not in classes("0-8")["queue"]
