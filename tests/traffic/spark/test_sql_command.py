"""``amqp-codegen traffic sql`` asks Spark; in this process, where there is a session already."""

from __future__ import annotations

import csv
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

from amqp_codegen.cli.main import cli
from amqp_traffic.lake.folder import Lake
from click.testing import CliRunner

from tests.cli.command_calls import process

from .lakes import TEN, frame, make_lake


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Lake:
    rows = [
        frame(1, method="queue.declare", queue="a,b", durable=True, arguments=TEN),
        frame(2, method="queue.declare", queue="\x1b[31m", raw=b"\x01"),
        frame(3, method="tx.select"),
    ]
    return make_lake(tmp_path_factory.mktemp("lakes") / "lake", {"a": {"methods": rows}})


def sql(lake: Lake, *words: str, given: str | None = None) -> tuple[int, str, str]:
    result = CliRunner().invoke(cli, ["traffic", "sql", lake.place, *words], input=given)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.stdout, result.stderr


QUERY = "select queue, durable, arguments from v_queue_declare order by frame_no"


def test_text(spark: Any, lake: Lake) -> None:
    assert sql(lake, QUERY) == (
        0,
        "queue     durable  arguments\n"
        "--------  -------  --------------------\n"
        'a,b       true     {"x-max-length": 10}\n'
        "\\x1b[31m  NULL     NULL\n",
        "",
    )


def test_json(spark: Any, lake: Lake) -> None:
    code, out, err = sql(lake, QUERY, "--format", "json")
    assert (code, err) == (0, "")
    assert [json.loads(line) for line in out.splitlines()] == [
        {"queue": "a,b", "durable": True, "arguments": {"x-max-length": 10}},
        {"queue": "\x1b[31m", "durable": None, "arguments": None},
    ]


def test_csv(spark: Any, lake: Lake) -> None:
    code, out, err = sql(lake, QUERY, "--format", "csv")
    assert (code, err) == (0, "")
    assert list(csv.reader(out.splitlines())) == [
        ["queue", "durable", "arguments"],
        ["a,b", "true", '{"x-max-length": 10}'],
        ["\x1b[31m", "", ""],
    ]


def test_a_query_from_standard_input(spark: Any, lake: Lake) -> None:
    assert sql(lake, "-", "--format", "csv", given="select count(*) as n\nfrom methods\n") == (
        0,
        "n\n3\n",
        "",
    )


def test_no_rows(spark: Any, lake: Lake) -> None:
    assert sql(lake, "select name from frames") == (0, "name\n----\n", "")
    assert sql(lake, "select name from frames", "--format", "json") == (0, "", "")


@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("selec 1", r"error: Syntax error at or near 'selec' \(line 1, pos 0\) \[sql-parse-syntax-error\]"),
        (
            "select nothing from methods",
            r"error: A column, .*; line 1 pos 7 \[sql-unresolved-column-with-suggestion\]",
        ),
        ("select 1/(select count(*) from frames)", r"error: Division by zero.* \[sql-divide-by-zero\]"),
        ("select raise_error('no')", r"error: no \[sql-user-raised-exception\]"),
        (
            "insert into methods select * from methods",
            r"error: .*insert.* \[sql-unsupported-insert-rdd-based\]",
        ),
    ],
)
def test_errors(spark: Any, lake: Lake, query: str, line: str) -> None:
    code, out, err = sql(lake, query)
    assert (code, out) == (2, "")
    assert re.fullmatch(line, err.rstrip("\n")), err


def test_a_commit_that_was_killed_is_left_to_an_ingest(spark: Any, lake: Lake) -> None:
    journal = Path(lake.root, "_journal.json")
    for text in ('{"format": 1, "staging": "_staging/0123456789ab", "remove": [], "move": []}', "{"):
        journal.write_text(text)
        code, out, err = sql(lake, "select count(*) as n from methods", "--format", "csv")
        assert (code, out) == (0, "n\n3\n")
        assert err.startswith(f"note: {lake.place}: a commit is unfinished")
        assert journal.read_text() == text
    journal.unlink()


def test_in_a_process_of_its_own(spark: Any, lake: Lake, tmp_path: Path) -> None:
    """Nothing of Spark or Java is on standard error, and nothing is left in the folder; whoever stops reading ends it."""
    query = "select frame_no from methods where frame_no < 3 order by 1"
    done = process("traffic", "sql", lake.place, "--master", "local[1]", query, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "frame_no\n--------\n1\n2\n", "")
    assert os.listdir(tmp_path) == []
