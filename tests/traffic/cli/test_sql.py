"""``amqp-codegen traffic sql``: what it refuses, and what needs no Spark."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

from amqp_traffic.cli import output
from amqp_traffic.lake.folder import create_lake

from tests.cli.command_calls import Result, call, place, process, refused_with_one_line

__all__ = ["place"]

QUERY = "select 1"


def usage(result: Result) -> str:
    assert (result.code, result.out) == (2, [])
    return result.err[-1]


def test_wrong_calls(place: Path) -> None:
    create_lake("lake")
    assert "LAKE" in usage(call("traffic", "sql"))
    for words in ([], ["--list", QUERY]):
        assert usage(call("traffic", "sql", "lake", *words)) == "Error: Give a query, or --list."
    assert usage(call("traffic", "sql", "lake", "  \n")) == "Error: The query is empty."
    assert "'xml' is not one of" in usage(call("traffic", "sql", "lake", QUERY, "--format", "xml"))
    assert usage(call("traffic", "sql", "lake", "-", stdin="")) == "Error: The query is empty."


def test_no_lake(place: Path) -> None:
    assert refused_with_one_line("traffic", "sql", "lake", "--list") == (
        "error: there is no lake at lake; amqp-codegen traffic ingest makes one [no-lake]"
    )
    assert (
        refused_with_one_line("traffic", "sql", ".", "--list")
        == "error: . is not a lake: it has no _lake.json [no-lake]"
    )
    assert "[no-lake]" in refused_with_one_line("traffic", "sql", "gopher://x", "--list")


def test_no_java(place: Path) -> None:
    pytest.importorskip("pyspark", reason="needs PySpark")
    create_lake("lake")
    for environment in ({"PATH": "/nonexistent", "JAVA_HOME": ""}, {"JAVA_HOME": "/nonexistent"}):
        done = process("traffic", "sql", "lake", QUERY, cwd=place, **environment)
        assert (done.returncode, done.stdout) == (2, "")
        [line] = done.stderr.splitlines()
        assert line.startswith(
            ("error: Spark needs Java", "error: JAVA_HOME is /nonexistent, which has no bin/java")
        )
        assert line.endswith("[no-spark]")


def test_tables_and_views_are_listed_without_spark(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    create_lake("lake")
    monkeypatch.setitem(sys.modules, "pyspark", None)
    listed = call("traffic", "sql", "lake", "--list", "--format", "json")
    assert (listed.code, listed.err) == (0, [])
    rows = [json.loads(line) for line in listed.out]
    assert rows[0] == {
        "relation": "captures",
        "kind": "table",
        "column": "date",
        "type": "date",
        "about": None,
    }
    assert {
        "relation": "methods",
        "kind": "table",
        "column": "arguments",
        "type": "variant",
        "about": None,
    } in rows
    publish = [row for row in rows if row["relation"] == "v_basic_publish"]
    assert {row["about"] for row in publish} == {"Every basic.publish"}
    assert {"exchange", "routing_key", "mandatory"} <= {row["column"] for row in publish}
    text = call("traffic", "sql", "lake", "--list")
    assert text.out[0].split() == ["relation", "kind", "column", "type", "about"]
    assert len(text.out) == len(rows) + 2
    table = call("traffic", "sql", "lake", "--list", "--format", "csv")
    assert [row[2] for row in csv.reader(table.out)][1:] == [row["column"] for row in rows]


def printed(
    capsys: pytest.CaptureFixture[str], form: str, columns: list[str], *rows: Sequence[object]
) -> str:
    output.print_rows(form, columns, rows)
    return capsys.readouterr().out


VALUES = [None, True, -1.5, 'a,"b"\nc', [1, None, "\N{EURO SIGN}"], {"k": False}]


def test_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "text", list("abcdef"), VALUES) == (
        "a     b     c     d         e               f\n"
        "----  ----  ----  --------  --------------  ------------\n"
        'NULL  true  -1.5  a,"b"\\nc  [1, null, "\N{EURO SIGN}"]  {"k": false}\n'
    )
    wide = printed(capsys, "text", ["n", "m"], ["x" * 100, 1], ["y", 2])
    assert wide.splitlines()[1:] == ["-" * 60 + "  -", "x" * 100 + "  1", "y" + " " * 61 + "2"]
    assert printed(capsys, "text", ["n"]) == "n\n-\n"
    many = printed(capsys, "text", ["n"], *([number] for number in range(3000)))
    assert many.splitlines()[2:] == [str(number) for number in range(3000)]


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(capsys, "json", ["a", "a", "a_2", "a", "b", "c"], VALUES)
    assert json.loads(out) == dict(zip(["a", "a_2", "a_2_2", "a_3", "b", "c"], VALUES, strict=True))
    assert out.isascii() and out.count("\n") == 1
    assert printed(capsys, "json", ["a"]) == ""


def test_csv(capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(capsys, "csv", list("abcdef"), VALUES)
    assert list(csv.reader(out.splitlines(keepends=True))) == [
        list("abcdef"),
        ["", "true", "-1.5", 'a,"b"\nc', '[1, null, "\N{EURO SIGN}"]', '{"k": false}'],
    ]


@pytest.mark.parametrize("form", output.FORMATS)
def test_statements_without_an_answer(capsys: pytest.CaptureFixture[str], form: str) -> None:
    assert printed(capsys, form, []) == ""
