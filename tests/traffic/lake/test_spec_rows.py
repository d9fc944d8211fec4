"""The tables of the specifications: all of the model is in them, and what they refer to is there."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import pytest
from amqp_codegen.model.amqp0 import spec as spec0
from amqp_codegen.model.amqp1 import spec as spec1
from amqp_traffic.lake.specification.built_in import (
    BUILT_IN,
    built_in_rows,
    built_in_specifications,
    source_sha256,
)
from amqp_traffic.lake.specification.columns import SPEC_KEY, SPEC_TABLES, Rows

FAMILY0 = BUILT_IN[:4]
PYTHON = {"string": str, "int32": int, "int64": int, "bool": bool, "binary": bytes, "list<string>": list}


@cache
def rows() -> Rows:
    return built_in_rows()


@cache
def specs() -> dict[str, Any]:
    return {specification.spec.version: specification.spec for specification in built_in_specifications()}


def of(version: str, table: str, **values: Any) -> list[dict[str, Any]]:
    return [
        row
        for row in rows()[table]
        if row["version"] == version and all(row.get(name) == value for name, value in values.items())
    ]


def one(version: str, table: str, **values: Any) -> dict[str, Any]:
    [found] = of(version, table, **values)
    return found


@pytest.mark.parametrize("table", SPEC_TABLES)
def test_rows_fit_their_table(table: str) -> None:
    kinds = dict(SPEC_TABLES[table])
    used = set()
    for row in rows()[table]:
        for name, value in row.items():
            if value is not None:
                assert type(value) is PYTHON[kinds[name]], (name, value)
                used.add(name)
    assert used == set(kinds), "columns without any value"


@pytest.mark.parametrize("table", SPEC_TABLES)
def test_rows_have_a_key(table: str) -> None:
    keys = [tuple(row[name] for name, _ in SPEC_KEY) for row in rows()[table]]
    assert len(set(keys)) == len(keys)
    counts = Counter((version, sha256) for version, sha256, _ in keys)
    for (version, sha256), count in counts.items():
        assert [ordinal for *which, ordinal in keys if which == [version, sha256]] == list(range(count))
    known = {(row["version"], row["source_sha256"]) for row in rows()["spec_versions"]}
    assert counts.keys() <= known
    assert len(known) == len(BUILT_IN)


def test_versions() -> None:
    assert [row["version"] for row in rows()["spec_versions"]] == list(BUILT_IN) == list(specs())
    one_file, overlaid = one("0-9-1", "spec_versions"), one("0-9-1-rabbitmq", "spec_versions")
    assert one_file["file_sha256s"] == [one_file["source_sha256"]]
    assert overlaid["files"] == ["amqp0-9-1.xml", "rabbitmq.xml"]
    assert overlaid["file_sha256s"][0] == one_file["source_sha256"] != overlaid["source_sha256"]
    assert overlaid["source_sha256"] == source_sha256(overlaid["file_sha256s"])
    assert one_file["protocol_header"] == b"AMQP\0\0\x09\x01"
    newest = one("1.0", "spec_versions")
    assert newest["protocol_header"] == b"AMQP\0\1\0\0"
    assert (newest["family"], newest["major"], newest["minor"], newest["revision"]) == ("amqp1", 1, 0, 0)
    assert {row["port"] for row in rows()["spec_versions"]} == {5672}


@pytest.mark.parametrize("version", FAMILY0)
def test_everything_of_a_version_of_0_x_is_there(version: str) -> None:
    spec: spec0.Spec = specs()[version]
    methods = list(spec.methods)
    assert [row["name"] for row in of(version, "spec_methods")] == [method.full_name for method in methods]
    fields = of(version, "spec_fields")
    assert len(fields) == sum(len(method.fields) for method in methods) + sum(
        len(class_.properties) for class_ in spec.classes
    )
    assert [row["path"] for row in of(version, "spec_rules")] == [rule.path for rule in spec.rules]
    for table, items in (
        ("spec_classes", spec.classes),
        ("spec_domains", spec.domains),
        ("spec_constants", spec.constants),
    ):
        found = [(row["name"], row["line"]) for row in of(version, table)]
        assert found == [(item.name, item.position.line) for item in items]


def test_everything_of_1_0_is_there() -> None:
    spec: spec1.Spec = specs()["1.0"]
    types = of("1.0", "spec_types")
    assert [row["name"] for row in types if row["kind"] != "encoding"] == [type_.name for type_ in spec.types]
    assert sum(row["kind"] == "encoding" for row in types) == len(spec.encodings)
    assert {row["name"] for row in of("1.0", "spec_methods", kind="performative")} == {
        "open", "begin", "attach", "flow", "transfer", "disposition", "detach", "end", "close"
    }  # fmt: skip
    assert len(of("1.0", "spec_fields")) == sum(len(composite.fields) for composite in spec.composites)
    assert len(of("1.0", "spec_choices")) == sum(
        len(enumeration.choices) for enumeration in spec.enumerations
    )
    assert [row["path"] for row in of("1.0", "spec_rules")] == [rule.path for rule in spec.rules]
    assert all(row["section"] for row in of("1.0", "spec_rules"))
    assert len(of("1.0", "spec_constants")) == len(spec.definitions)


@pytest.mark.parametrize("version", FAMILY0)
def test_what_rows_of_0_x_refer_to(version: str) -> None:
    methods = {row["name"] for row in of(version, "spec_methods")}
    classes = {row["name"] for row in of(version, "spec_classes")}
    types = {row["name"] for row in of(version, "spec_types", kind="elementary")}
    domains = {row["name"] for row in of(version, "spec_domains")}
    for row in of(version, "spec_methods"):
        assert row["class"] in classes
        assert set(row["responses"]) <= methods
    for row in of(version, "spec_fields"):
        assert row["owner"] in (methods if row["kind"] == "argument" else classes)
        assert row["type"] in types
        assert row["domain"] is None or row["domain"] in domains
    assert {row["type"] for row in of(version, "spec_domains")} <= types


def test_what_rows_of_1_0_refer_to() -> None:
    sections = {row["name"] for row in of("1.0", "spec_classes")}
    kinds = {row["name"]: row["kind"] for row in of("1.0", "spec_types") if row["kind"] != "encoding"}
    assert all(
        row["class"] in sections and kinds[row["name"]] == "composite" for row in of("1.0", "spec_methods")
    )
    for row in of("1.0", "spec_fields"):
        assert kinds[row["owner"]] == "composite"
        assert row["domain"] in kinds or row["domain"] == "*"
        assert row["type"] is None or kinds[row["type"]] == "primitive"
    assert {kinds[row["type"]] for row in of("1.0", "spec_types", kind="encoding")} == {"primitive"}
    assert all(kinds[row["owner"]] == "restricted" for row in of("1.0", "spec_choices"))


def test_some_rows() -> None:
    declare = one("0-9-1", "spec_methods", name="queue.declare")
    assert (declare["class"], declare["class_id"], declare["method_id"]) == ("queue", 50, 10)
    assert (declare["synchronous"], declare["sent_by"], declare["responses"]) == (
        True,
        ["client"],
        ["queue.declare-ok"],
    )
    routing_key = one("0-9-1", "spec_fields", owner="basic.publish", name="routing-key")
    assert (routing_key["place"], routing_key["type"], routing_key["reserved"]) == (2, "shortstr", False)
    exchange = one("0-9-1", "spec_fields", owner="exchange.declare", name="exchange")
    assert exchange["asserts"] == ["length 127", "regexp ^[a-zA-Z0-9-_.:]*$", "notnull"]
    assert one("0-9-1", "spec_fields", kind="property", name="content-type")["flag_mask"] == 0x8000
    assert one("0-9-1", "spec_fields", owner="connection.tune-ok", name="channel-max")["asserts"][-1] == (
        "le ConnectionTune.channel_max"
    )
    assert one("0-9-1", "spec_constants", name="not-found")["value"] == 404
    assert one("0-9-1-rabbitmq", "spec_types", kind="table-value", letter="x")["name"] == "bytes"
    assert not of("0-9-1", "spec_types", kind="table-value", letter="x")
    assert of("0-8", "spec_choices", name="add")[0]["owner"] == "test.integer.operation"
    transfer = one("1.0", "spec_methods", name="transfer")
    assert (transfer["descriptor"], transfer["descriptor_code"]) == ("amqp:transfer:list", 0x14)
    handle = one("1.0", "spec_fields", owner="transfer", name="handle")
    assert (handle["domain"], handle["type"], handle["mandatory"], handle["place"]) == (
        "handle",
        "uint",
        True,
        0,
    )
    assert one("1.0", "spec_choices", owner="role", name="receiver")["value"] == "true"
    assert one("1.0", "spec_types", kind="encoding", name="smalluint")["code"] == 0x52
    assert one("1.0", "spec_domains", name="milliseconds")["type"] == "uint"
