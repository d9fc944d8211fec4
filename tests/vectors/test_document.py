"""The text of ``vectors.json``."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from amqp_codegen.model.amqp0.raw import RawSource
from amqp_codegen.vectors.case import Case, case_data, vectors_text, with_unique_ids

SOURCES = [RawSource("spec.xml", "00ff")]
CASE = Case("a/b", "a", "method", {"x": 1}, b"\x00\xff")


def text(*cases: Case, sources: list[RawSource] = SOURCES) -> str:
    schema = {"frames": [{"name": "method", "type": 1}], "methods": []}
    return vectors_text("amqp-codegen 1.2.3", "0-9-1", sources, ["method"], schema, cases)


def test_the_whole() -> None:
    assert text(CASE).split("\n") == [
        "{",
        '  "generator": "amqp-codegen 1.2.3",',
        '  "$schema": "vectors.schema.json",',
        '  "format": 1,',
        '  "version": "0-9-1",',
        '  "sources": [{"name": "spec.xml", "sha256": "00ff"}],',
        '  "truncatable": ["method"],',
        '  "schema": {',
        '    "frames": [',
        '      {"name": "method", "type": 1}',
        "    ],",
        '    "methods": [',
        "    ]",
        "  },",
        '  "index": {"method": [0]},',
        '  "cases": [',
        '    {"id": "a/b", "element": "a", "kind": "method", "way": "both", "input": {"x": 1},'
        ' "bytes": "00ff", "encoding": "exact", "verdict": "accept"}',
        "  ]",
        "}",
        "",
    ]


def test_no_cases() -> None:
    assert json.loads(text())["cases"] == []


def test_what_is_as_usual_is_left_out() -> None:
    assert case_data(Case("a/b", "a", "reply", [], way="ask")) == {
        "id": "a/b",
        "element": "a",
        "kind": "reply",
        "way": "ask",
        "input": [],
        "verdict": "accept",
    }
    full = Case("a/b", "a", "k", None, b"", "reject", "limit", "decode", {"dialect": "x"}, "why")
    assert list(case_data(full)) == [
        *("id", "element", "kind", "way", "options", "input", "bytes", "verdict", "error", "note")
    ]
    assert case_data(full)["bytes"] == ""


def test_only_what_is_encoded_says_whether_an_encoder_is_free() -> None:
    assert case_data(CASE)["encoding"] == "exact"
    assert case_data(replace(CASE, free=True))["encoding"] == "free"
    assert case_data(replace(CASE, free=True, way="encode"))["encoding"] == "free"
    refused = replace(CASE, verdict="reject", error="range")
    for case in (replace(CASE, way="decode"), replace(CASE, way="ask"), refused):
        assert "encoding" not in case_data(case)


def test_the_index_has_the_positions_of_each_kind() -> None:
    cases = [replace(CASE, id=f"a/{place}", kind=kind) for place, kind in enumerate("xyx")]
    assert json.loads(text(*cases))["index"] == {"x": [0, 2], "y": [1]}


def test_every_case_is_a_line_of_its_own_and_text_stays_readable() -> None:
    other = Case("a/ü", "a", "method", {"x": "ü\n"}, b"")
    lines = text(CASE, other).split("\n")
    assert [line[:14] for line in lines if '"id"' in line] == ['    {"id": "a/', '    {"id": "a/']
    assert "ü" in text(other)
    assert json.loads(text(CASE, other))["cases"][1]["input"] == {"x": "ü\n"}


def test_ids_must_be_unique() -> None:
    with pytest.raises(ValueError, match="several cases are called a/b"):
        text(CASE, CASE)


def test_repeated_ids_get_the_kind_of_the_case_or_a_number() -> None:
    cases = [
        CASE,
        replace(CASE, kind="header"),
        replace(CASE, kind="header"),
        replace(CASE, id="a/b-header"),
        CASE,
    ]
    assert [case.id for case in with_unique_ids(cases)] == [
        "a/b",
        "a/b-header",
        "a/b-2",
        "a/b-header-method",
        "a/b-method",
    ]


def test_a_number_that_json_has_not() -> None:
    with pytest.raises(ValueError):
        text(Case("a/b", "a", "method", {"x": float("nan")}, b""))


def test_a_source_may_be_called_anything() -> None:
    name = 'x"\n\u2028\udcff.xml'
    made = text(sources=[RawSource(name, "00")])
    assert json.loads(made)["sources"][0]["name"] == name
    assert made.isascii()
